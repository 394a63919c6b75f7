#include "hwmodels/calibrate/node/inside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "hwmodels/calibrate/assumed.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/node/socket_gap.hpp"
#include "hwmodels/calibrate/structure/streams.hpp"
#include "hwmodels/calibrate/transport.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::uint64_t kManyPackets = 8;  // of a message, so that the size of its last one matters little

// Each median of a run as a sample, each run as a round.
void add(const Curve& curve, std::string_view name, bench::Measurements& into) {
  for (const auto& [size, figure] : curve)
    for (std::size_t run = 0; run < figure.runs.size(); ++run)
      bench::series(into, name, "ns").samples.push_back({size, static_cast<std::uint32_t>(run), 0, figure.runs[run]});
}

// How long sends that waited took, of which only is known what passed from their return to an answer.
Curve sends_met(const Curve& rests, const Curve& times) {
  Curve sends;
  for (const auto& [size, rest] : rests) {
    if (size > times.rbegin()->first) break;
    const double trips = value_at(times, static_cast<double>(size)) + value_at(times, 0);
    Figure send = rest;
    send.value = trips - rest.value;
    for (double& run : send.runs) run = trips - run;
    if (send.value > 0) sends.emplace(size, std::move(send));
  }
  return sends;
}

// Where sockets are told apart, of rings over several of them nobody knows what each carried.
Curve both_ways_inside(const Structure& structure, const Observations& observations) {
  if (!structure.sockets.anywhere())
    return centre_of_kind(structure, observations, "streams", "both", PairKind::kInside);
  Observations of_two;
  for (const auto& [experiment, figure] : observations.figures)
    if (experiment.in_flight == 2) of_two.figures.emplace(experiment, figure);
  return centre_of_kind(structure, of_two, "streams", "both", PairKind::kInside);
}

// The most that streams inside of a node carried together: nothing makes memory faster than it is.
Parameter<BytesPerSecond> memory_rate(const Structure& structure, const Observations& observations, const Curve& times,
                                      const std::string& source) {
  std::vector<double> alone, both;
  const Streams streams(observations, structure.one_way);
  for (const StreamRate& stream : streams.alone())
    if (structure.kind(stream.from, stream.to) == PairKind::kInside) alone.push_back(stream.rate);
  for (const auto& [bytes, figure] : both_ways_inside(structure, observations))
    both.push_back(2e9 * static_cast<double>(bytes) / figure.value);  // of a message each way
  const auto rate = [](double value) { return BytesPerSecond{static_cast<std::uint64_t>(std::llround(value))}; };
  if (!alone.empty() || !both.empty()) {
    const double most = std::max(alone.empty() ? 0 : median(alone), both.empty() ? 0 : median(both));
    return {rate(most), alone.size() > 1 ? spread_of_median(alone) : typical_spread(times),
            fmt::format("{}: streams inside of a node, {} alone, {} in both directions", source, alone.size(),
                        both.size())};
  }
  std::vector<Point> large = points_of(times);
  const double upper = large.back().size / 16;
  std::erase_if(large, [&](const Point& point) { return point.size < upper; });
  const Line line = fit_line(large, {0, 1e-6});
  return {rate(1e9 / line.slope), largest_deviation(line, large),
          fmt::format("{}: growth of round trips, {} sizes", source, large.size())};
}

void assume(Calibration& into) {
  if (into.platform.between.ranges.empty())
    throw Error("", fmt::format("messages were measured at fewer than {} sizes", kFewestInside), "measure `prtt`",
                ExitCode::kTooNoisy);
  into.notes.push_back("no node had two ranks: messages inside of nodes, and memory, are assumed, not measured");
  MessageRange range = into.platform.between.ranges.front();
  range.upto.reset();
  range.protocol = Protocol::kEager;
  range.latency = {};
  for (Parameter<Duration>* const call : {&range.send, &range.receive}) {
    call->spread = 1;
    call->source = "assumed: the call as between nodes";
  }
  range.latency.source = "assumed";
  range.send_rate.reset();
  range.receive_rate.reset();
  into.platform.inside.ranges = {range};
  for (Node& node : into.platform.nodes)
    if (node.memory_rate.value.count == 0) node.memory_rate = assumed_memory_rate();
}

Figure less(Figure figure, double ns) {
  figure.value -= ns;
  for (double& run : figure.runs) run -= ns;
  return figure;
}

void add_from_across(const Structure& structure, const Observations& observations, const SocketGroup& group,
                     Bytes packet, Curve& times) {
  const SocketGap gap = fit_gap(group, packet, rendezvous_inside(structure, observations));
  for (const auto& [size, figure] : structure.curve(PairKind::kOtherSocket)) {
    const bool several = size > packet.count, many = size >= kManyPackets * packet.count;
    const bool is_known = !several || (many && gap.beyond);
    if (is_known && figure.value > gap.at(size)) times.emplace(size, less(figure, gap.at(size)));
  }
}

}  // namespace

Curve times_inside(const Structure& structure, const Observations& observations, Bytes packet) {
  Curve times = structure.curve(PairKind::kInside);
  for (const SocketGroup& group : structure.sockets.groups)
    if (group.apart && times.size() < kFewestInside) add_from_across(structure, observations, group, packet, times);
  return times;
}

std::optional<std::uint64_t> rendezvous_inside(const Structure& structure, const Observations& observations) {
  return first_waiting(centre_of_kind(structure, observations, "protocol", "late", PairKind::kInside));
}

void fit_inside(const Structure& structure, const Observations& observations, const std::string& source,
                Calibration& into) {
  const Curve times = times_inside(structure, observations, into.platform.packets.granularity);
  if (times.size() < kFewestInside) {
    if (!times.empty())
      into.notes.push_back(
          fmt::format("only {} sizes were measured inside of nodes, {} are needed", times.size(), kFewestInside));
    return assume(into);
  }
  bench::Measurements measurements;
  add(times, bench::kPingPong, measurements);
  add(centre_of_kind(structure, observations, "overheads", "send", PairKind::kInside), bench::kSend, measurements);
  add(centre_of_kind(structure, observations, "overheads", "isend", PairKind::kInside), bench::kIsend, measurements);
  add(centre_of_kind(structure, observations, "overheads", "receive", PairKind::kInside), bench::kReceive,
      measurements);
  add(sends_met(centre_of_kind(structure, observations, "overheads", "rest", PairKind::kInside), times),
      bench::kSendMet, measurements);
  const Curve late = centre_of_kind(structure, observations, "protocol", "late", PairKind::kInside);
  add(late, bench::kSendLate, measurements);
  if (!late.empty()) measurements.environment.late_ns = late.begin()->second.wait;
  const bool given = into.platform.nodes.front().memory_rate.value.count > 0;
  if (!given) into.platform.nodes.front().memory_rate = memory_rate(structure, observations, times, source);
  fit_transport(measurements, source, into);
  if (given) return;
  for (Node& node : into.platform.nodes) node.memory_rate = into.platform.nodes.front().memory_rate;
}

}  // namespace plumbline::hw::calibration
