#include "replay/mpi/stuck.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "replay/mpi/engine_requests.hpp"
#include "replay/mpi/window_report.hpp"
#include "replay/mpi/windows.hpp"

namespace plumbline::replay {
namespace {

constexpr std::size_t kShownRanks = 20;
constexpr std::size_t kShownPeers = 8;

// One reason why a rank cannot go on.
struct Wait {
  std::optional<std::uint32_t> peer;  // the rank it waits for
  std::string text;
};

class StuckReport {
 public:
  StuckReport(const Program& program, const mpi::Engine& engine, const mpi::rma::Windows* windows,
              std::span<const StuckRank> stuck, std::span<const std::uint32_t> next)
      : program_(program), engine_(engine), windows_(windows), stuck_(stuck), next_(next), pending_(program.ranks()) {
    const auto requests = engine.requests;
    for (std::uint32_t id = 0; id < requests.size(); ++id) {
      const mpi::Request& request = requests[id];
      const bool wanted = request.waited || request.of_step;
      if (request.state == mpi::Request::State::kPending && wanted)
        pending_[mpi::rank_of(engine, request)].push_back(id);
    }
    for (const StuckRank& rank : stuck) waits_.push_back(waits_of(rank));
  }

  std::string text() const {
    std::string out =
        fmt::format("the replay cannot finish: {} of {} ranks wait for ever", stuck_.size(), program_.ranks());
    if (const std::string circle = circle_text(); !circle.empty()) out += "\n  in a circle: " + circle;
    for (std::size_t i = 0; i < std::min(stuck_.size(), kShownRanks); ++i) out += "\n  " + line(i);
    if (stuck_.size() > kShownRanks) out += fmt::format("\n  … and {} more", stuck_.size() - kShownRanks);
    return out;
  }

 private:
  const Operation& operation(const StuckRank& rank) const {
    return program_.rank(rank.rank).operations[rank.operation];
  }

  std::string line(std::size_t index) const {
    const StuckRank& rank = stuck_[index];
    const Operation& op = operation(rank);
    std::string out = fmt::format("rank {}: operation {}, {}", rank.rank, rank.operation, program_.call(op.call));
    if (op.site != kNone) out += fmt::format(" at {}", program_.site(op.site));
    out += ": waits for ";
    const std::vector<Wait>& waits = waits_[index];
    for (std::size_t i = 0; i < std::min(waits.size(), kShownPeers); ++i) out += (i == 0 ? "" : "; ") + waits[i].text;
    if (waits.size() > kShownPeers) out += fmt::format("; … and {} more", waits.size() - kShownPeers);
    if (waits.empty()) out += "something that nobody will do";
    return out;
  }

  std::vector<Wait> waits_of(const StuckRank& stuck) const {
    if (stuck.gathers) return missing_ranks(stuck);
    std::vector<Wait> waits;
    if (windows_ != nullptr)
      for (mpi::rma::Missing& missing : mpi::rma::missing(*windows_, stuck.rank))
        waits.push_back({missing.rank, std::move(missing.text)});
    if (!stuck.waits_for.empty()) waits.push_back({std::nullopt, stuck.waits_for});
    const mpi::RankState& state = engine_.rank(stuck.rank);
    if (state.probes) waits.push_back(missing_send(engine_.probes[stuck.rank]));
    std::map<std::uint32_t, mpi::Wildcards::Posted> wildcards;  // by request
    if (engine_.wildcards != nullptr)
      for (const mpi::Wildcards::Posted& posted : engine_.wildcards->posted(stuck.rank))
        wildcards.emplace(posted.request, posted);
    for (const std::uint32_t id : pending_[stuck.rank]) {
      const mpi::Request& request = engine_.requests[id];
      if (const auto any = wildcards.find(id); any != wildcards.end())
        waits.push_back({std::nullopt, fmt::format("a message from any rank (tag {}, communicator {})", any->second.tag,
                                                   any->second.comm)});
      if (state.receives && engine_.awaited[stuck.rank].request == id)
        waits.push_back(missing_send(engine_.awaited[stuck.rank].channel));
      if (request.message == kNone) continue;  // or a collective as a whole: its step is in the list too
      const mpi::Message& message = engine_.messages[request.message];
      if (message.send_request == kNone)
        waits.push_back(missing_send(message.channel));
      else if (message.receive_request == kNone)
        waits.push_back(missing_receive(message));
    }
    return waits;
  }

  Wait missing_send(const mpi::Channel& channel) const {
    const std::uint32_t peer = channel.source;
    if (channel.comm >= mpi::kInnerSpace) return {peer, fmt::format("rank {} in the same collective", peer)};
    std::string text = fmt::format("a message from rank {} (tag {}, communicator {})", peer, channel.tag, channel.comm);
    if (!has_left(peer, channel.receiver, channel, true)) text += fmt::format(", which rank {} never sends", peer);
    return {peer, text};
  }

  Wait missing_receive(const mpi::Message& message) const {
    const std::uint32_t peer = message.channel.receiver;
    if (message.channel.comm >= mpi::kInnerSpace) return {peer, fmt::format("rank {} in the same collective", peer)};
    std::string text = fmt::format("rank {} to receive its message of {} bytes (tag {}, communicator {})", peer,
                                   message.bytes, message.channel.tag, message.channel.comm);
    if (!has_left(peer, message.channel.source, message.channel, false))
      text += fmt::format(", which rank {} never does", peer);
    return {peer, text};
  }

  std::vector<Wait> missing_ranks(const StuckRank& stuck) const {
    std::vector<Wait> waits;
    for (const std::uint32_t rank : stuck.missing)
      waits.push_back({rank, fmt::format("rank {} in the same file access", rank)});
    return waits;
  }

  // Whether `rank` has an operation before it that would send to, or receive from, `peer` on this channel.
  bool has_left(std::uint32_t rank, std::uint32_t peer, const mpi::Channel& channel, bool sends) const {
    const RankProgram& own = program_.rank(rank);
    for (std::uint32_t i = next_[rank] + 1; i < own.operations.size(); ++i) {
      const Operation& op = own.operations[i];
      if (op.comm != channel.comm) continue;
      const bool both = op.kind == OpKind::kSendrecv;
      if (sends && (both || op.kind == OpKind::kSend || op.kind == OpKind::kIsend) && op.tag == channel.tag &&
          world(rank, op.comm, op.peer) == peer)
        return true;
      if (sends) continue;
      if ((op.kind == OpKind::kRecv || op.kind == OpKind::kIrecv) && op.tag == channel.tag &&
          world(rank, op.comm, op.peer) == peer)
        return true;
      if (both && own.sendrecvs[op.extra].tag == channel.tag &&
          world(rank, op.comm, own.sendrecvs[op.extra].source) == peer)
        return true;
    }
    return false;
  }

  std::optional<std::uint32_t> world(std::uint32_t rank, std::uint32_t comm, std::int32_t peer) const {
    if (peer == kNoPeer) return std::nullopt;
    return peers_of(program_.comm(comm), rank)[static_cast<std::size_t>(peer)];
  }

  // "rank 0 waits for rank 1, rank 1 waits for rank 0", following the first thing that each rank waits for.
  std::string circle_text() const {
    std::vector<std::uint32_t> target(program_.ranks(), kNone), seen(program_.ranks(), 0);
    for (std::size_t i = 0; i < stuck_.size(); ++i)
      if (!waits_[i].empty() && waits_[i].front().peer) target[stuck_[i].rank] = *waits_[i].front().peer;
    for (std::uint32_t walk = 0; walk < stuck_.size(); ++walk) {
      std::uint32_t rank = stuck_[walk].rank;
      while (target[rank] != kNone && seen[rank] == 0) {
        seen[rank] = walk + 1;
        rank = target[rank];
      }
      if (target[rank] != kNone && seen[rank] == walk + 1) return circle_from(rank, target);
    }
    return "";
  }

  static std::string circle_from(std::uint32_t first, const std::vector<std::uint32_t>& target) {
    std::vector<std::string> links;
    std::uint32_t rank = first;
    do {
      if (links.size() < kShownPeers) links.push_back(fmt::format("rank {} waits for rank {}", rank, target[rank]));
      if (links.size() == kShownPeers) links.push_back("…");
      rank = target[rank];
    } while (rank != first);
    return fmt::format("{}", fmt::join(links, ", "));
  }

  const Program& program_;
  const mpi::Engine& engine_;
  const mpi::rma::Windows* windows_;
  std::span<const StuckRank> stuck_;
  std::span<const std::uint32_t> next_;
  std::vector<std::vector<std::uint32_t>> pending_;  // requests, per rank
  std::vector<std::vector<Wait>> waits_;             // per stuck rank
};

// Where a limit of the user's left something out, that is the likely reason: its remark names the option.
std::string advice(const Program& program) {
  constexpr std::string_view kIncomplete = "incomplete: ";
  std::string_view remarks = program.property("remarks");
  while (!remarks.empty()) {
    const std::string_view remark = remarks.substr(0, std::min(remarks.find('\n'), remarks.size()));
    if (remark.starts_with(kIncomplete) && remark.find("(--") != remark.npos)
      return fmt::format("a replay needs the whole run, but {}", remark.substr(kIncomplete.size()));
    remarks.remove_prefix(std::min(remark.size() + 1, remarks.size()));
  }
  return "either the program hung here, or the recording is incomplete: record it again";
}

}  // namespace

void throw_stuck(const Program& program, const mpi::Engine& engine, const mpi::rma::Windows* windows,
                 std::span<const StuckRank> stuck, std::span<const std::uint32_t> next) {
  throw Stuck("", StuckReport(program, engine, windows, stuck, next).text(), advice(program));
}

}  // namespace plumbline::replay
