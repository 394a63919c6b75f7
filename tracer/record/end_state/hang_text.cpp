#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "tracer/record/end_state/hang.hpp"

namespace plumbline::record {
namespace {

constexpr std::size_t kShownNeeds = 4;
constexpr std::size_t kShownRanks = 64;

template <class T>
std::string or_any(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "any";
}

class Text {
 public:
  explicit Text(const EndState& end_state) : s_(end_state), graph_(wait_graph(end_state)) {}

  std::string whole() const {
    std::string out =
        s_.stopped ? fmt::format("who waited for whom when it was stopped, at {}:\n", format(*s_.stopped - Time{}))
                   : std::string("who waited for whom at the end:\n");
    for (const auto& circle : graph_.circles) out += "  " + circle_text(circle) + "\n";
    if (const std::string others = other_stuck(); !others.empty()) out += "  " + others + "\n";
    for (const Meeting& meeting : graph_.meetings) out += meeting_text(meeting);
    for (const std::uint32_t rank : shown_ranks()) out += rank_text(rank);
    if (s_.ranks.size() > kShownRanks) out += fmt::format("  .. and {} more ranks\n", s_.ranks.size() - kShownRanks);
    if (s_.incomplete) out += "  (calls were not recorded: what is said of messages may be wrong)\n";
    return out;
  }

 private:
  // All, or of many those that matter most, by rank.
  std::set<std::uint32_t> shown_ranks() const {
    std::set<std::uint32_t> shown;
    const auto show = [&](std::uint32_t rank) {
      if (shown.size() < kShownRanks) shown.insert(rank);
    };
    for (const auto& circle : graph_.circles) std::ranges::for_each(circle, show);
    for (const Meeting& meeting : graph_.meetings) std::ranges::for_each(meeting.missing, show);
    for (const std::uint32_t rank : graph_.ended)
      if (s_.ranks[rank].end != "finalized") show(rank);
    std::ranges::for_each(graph_.stuck, show);
    for (std::uint32_t rank = 0; rank < s_.ranks.size(); ++rank) show(rank);
    return shown;
  }

  std::string comm_name(std::uint32_t comm) const {
    return comm < s_.comms.size() ? s_.comms[comm].name : fmt::format("communicator {}", comm);
  }

  static std::string circle_text(const std::vector<std::uint32_t>& circle) {
    constexpr std::size_t kShown = 8;
    if (circle.size() == 1) return fmt::format("deadlock: rank {} waits for itself", circle[0]);
    std::string text = fmt::format("deadlock: rank {} waits for rank {}", circle[0], circle[1]);
    for (std::size_t i = 1; i < std::min(circle.size(), kShown); ++i)
      text += fmt::format(", which waits for rank {}", circle[(i + 1) % circle.size()]);
    return circle.size() > kShown ? text + ", .." : text;
  }

  std::string other_stuck() const {
    std::vector<std::uint32_t> others(graph_.stuck.begin(), graph_.stuck.end());
    for (const auto& circle : graph_.circles)
      for (const std::uint32_t rank : circle) std::erase(others, rank);
    if (others.empty()) return {};
    return fmt::format("{} {} for what nobody can do any more", ranks_text(others),
                       others.size() == 1 ? "waits" : "wait");
  }

  std::string meeting_text(const Meeting& meeting) const {
    std::string text;
    for (const auto& [name, inside] : meeting.inside) {
      const std::string where = meeting.collective.place.kind == Place::Kind::kFinalize ? name
                                : name.starts_with("MPI_File_")                         ? name
                                                                : fmt::format("{} on {}", name, meeting.comm);
      text += fmt::format("{}{} {} in {}", text.empty() ? "  " : "; ", ranks_text(inside),
                          inside.size() == 1 ? "is" : "are", where);
    }
    if (!meeting.missing.empty())
      text += fmt::format("; {} {} not", ranks_text(meeting.missing), meeting.missing.size() == 1 ? "is" : "are");
    return text + (meeting.inside.size() > 1 ? ": these are not the same call\n" : "\n");
  }

  // ---- One rank

  std::string rank_text(std::uint32_t rank) const {
    const RankState& state = s_.ranks[rank];
    if (!state.recorded()) return fmt::format("  rank {}: {}\n", rank, state.end.empty() ? "no calls" : state.end);
    if (state.recording_stopped()) return fmt::format("  rank {}: {}\n", rank, state.end);
    if (graph_.ended.contains(rank)) {
      const std::string last = state.threads[0].last ? fmt::format("; {}", last_text(*state.threads[0].last)) : "";
      return fmt::format("  rank {}: has ended, {}{}\n", rank, state.end, state.end == "finalized" ? "" : last);
    }
    std::string text;
    for (std::size_t i = 0; i < state.threads.size(); ++i) {
      const std::string who = i == 0 ? fmt::format("rank {}", rank) : fmt::format("rank {}, thread {}", rank, i);
      text += fmt::format("  {}: {}", who, thread_text(rank, i));
    }
    return text;
  }

  static std::string last_text(const LastCall& last) {
    return fmt::format("the last was {}{}", last.name, last.site.empty() ? "" : ", " + last.site);
  }

  // Until the moment of the end state, or the rank's end; nothing when that is not known.
  std::string since(std::uint32_t rank, Time begin) const {
    const std::optional<Time> until = s_.stopped ? s_.stopped : s_.ranks[rank].ended;
    if (until && *until >= begin) return fmt::format("for {}", format(*until - begin));
    return fmt::format("from {} on", format(begin - Time{}));
  }

  std::string thread_text(std::uint32_t rank, std::size_t index) const {
    const ThreadState& thread = s_.ranks[rank].threads[index];
    if (!thread.in_flight) {
      if (!thread.last) return "no call\n";
      return fmt::format("in no call {}; {}\n", since(rank, thread.last->end), last_text(*thread.last));
    }
    const auto wait = std::ranges::find_if(
        graph_.threads, [&](const ThreadWait& other) { return other.rank == rank && other.thread == index; });
    const CallInFlight& call = *thread.in_flight;
    std::string text =
        fmt::format("{} {}{}{} {}", call.polls ? "polls" : "in", call_text(call, *wait),
                    call.inner.empty() ? "" : ", there in " + call.inner,
                    call.error.empty() ? "" : fmt::format(", which failed ({}),", call.error), since(rank, call.begin));
    if (!call.site.empty()) text += ", " + call.site;
    return text + "\n" + notes(rank, *wait);
  }

  static std::string call_text(const CallInFlight& call, const std::vector<std::string>& arguments) {
    return arguments.empty() ? call.name : fmt::format("{}({})", call.name, fmt::join(arguments, ", "));
  }

  std::string call_text(const CallInFlight& call, const ThreadWait& wait) const {
    std::vector<std::string> arguments;
    if (call.is_wait) return call_text(call, waited_for(wait));
    std::optional<std::uint32_t> comm;
    for (const Judged& judged : wait.needs) {
      if (const auto* send = std::get_if<Send>(&judged.need)) {
        arguments.push_back(fmt::format("to {}, tag {}, {}", send->dest, send->tag, format(Bytes{send->bytes})));
        comm = send->comm;
      } else if (const auto* receive = std::get_if<Receive>(&judged.need)) {
        arguments.push_back(fmt::format("from {}, tag {}", or_any(receive->source), or_any(receive->tag)));
        comm = receive->comm;
      } else if (const auto* collective = std::get_if<Collective>(&judged.need)) {
        if (collective->place.kind == Place::Kind::kComm) comm = collective->comm;
      }
    }
    if (!call.path.empty()) arguments.push_back(call.path);
    if (comm) arguments.push_back(comm_name(*comm));
    return call_text(call, arguments);
  }

  std::vector<std::string> waited_for(const ThreadWait& wait) const {
    std::vector<std::string> open, met;
    for (const Judged& judged : wait.needs) (judged.is_met ? met : open).push_back(need_text(judged));
    open.insert(open.end(), met.begin(), met.end());
    if (open.size() <= kShownNeeds) return open;
    const std::size_t more = open.size() - kShownNeeds;
    open.resize(kShownNeeds);
    open.push_back(fmt::format("{} more", more));
    return open;
  }

  std::string need_text(const Judged& judged) const {
    if (const auto* receive = std::get_if<Receive>(&judged.need))
      return fmt::format("a receive from {}, tag {}, {}", or_any(receive->source), or_any(receive->tag),
                         comm_name(receive->comm));
    if (const auto* send = std::get_if<Send>(&judged.need))
      return fmt::format("a send to {}, tag {}, {}, {}", send->dest, send->tag, format(Bytes{send->bytes}),
                         comm_name(send->comm));
    if (const auto* collective = std::get_if<Collective>(&judged.need))
      return fmt::format("{} on {}", collective->name, comm_name(collective->comm));
    return std::holds_alternative<FileRequest>(judged.need) ? "file I/O" : "a request";
  }

  // ---- Why it does not go on, where the call alone does not tell

  std::string notes(std::uint32_t rank, const ThreadWait& wait) const {
    std::string text;
    std::vector<std::uint32_t> ended;
    bool all_met = !wait.needs.empty();
    for (const Judged& judged : wait.needs) {
      all_met = all_met && judged.is_met;
      if (const auto* receive = std::get_if<Receive>(&judged.need); receive != nullptr && !judged.is_met)
        text += other_messages(rank, *receive);
      for (const Condition& condition : judged.conditions)
        for (const std::uint32_t other : condition.ranks)
          if (!condition.one_is_enough && graph_.ended.contains(other)) ended.push_back(other);
    }
    for (const std::uint32_t other : ended)
      text += fmt::format("    rank {} has ended, {}\n", other, s_.ranks[other].end);
    if (all_met) text += met_text(wait);
    return text;
  }

  static std::string met_text(const ThreadWait& wait) {
    const bool collective = std::holds_alternative<Collective>(wait.needs[0].need);
    const bool sends = std::holds_alternative<Send>(wait.needs[0].need);
    if (wait.needs.size() > 1) return "    all that it waits for has been done by the other ranks\n";
    return collective ? "    all ranks are in it, or have been\n"
           : sends    ? "    the receive for it has been posted\n"
                      : "    the message for it has been sent\n";
  }

  // Messages that lie there for this rank and that this receive does not take.
  std::string other_messages(std::uint32_t rank, const Receive& receive) const {
    std::string text;
    std::size_t shown = 0;
    for (const auto& [channel, count] : graph_.unreceived) {
      if (channel.dest != rank || (receive.source && channel.source != *receive.source)) continue;
      if (++shown > kShownNeeds) break;
      text += fmt::format("    rank {} has sent it {} that {} not received: tag {}, {}\n", channel.source,
                          count == 1 ? "a message" : fmt::format("{} messages", count), count == 1 ? "was" : "were",
                          channel.tag, comm_name(channel.comm));
    }
    return text;
  }

  const EndState& s_;
  WaitGraph graph_;
};

}  // namespace

std::string waiting_text(const EndState& end_state) { return Text(end_state).whole(); }

}  // namespace plumbline::record
