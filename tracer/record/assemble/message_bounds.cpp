#include "tracer/record/assemble/message_bounds.hpp"

#include <algorithm>
#include <compare>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/team/bytes.hpp"
#include "tracer/record/events/message_ends.hpp"

namespace plumbline::record {
namespace {

// One message, where it lies on the common time, and by how much it was received before it was sent.
struct Point {
  std::int64_t at_ps = 0, early_ps = 0;
  std::int64_t sent_ns = 0, received_ns = 0;
};

// Whoever keeps a straight line above these points keeps it above all that were added.
class Hull {
 public:
  void add(const Point& point) {
    points_.push_back(point);
    constexpr std::size_t kMany = 4096;
    if (points_.size() >= kMany + kept_) compact();
  }

  const std::vector<Point>& points() {
    compact();
    return points_;
  }

 private:
  static bool turns_left(const Point& a, const Point& b, const Point& c) {
    const double abx = static_cast<double>(b.at_ps - a.at_ps), aby = static_cast<double>(b.early_ps - a.early_ps);
    const double acx = static_cast<double>(c.at_ps - a.at_ps), acy = static_cast<double>(c.early_ps - a.early_ps);
    return abx * acy - aby * acx >= 0;
  }

  // The upper hull (Andrew's monotone chain).
  void compact() {
    std::ranges::sort(points_, {},
                      [](const Point& p) { return std::tuple(p.at_ps, p.early_ps, p.sent_ns, p.received_ns); });
    std::vector<Point> hull;
    for (const Point& point : points_) {
      while (hull.size() >= 2 && turns_left(hull[hull.size() - 2], hull.back(), point)) hull.pop_back();
      hull.push_back(point);
    }
    points_ = std::move(hull);
    kept_ = points_.size();
  }

  std::vector<Point> points_;
  std::size_t kept_ = 0;
};

// Of messages from one rank to another with one tag, whatever their communicator. The k-th to be received cannot be
// received before k have been sent, in whatever order MPI matched them.
struct Stream {
  std::deque<std::pair<std::int64_t, std::int64_t>> sent, received;  // common ps, node's ns
};

struct StreamName {
  std::uint32_t from = 0, to = 0;  // ranks
  std::int32_t tag = 0;

  auto operator<=>(const StreamName&) const = default;
};

// Which of so many processes matches it.
std::uint64_t matcher_of(const StreamName& name, std::uint32_t processes) {
  const std::uint64_t ranks = std::uint64_t{name.from} << 32 | name.to;
  const std::uint64_t mixed = (ranks ^ static_cast<std::uint32_t>(name.tag)) * 0x9e37'79b9'7f4a'7c15;
  return (mixed >> 32) % processes;
}

// Of messages from one node to another.
using Points = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Point>>;

// An end of a message of one rank.
struct End {
  std::int64_t at_ps = 0;
  std::uint32_t recording = 0;
  MessageEnd message;
};

// What a process has read of its recordings in a slice.
struct Read {
  std::vector<End> ends;
  std::vector<std::uint32_t> incomplete;  // recordings that have sent what cannot be described
};

template <class Io>
void fields(Io& io, Read& read) {
  io(read.ends, read.incomplete);
}

class Search {
 public:
  Search(const std::vector<Recording>& recordings, const std::vector<ProcessFacts>& facts, const Clocks& clocks,
         Processes& processes)
      : recordings_(recordings), clocks_(clocks), processes_(processes) {
    for (std::uint32_t i = 0; i < recordings.size(); ++i) {
      const pl_file_header& header = recordings[i].spool->header();
      clock_.push_back(clock_of(header));
      node_.push_back(node_number(clock_.back().node()));
      usable_.push_back(facts[i].switches.empty() && header.lost_records == 0 && header.end != PL_END_STOPPED);
      of_rank_[recordings[i].rank] = i;
      places_.emplace_back(recordings[i].is_own ? recordings[i].spool->threads() : 0);
      calls_ += facts[i].records;
      last_ticks_.push_back(facts[i].last_tick);
      ends_.emplace_back(facts[i], [this, i](const MessageEnd& message) { note(i, message); });
    }
  }

  std::vector<MessageBound> run() {
    constexpr std::uint64_t kCallsInASlice = 1 << 16;
    const auto [first, last] = extent();
    const auto slices = static_cast<std::int64_t>(calls_ / kCallsInASlice + 1);
    const std::int64_t step = (last - first) / slices + 1;
    for (std::int64_t slice = 1; slice <= slices; ++slice) {
      const bool is_last = slice == slices;  // of a process that was killed the header does not tell the end
      const std::int64_t until = is_last ? std::numeric_limits<std::int64_t>::max() : first + slice * step;
      take(read_until(until));
      match_until(until);
    }
    return bounds();
  }

 private:
  std::uint32_t node_number(const NodeClockName& name) {
    const auto found = std::ranges::find(nodes_, name);
    if (found != nodes_.end()) return static_cast<std::uint32_t>(found - nodes_.begin());
    nodes_.push_back(name);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  std::int64_t common_ps(std::uint32_t recording, std::uint64_t ticks) const {
    return clocks_.linear(clock_[recording]).ps(ticks);
  }

  std::pair<std::int64_t, std::int64_t> extent() const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max() / 2, last = -first;
    for (std::uint32_t i = 0; i < recordings_.size(); ++i) {
      const pl_file_header& header = recordings_[i].spool->header();
      first = std::min(first, common_ps(i, header.first.ticks));
      last = std::max(last, common_ps(i, last_ticks_[i]));
    }
    constexpr std::int64_t kLongest = std::int64_t{1} << 61;  // beyond is damage
    return {std::clamp(first, -kLongest, kLongest), std::clamp(std::max(first, last), -kLongest, kLongest)};
  }

  // Of this process's recordings.
  Read read_until(std::int64_t until_ps) {
    for (std::uint32_t i = 0; i < recordings_.size(); ++i) {
      if (!recordings_[i].is_own || !usable_[i]) continue;
      const std::uint64_t ticks = clocks_.linear(clock_[i]).ticks_at(until_ps);
      for (std::uint32_t thread = 0; thread < places_[i].size(); ++thread)
        recordings_[i].spool->for_each_before(ticks, thread, places_[i][thread],
                                              [&](const spool::Record& record) { ends_[i].take(record); });
      if (!ends_[i].complete()) read_.incomplete.push_back(i);
    }
    return std::exchange(read_, {});
  }

  // What all have read of the streams of this process, in the order of the recordings.
  void take(const Read& own) {
    const std::size_t before = waiting_.size();
    for (const std::string& bytes : processes_.exchange(to_bytes(own))) {
      const auto read = from_bytes<Read>(bytes);
      std::ranges::copy_if(read.ends, std::back_inserter(waiting_), [this](const End& end) {
        return matcher_of(stream_of(end), processes_.size()) == processes_.rank();
      });
      for (const std::uint32_t recording : read.incomplete) usable_[recording] = false;
    }
    const auto is_unusable = [this](const End& end) {
      return !usable_[end.recording] || !usable_[of_rank_.at(end.message.peer)];
    };
    waiting_.erase(std::remove_if(waiting_.begin() + static_cast<std::ptrdiff_t>(before), waiting_.end(), is_unusable),
                   waiting_.end());
  }

  void note(std::uint32_t recording, const MessageEnd& message) {
    if (!ends_[recording].complete()) return;
    const auto peer = of_rank_.find(message.peer);
    if (peer == of_rank_.end() || node_[peer->second] == node_[recording]) return;
    if (!usable_[peer->second]) return;
    read_.ends.push_back({common_ps(recording, message.ticks), recording, message});
  }

  // Ends of calls that began before the slice ended may lie behind it: they wait for what other threads do until then.
  void match_until(std::int64_t until_ps) {
    std::ranges::stable_sort(waiting_, {}, [](const End& end) { return std::pair(end.at_ps, end.recording); });
    const auto later = std::ranges::lower_bound(waiting_, until_ps, {}, &End::at_ps);
    for (auto end = waiting_.begin(); end != later; ++end) match(*end);
    waiting_.erase(waiting_.begin(), later);
  }

  StreamName stream_of(const End& end) const {
    const std::uint32_t own = recordings_[end.recording].rank, peer = end.message.peer;
    return end.message.is_send ? StreamName{own, peer, end.message.tag} : StreamName{peer, own, end.message.tag};
  }

  void match(const End& end) {
    const StreamName name = stream_of(end);
    Stream& stream = streams_[name];
    const std::int64_t node_ns = clocks_.node_ns(clock_[end.recording], end.message.ticks);
    (end.message.is_send ? stream.sent : stream.received).emplace_back(end.at_ps, node_ns);
    while (!stream.sent.empty() && !stream.received.empty()) {
      const auto [sent_ps, sent_ns] = stream.sent.front();
      const auto [received_ps, received_ns] = stream.received.front();
      hulls_[{node_[of_rank_.at(name.from)], node_[of_rank_.at(name.to)]}].add(
          {received_ps, sent_ps - received_ps, sent_ns, received_ns});
      stream.sent.pop_front();
      stream.received.pop_front();
    }
  }

  // The hull of all streams is that of the hulls of each process's.
  std::vector<MessageBound> bounds() {
    Points own;
    for (auto& [pair, hull] : hulls_) own[pair] = hull.points();
    std::map<std::pair<std::uint32_t, std::uint32_t>, Hull> hulls;
    for (const std::string& bytes : processes_.exchange(to_bytes(own)))
      for (const auto& [pair, points] : from_bytes<Points>(bytes))
        for (const Point& point : points) hulls[pair].add(point);
    std::vector<MessageBound> all;
    for (auto& [pair, hull] : hulls)
      for (const Point& point : hull.points())
        all.push_back({nodes_[pair.first], nodes_[pair.second], point.sent_ns, point.received_ns});
    return all;
  }

  const std::vector<Recording>& recordings_;
  const Clocks& clocks_;
  Processes& processes_;
  std::vector<NodeClockName> nodes_;
  std::vector<ClockId> clock_;  // by recording, as all that follows
  std::vector<std::uint32_t> node_;
  std::vector<bool> usable_;
  std::vector<std::vector<spool::Spool::Place>> places_;  // by thread
  std::vector<MessageEnds> ends_;
  std::map<std::uint32_t, std::uint32_t> of_rank_;
  std::vector<std::uint64_t> last_ticks_;
  std::uint64_t calls_ = 0;
  Read read_;  // so far, of the slice that is read
  std::vector<End> waiting_;
  std::map<StreamName, Stream> streams_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Hull> hulls_;
};

}  // namespace

std::vector<MessageBound> message_bounds(const std::vector<Recording>& recordings,
                                         const std::vector<ProcessFacts>& facts, const Clocks& clocks,
                                         Processes& processes) {
  return Search(recordings, facts, clocks, processes).run();
}

}  // namespace plumbline::record
