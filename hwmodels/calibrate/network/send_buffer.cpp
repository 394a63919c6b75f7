#include "hwmodels/calibrate/network/send_buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/quantity.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/network/packets/store_and_forward.hpp"
#include "hwmodels/topology/topology.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr double kSeen = 0.2;   // of the time of the smallest message that waits; less is none
constexpr double kFull = 0.95;  // of the time of a message: all of it was buffered
constexpr double kSpreads = 3;  // a rest is seen beyond so many of them

double in_ns(Duration duration) { return static_cast<double>(duration.ps) / 1000; }

// One size. Times in ns.
struct Rest {
  double size = 0, measured = 0, uncertain = 0;
  double on_the_way = 0;  // of what was measured
  double whole = 0;       // of the way: all of the message

  bool all_fits() const { return on_the_way >= kFull * whole; }
  Bytes bytes() const { return {static_cast<std::uint64_t>(size)}; }
};

// Two nodes of which the rest was measured.
std::optional<std::pair<std::uint32_t, std::uint32_t>> measured_pair(const Observations& observations) {
  for (const auto& [experiment, figure] : observations.figures)
    if (experiment.operation == "overheads" && experiment.part == "rest" &&
        experiment.places[0].node != experiment.places[1].node)
      return std::pair{experiment.places[0].node, experiment.places[1].node};
  return std::nullopt;
}

class SendBufferFitter {
 public:
  SendBufferFitter(const Platform& platform, std::uint32_t from, std::uint32_t to, const Curve& rests,
                   const Curve& one_way)
      : platform_(platform), way_(platform, from, to), answer_(answer_of(to, from)) {
    for (const auto& [bytes, figure] : rests) rests_.push_back(rest_of(bytes, figure, one_way));
  }

  bool sees_any() const {
    const Rest& smallest = rests_.front();
    return smallest.on_the_way > std::max(kSpreads * smallest.uncertain, kSeen * smallest.whole);
  }

  // Sizes that were buffered whole say no more than that; where all were, the largest is all that is known.
  Parameter<Bytes> fit(const std::string& source) const {
    std::vector<Rest> beyond;
    double least = 0;  // that the bytes of the buffer take on the way
    for (const Rest& each : rests_) {
      if (each.all_fits())
        least = kFull * each.whole;
      else
        beyond.push_back(each);
    }
    if (beyond.empty()) return {rests_.back().bytes(), 0, source + "; at least, no larger message was measured"};
    take_out_receiver(beyond);
    const double most = beyond.front().whole;
    std::vector<double> buffers, spreads;
    for (const Rest& each : beyond) {
      const double on_the_way = std::clamp(each.on_the_way, std::min(least, most), most);
      const Duration rest = duration_from_seconds(on_the_way * 1e-9);
      buffers.push_back(static_cast<double>(way_.buffer_of(each.bytes(), rest).count));
      spreads.push_back(each.uncertain / on_the_way);
    }
    const double middle = median(buffers), packet = static_cast<double>(platform_.packets.granularity.count);
    const auto [least_found, most_found] = std::ranges::minmax(buffers);  // kernels let it grow with what is sent
    const double spread = std::max(median(spreads), (most_found - least_found) / 2 / middle) + packet / 2 / middle;
    return {Bytes{static_cast<std::uint64_t>(std::llround(middle))}, std::min(1.0, spread), source};
  }

 private:
  Rest rest_of(std::uint64_t bytes, const Figure& figure, const Curve& one_way) const {
    const Bytes size{bytes};
    Rest rest;
    rest.size = static_cast<double>(bytes);
    rest.measured = figure.value;
    rest.uncertain = figure.spread * figure.value + typical_spread(one_way) * value_at(one_way, rest.size);
    rest.on_the_way = figure.value - fixed_ns(size) - in_ns(bytes_of_receiver(size));
    rest.whole = in_ns(way_.of(size, size));
    return rest;
  }

  // A receiver that takes time for each byte makes rests of larger messages longer. Where it is known to, the rests
  // tell how much: the ranges may have given some of it to the cables, or of theirs to it.
  void take_out_receiver(std::vector<Rest>& beyond) const {
    if (beyond.size() == 1 || !range_of(platform_.between, beyond.front().bytes()).receive_rate) return;
    std::vector<Point> points;
    for (const Rest& each : beyond) points.push_back({each.size, each.measured});
    const double of_byte = fit_line(points).slope;
    for (Rest& each : beyond) each.on_the_way = each.measured - fixed_ns(each.bytes()) - of_byte * each.size;
  }

  // What passes whatever the size: what the protocol does behind the data, the receiver's call and the answer.
  double fixed_ns(Bytes size) const {
    const MessageRange& range = range_of(platform_.between, size);
    const Duration behind = range.latency.value - range_of(platform_.between, Bytes{0}).latency.value;
    return in_ns(std::max(behind, Duration{}) + range.receive.value + answer_);
  }

  Duration bytes_of_receiver(Bytes size) const {
    const MessageRange& range = range_of(platform_.between, size);
    return range.receive_rate ? transfer_time(size, range.receive_rate->value) : Duration{};
  }

  Duration answer_of(std::uint32_t from, std::uint32_t to) const {
    Topology topology(platform_);
    const MessageRange& range = range_of(platform_.between, Bytes{0});
    return range.send.value + range.latency.value + range.receive.value +
           idle_time(topology, topology.hops(topology.endpoint(from, 0), topology.endpoint(to, 0)), Bytes{0},
                     platform_.packets);
  }

  const Platform& platform_;
  RestOnTheWay way_;
  Duration answer_;
  std::vector<Rest> rests_;
};

}  // namespace

Duration RestOnTheWay::of(Bytes size, Bytes buffer) const {
  if (buffer.count == 0) return {};
  Topology topology(platform_);
  StoreAndForward network(topology, platform_.packets, {.holds = false});
  sim::EventQueue queue;
  network.send(0, topology.endpoint(from_, 0), topology.endpoint(to_, 0), size, 0, 0, Time{}, queue,
               {.tells_sent = false, .buffer = buffer});
  Time free, delivered;
  std::vector<Notification> notes;
  while (!queue.empty()) {
    const sim::Event event = queue.pop();
    notes.clear();
    network.handle(event, queue, notes);
    for (const Notification& note : notes) (note.kind == Notification::Kind::kBuffered ? free : delivered) = event.at;
  }
  return delivered - free;
}

// The least buffer, up to the whole message, with which it is longer than `rest`. It grows where one packet less has to
// leave: the packets that have to are what is looked for.
std::uint64_t RestOnTheWay::first_with(Bytes size, Duration rest) const {
  const std::uint64_t packet = platform_.packets.granularity.count;
  const auto behind = [&](std::uint64_t packets) {  // a buffer of none would not be one
    return packets * packet < size.count ? size.count - packets * packet : 1;
  };
  std::uint64_t longer = 0, not_longer = (size.count + packet - 1) / packet + 1;
  while (longer + 1 < not_longer) {
    const std::uint64_t middle = longer + (not_longer - longer) / 2;
    (of(size, Bytes{behind(middle)}) > rest ? longer : not_longer) = middle;
  }
  return behind(longer);
}

// It grows by whole packets: half a step on either side of a step is as near to it as to the next.
Bytes RestOnTheWay::buffer_of(Bytes size, Duration rest) const {
  if (rest >= of(size, size)) return size;
  const std::uint64_t beyond = first_with(size, rest);
  const Duration above = of(size, Bytes{beyond});
  const std::uint64_t granularity = platform_.packets.granularity.count;
  const Duration below = beyond > granularity ? of(size, Bytes{beyond - granularity}) : Duration{};
  const double part = above > below ? std::clamp(in_ns(rest - below) / in_ns(above - below), 0.0, 1.0) : 0;
  const double middle = static_cast<double>(beyond) + (part - 0.5) * static_cast<double>(granularity);
  return {static_cast<std::uint64_t>(std::clamp(middle, 1.0, static_cast<double>(size.count)))};
}

namespace {

// Some eager sends wait, too, until the receiver's library looks; they are free when it has, whatever is buffered.
Curve of_rendezvous(Curve rests, const Transport& transport) {
  std::erase_if(rests, [&](const auto& each) {
    return range_of(transport, Bytes{each.first}).protocol != Protocol::kRendezvous;
  });
  return rests;
}

}  // namespace

Parameter<Bytes> fit_send_buffer(const Structure& structure, const Observations& observations, const Platform& platform,
                                 const std::string& source, std::vector<std::string>& notes) {
  const auto pair = measured_pair(observations);
  const Curve rests =
      of_rendezvous(centre_of_kind(structure, observations, "overheads", "rest", PairKind::kNear), platform.between);
  if (!pair || rests.empty()) return {};
  const SendBufferFitter fitter(platform, pair->first, pair->second, rests, structure.curve(structure.measured_best()));
  if (!fitter.sees_any()) return {};
  std::uint32_t repetitions = 0;
  for (const auto& [bytes, figure] : rests) repetitions += figure.repetitions;
  const Parameter<Bytes> found = fitter.fit(fmt::format(
      "{}: what was still to leave when a send returned, {} sizes, {} repetitions", source, rests.size(), repetitions));
  notes.push_back(fmt::format("senders between nodes are free when no more than {} of their data is still to leave",
                              format(found.value)));
  return found;
}

}  // namespace plumbline::hw::calibration
