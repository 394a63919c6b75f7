#include "tests/hwmodels/calibrate/synthetic_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hwmodels/topology/topology.hpp"
#include "tests/hwmodels/network_world.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::uint32_t kMessages = 8;  // of a train or stream
constexpr std::uint64_t kStreamBytes = 32'768;
constexpr double kLate = 5e6;  // ns

template <class T>
Parameter<T> exact(T value) {
  return {value, 0, ""};
}

double nanoseconds_of(Duration duration) { return static_cast<double>(duration.ps) / 1000; }

std::vector<std::uint64_t> dense_sizes(std::uint64_t eager) {
  std::vector<std::uint64_t> sizes = {1, 2, 4, 8, eager, eager + 1};
  for (double size = 16; size <= 1 << 20; size *= std::sqrt(2.0))
    sizes.push_back(static_cast<std::uint64_t>(std::llround(size)));
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

MessageRange range(Duration send, Duration receive, Duration latency, BytesPerSecond copies) {
  MessageRange range;
  range.send = exact(send);
  range.receive = exact(receive);
  range.latency = exact(latency);
  range.send_rate = exact(copies);
  range.receive_rate = exact(copies);
  return range;
}

}  // namespace

bench::Cell cell_of(const char* operation, const char* part, std::uint64_t bytes, std::vector<std::uint32_t> ranks,
                    std::map<std::string, double> numbers) {
  bench::Cell cell;
  cell.operation = operation;
  cell.bytes = bytes;
  cell.ranks = std::move(ranks);
  cell.numbers = std::move(numbers);
  if (*part != 0) cell.words = {{"part", part}};
  return cell;
}

Platform platform_of(const Tree& tree) {
  Platform platform;
  std::vector<std::uint32_t> group_of;
  for (std::uint32_t group = 0; group < tree.groups.size(); ++group)
    for (std::uint32_t i = 0; i < tree.groups[group]; ++i) group_of.push_back(group);
  const auto nodes = static_cast<std::uint32_t>(group_of.size());
  const BytesPerSecond plenty{tree.link.count * 1000};
  for (std::uint32_t node = 0; node < nodes; ++node) {
    Node& added = platform.nodes.emplace_back();
    added.name = fmt::format("n{}", node);
    added.memory_rate = exact(BytesPerSecond{10'000'000'000});
    added.interface_rate = exact(plenty);
  }
  const auto groups = static_cast<std::uint32_t>(tree.groups.size());
  for (std::uint32_t group = 0; group < groups; ++group)
    platform.switches.push_back({fmt::format("s{}", group), exact(plenty)});
  for (std::uint32_t node = 0; node < nodes; ++node)
    platform.edges.push_back({fmt::format("n{}-s{}", node, group_of[node]), node, nodes + group_of[node],
                              exact(tree.link_latency), exact(tree.link)});
  if (groups == 2)
    platform.edges.push_back({"s0-s1", nodes, nodes + 1, exact(tree.uplink_latency), exact(tree.uplink)});
  if (groups > 2) {
    platform.switches.push_back({"core", exact(plenty)});
    for (std::uint32_t group = 0; group < groups; ++group)
      platform.edges.push_back({fmt::format("s{}-core", group), nodes + group, nodes + groups,
                                exact(tree.uplink_latency), exact(tree.uplink)});
  }
  platform.packets.granularity = tree.packet;
  MessageRange eager = range(microseconds(8), microseconds(10), {}, BytesPerSecond{2'000'000'000});
  eager.upto = tree.eager;
  MessageRange rendezvous = range(microseconds(8), microseconds(10), microseconds(3), BytesPerSecond{2'000'000'000});
  rendezvous.send_rate.reset();
  rendezvous.protocol = Protocol::kRendezvous;
  platform.between.ranges = {eager, rendezvous};
  platform.inside.ranges = {
      range(nanoseconds(300), nanoseconds(350), nanoseconds(100), BytesPerSecond{20'000'000'000})};
  return platform;
}

Edge& edge_of(Platform& platform, const std::string& name) {
  for (Edge& edge : platform.edges)
    if (edge.name == name) return edge;
  throw std::out_of_range(name);
}

SyntheticMeasurer::SyntheticMeasurer(Platform truth, const Noise& noise, std::uint32_t per_node)
    : truth_(std::move(truth)), noise_(noise), per_node_(per_node), random_(noise.seed) {}

void SyntheticMeasurer::slow_down(std::uint32_t node, bool out, double times) { slow_sides_[{node, out}] = times; }

void SyntheticMeasurer::slow_pair(std::uint32_t a, std::uint32_t b, double times) { slow_pairs_[{a, b}] = times; }

const Transport& SyntheticMeasurer::transport(std::uint32_t a, std::uint32_t b) const {
  return transport_of(truth_, a, b);
}

double SyntheticMeasurer::send_ns(std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const {
  const MessageRange& of = range_of(transport(a, b), Bytes{bytes});
  return nanoseconds_of(of.send.value) +
         (of.send_rate ? nanoseconds_of(transfer_time(Bytes{bytes}, of.send_rate->value)) : 0);
}

double SyntheticMeasurer::receive_ns(std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const {
  const MessageRange& of = range_of(transport(a, b), Bytes{bytes});
  return nanoseconds_of(of.receive.value) +
         (of.receive_rate ? nanoseconds_of(transfer_time(Bytes{bytes}, of.receive_rate->value)) : 0);
}

bool SyntheticMeasurer::waits(std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const {
  return range_of(transport(a, b), Bytes{bytes}).protocol == Protocol::kRendezvous;
}

double SyntheticMeasurer::handshake_ns(std::uint32_t a, std::uint32_t b) const { return 2 * one_way_ns(a, b, 0); }

double SyntheticMeasurer::one_way_ns(std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const {
  Topology topology(truth_);
  const double route = nanoseconds_of(idle_time(
      topology, topology.hops(topology.endpoint(a, 0), topology.endpoint(b, 0)), Bytes{bytes}, truth_.packets));
  const double way = nanoseconds_of(range_of(transport(a, b), Bytes{bytes}).latency.value);
  return send_ns(a, b, bytes) + way + route + receive_ns(a, b, bytes) + (waits(a, b, bytes) ? handshake_ns(a, b) : 0);
}

// Of each stream, from when all begin to when its sender has heard that all has been received.
std::vector<double> SyntheticMeasurer::stream_ns(const std::vector<Stream>& streams, std::uint32_t messages,
                                                 std::uint64_t bytes) const {
  NetworkWorld world(Topology(truth_), truth_.packets);
  for (std::uint32_t i = 0; i < messages; ++i) {
    for (std::uint32_t k = 0; k < streams.size(); ++k) {
      const Stream& of = streams[k];
      const double before = waits(of.from, of.to, bytes) ? handshake_ns(of.from, of.to) : 0;
      const double at = before + (i + 1) * send_ns(of.from, of.to, bytes);
      world.send({static_cast<std::uint32_t>(k * messages + i), of.from, of.to, Bytes{bytes},
                  Time{static_cast<std::int64_t>(at * 1000)}});
    }
  }
  world.run();
  std::vector<double> took;
  for (std::uint32_t k = 0; k < streams.size(); ++k) {
    const Stream& of = streams[k];
    const double way = nanoseconds_of(range_of(transport(of.from, of.to), Bytes{bytes}).latency.value);
    double free = 0;
    for (std::uint32_t i = 0; i < messages; ++i)
      free = std::max(free, static_cast<double>(world.delivered(k * messages + i).ps) / 1000 + way) +
             receive_ns(of.from, of.to, bytes);
    took.push_back(free + one_way_ns(of.to, of.from, 0));  // the receiver says that all is there
  }
  return took;
}

double SyntheticMeasurer::slowness(std::uint32_t a, std::uint32_t b) const {
  const auto of = [](const auto& map, const auto& key) {
    const auto found = map.find(key);
    return found == map.end() ? 1.0 : found->second;
  };
  return std::max(of(slow_sides_, std::pair{a, true}), of(slow_sides_, std::pair{b, false})) *
         of(slow_pairs_, std::pair{a, b});
}

std::uint32_t SyntheticMeasurer::group_of(std::uint32_t node) const {
  for (const Edge& edge : truth_.edges)
    if (edge.from == node) return edge.to;
  return 0;
}

// The first pair of nodes, as families choose it.
std::vector<std::pair<std::uint32_t, std::uint32_t>> SyntheticMeasurer::examples() const {
  if (truth_.nodes.size() < 2) return {};
  return {{0, 1}};
}

// `cell.ranks` are nodes here; each has its first rank do it.
void SyntheticMeasurer::give(bench::Cell cell, double ns, const Effort& effort) {
  std::normal_distribution<double> normal(0, 1);
  double factor = 1;
  if (cell.ranks.size() == 2) {
    const auto pair = std::minmax(cell.ranks[0], cell.ranks[1]);
    factor = pair_factors_.try_emplace(pair, 1 + noise_.pairs * normal(random_)).first->second;
  }
  for (std::uint32_t& rank : cell.ranks) rank *= per_node_;
  give_runs(std::move(cell), ns * factor, effort);
}

void SyntheticMeasurer::give_runs(bench::Cell cell, double ns, const Effort& effort, std::uint32_t first_run) {
  std::normal_distribution<double> normal(0, 1);
  for (std::uint32_t run = 0; run < effort.runs; ++run) {
    cell.run = first_run + run;
    cell.seconds.clear();
    const double of_run = 1 + noise_.runs * normal(random_);
    for (std::uint32_t i = 0; i < effort.repetitions; ++i)
      cell.seconds.push_back(ns * 1e-9 * of_run * (1 + noise_.repetitions * std::abs(normal(random_))));
    cell.flags.assign(cell.seconds.size(), 0);
    campaign_.cells.push_back(cell);
  }
}

void SyntheticMeasurer::measure_trips(const Effort& effort) {
  for (std::uint32_t a = 0; a < truth_.nodes.size(); ++a)
    for (std::uint32_t b = a + 1; b < truth_.nodes.size(); ++b)
      for (const std::uint64_t bytes : {1, 1024})
        give(cell_of("pairs", "", bytes, {a, b}), one_way_ns(a, b, bytes) + one_way_ns(b, a, bytes), effort);
}

void SyntheticMeasurer::measure_trains(std::uint32_t a, std::uint32_t b, const Effort& effort) {
  const std::uint64_t eager = transport(a, b).ranges.front().upto.value_or(Bytes{1 << 30}).count;
  for (const std::uint64_t bytes : dense_sizes(eager)) {
    const double there = one_way_ns(a, b, bytes), back = one_way_ns(b, a, bytes), one = there + back;
    const double many = stream_ns({{a, b}}, kMessages, bytes)[0] - one_way_ns(b, a, 0) + back;
    const auto cell = [&](const char* part, double delay) {
      return cell_of("prtt", part, bytes, {a, b}, {{"messages", kMessages}, {"delay_ns", delay}});
    };
    give(cell("one", 0), one, effort);
    give(cell("many", 0), many, effort);
    give(cell("spaced", one), one + (kMessages - 1) * (one + send_ns(a, b, bytes)), effort);
    give(cell("receives", one), (kMessages - 1) * (one + receive_ns(a, b, bytes)), effort);
  }
}

void SyntheticMeasurer::measure_calls(const Effort& effort) {
  for (const auto& [a, b] : examples()) {
    const std::uint64_t eager = transport(a, b).ranges.front().upto.value_or(Bytes{1 << 30}).count;
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{256}, std::uint64_t{4096}, eager / 2, eager}) {
      for (const char* const part : {"send", "receive"}) {
        give(cell_of("overheads", part, bytes, {a, b}),
             part == std::string("send") ? send_ns(a, b, bytes) : receive_ns(a, b, bytes), effort);
      }
    }
    for (const std::uint64_t bytes : {std::uint64_t{1}, eager / 2, eager, eager + 1, 2 * eager}) {
      give(cell_of("protocol", "late", bytes, {a, b}, {{"late_ns", kLate}}),
           waits(a, b, bytes) ? kLate + one_way_ns(a, b, bytes) - rest_ns(a, b, bytes) : send_ns(a, b, bytes), effort);
    }
  }
}

double SyntheticMeasurer::rest_ns(std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const {
  const Bytes buffer = waits(a, b, bytes) ? transport(a, b).send_buffer.value : Bytes{bytes};
  if (buffer.count == 0) return 0;
  NetworkWorld world(Topology(truth_), truth_.packets);
  world.send({0, a, b, Bytes{bytes}, Time{}, buffer});
  world.run();
  const Duration behind =
      range_of(transport(a, b), Bytes{bytes}).latency.value - transport(a, b).ranges[0].latency.value;
  return nanoseconds_of(world.delivered(0) - world.buffered(0) + std::max(behind, Duration{}));
}

// Behind all others, whose noise is so the same whether this is measured or not. An eager one is measured where its
// send waits for the receiver's library to look: all of it is still to leave then.
void SyntheticMeasurer::measure_rests(const Effort& effort) {
  for (const auto& [a, b] : examples()) {
    const std::uint64_t eager = transport(a, b).ranges.front().upto.value_or(Bytes{1 << 30}).count;
    for (const std::uint64_t bytes : {eager / 2, eager + 1, 2 * eager, 4 * eager, 8 * eager, 16 * eager}) {
      give(cell_of("overheads", "rest", bytes, {a, b}),
           rest_ns(a, b, bytes) + receive_ns(a, b, bytes) + one_way_ns(b, a, 0), effort);
    }
  }
}

// Each node sends to the one so far behind it.
std::vector<SyntheticMeasurer::Stream> SyntheticMeasurer::shifted(std::uint32_t nodes, std::uint32_t shift) {
  std::vector<Stream> streams;
  for (std::uint32_t node = 0; node < nodes; ++node) streams.push_back({node, (node + shift) % nodes});
  return streams;
}

// Of a round-robin of an even number of nodes: nobody sends and receives.
std::vector<SyntheticMeasurer::Stream> SyntheticMeasurer::pairs_one_way(std::uint32_t nodes, std::uint32_t round) {
  const std::uint32_t circle = nodes - 1;
  std::vector<Stream> streams = {{circle, round}};
  for (std::uint32_t i = 1; i < nodes / 2; ++i)
    streams.push_back({(round + i) % circle, (round + circle - i) % circle});
  for (std::uint32_t i = 0; i < streams.size(); ++i)
    if ((round + i) % 2 == 0) std::swap(streams[i].from, streams[i].to);
  return streams;
}

// Each pair and direction alone, neighbours both ways, and all nodes at once, each sending to the one `shift` behind
// it.
void SyntheticMeasurer::measure_streams(const Effort& effort) {
  const auto nodes = static_cast<std::uint32_t>(truth_.nodes.size());
  if (effort.rings) {
    for (std::uint32_t a = 0; a < nodes; ++a) give_stream("alone", {{a, (a + 1) % nodes}}, effort);
    give_round("both", shifted(nodes, 1), 0, effort);
  }
  for (std::uint32_t a = 0; !effort.rings && a < nodes; ++a) {
    for (std::uint32_t b = 0; b < nodes; ++b) {
      if (a == b) continue;
      give_stream("alone", {{a, b}}, effort);
      if (b == a + 1) give_stream("both", {{a, b}, {b, a}}, effort);
    }
  }
  if (!effort.loaded) return;
  std::uint32_t rounds = 0;
  for (std::uint32_t shift = 1; shift < nodes; ++shift) give_round("all", shifted(nodes, shift), rounds++, effort);
  for (std::uint32_t i = 0; effort.rings && i + 1 < nodes; ++i)
    give_round("all", pairs_one_way(nodes, i), rounds++, effort);
}

void SyntheticMeasurer::give_round(const char* part, const std::vector<Stream>& streams, std::uint32_t round,
                                   const Effort& effort) {
  const std::vector<double> took = stream_ns(streams, kMessages, kStreamBytes);
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const Stream& own = streams[i];
    give(cell_of("streams", part, kStreamBytes, {own.from, own.to}, {{"messages", kMessages}, {"round", round}}),
         took[i] * slowness(own.from, own.to), effort);
  }
}

// The first of the streams.
void SyntheticMeasurer::give_stream(const char* part, const std::vector<Stream>& streams, const Effort& effort) {
  const Stream& own = streams.front();
  std::map<std::string, double> numbers = {{"messages", kMessages}};
  if (part == std::string("against")) {
    numbers["other_a"] = streams[1].from * per_node_;
    numbers["other_b"] = streams[1].to * per_node_;
  }
  give(cell_of("streams", part, kStreamBytes, {own.from, own.to}, numbers),
       stream_ns(streams, kMessages, kStreamBytes)[0] * slowness(own.from, own.to), effort);
}

void SyntheticMeasurer::measure_contention(const Effort& effort) {
  const auto nodes = static_cast<std::uint32_t>(truth_.nodes.size());
  if (nodes < 4) return;
  std::vector<std::uint32_t> order(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) order[i] = i;
  for (std::uint32_t i = 0; i < effort.contentions; ++i) {
    std::shuffle(order.begin(), order.end(), random_);
    give_stream("against", {{order[0], order[1]}, {order[2], order[3]}}, effort);
  }
}

void SyntheticMeasurer::measure_across(const Effort& effort) {
  const auto nodes = static_cast<std::uint32_t>(truth_.nodes.size());
  for (std::uint32_t vertex = nodes; vertex < nodes + truth_.switches.size(); ++vertex) {
    std::vector<Stream> streams;
    std::vector<std::uint32_t> own, others;
    for (std::uint32_t node = 0; node < nodes; ++node) (group_of(node) == vertex ? own : others).push_back(node);
    for (std::size_t i = 0; i < std::min(own.size(), others.size()); ++i) streams.push_back({own[i], others[i]});
    if (streams.size() < 2) continue;
    std::vector<std::uint32_t> ranks;
    for (const Stream& each : streams) ranks.push_back(each.from);
    for (const Stream& each : streams) ranks.push_back(each.to);
    const std::vector<double> took = stream_ns(streams, kMessages, kStreamBytes);
    give(cell_of("streams", "across", kStreamBytes, ranks, {{"messages", kMessages}}),
         *std::max_element(took.begin(), took.end()), effort);
  }
}

// As the progress of the truth has it; half a second of computation for a transfer of half a second.
void SyntheticMeasurer::measure_progress(const Effort& effort) {
  for (const auto& [a, b] : examples()) {
    const double transfer = one_way_ns(a, b, 1 << 20), computing = transfer;
    const bool by_itself = transport(a, b).progress != Progress::kInCalls;
    const double together =
        by_itself ? transfer * (transport(a, b).progress == Progress::kThread ? 1.2 : 1) : 2 * transfer;
    for (const auto& [part, ns] : std::vector<std::pair<const char*, double>>{
             {"alone", transfer}, {"computing", computing}, {"together", together}, {"tested", transfer}}) {
      give(cell_of("progress", part, 1 << 20, {a, b}, {{"compute_ns", computing}}), ns, effort);
    }
  }
}

// Of the first two ranks of node 0.
void SyntheticMeasurer::measure_inside(const Effort& effort) {
  if (per_node_ < 2) return;
  const double memory = 1e9 / static_cast<double>(truth_.nodes[0].memory_rate.value.count);
  for (const std::uint64_t bytes : dense_sizes(65'536)) {
    const auto size = static_cast<double>(bytes);
    const MessageRange& range = range_of(truth_.inside, Bytes{bytes});
    const bool waits = range.protocol == Protocol::kRendezvous,
               copied = truth_.inside.sender_free == SenderFree::kCopied;
    const double empty = send_ns(0, 0, 0) + receive_ns(0, 0, 0) + nanoseconds_of(truth_.inside.ranges[0].latency.value);
    const double one_way = send_ns(0, 0, bytes) + receive_ns(0, 0, bytes) + size * memory +
                           nanoseconds_of(range.latency.value) + (waits ? 2 * empty : 0);
    give_runs(cell_of("prtt", "one", bytes, {0, 1}, {{"messages", 1}}), 2 * one_way, effort);
    give_runs(cell_of("overheads", waits ? "isend" : "send", bytes, {0, 1}), send_ns(0, 0, bytes), effort);
    give_runs(cell_of("overheads", "receive", bytes, {0, 1}), receive_ns(0, 0, waits ? 0 : bytes), effort);
    if (waits)
      give_runs(cell_of("overheads", "rest", bytes, {0, 1}), (copied ? 0 : receive_ns(0, 0, bytes)) + empty, effort);
    give_runs(cell_of("protocol", "late", bytes, {0, 1}, {{"late_ns", kLate}}),
              waits ? kLate + one_way : send_ns(0, 0, bytes), effort);
  }
  const double all = kMessages * static_cast<double>(kStreamBytes) * memory;
  give_runs(cell_of("streams", "both", kStreamBytes, {0, 1}, {{"messages", kMessages}}), 2 * all, effort);
}

double SyntheticMeasurer::loopback_ns(std::uint64_t bytes) const {
  return send_ns(0, 1, bytes) + nanoseconds_of(range_of(transport(0, 1), Bytes{bytes}).latency.value) +
         receive_ns(0, 1, bytes);
}

// Runs of their own, behind the others.
void SyntheticMeasurer::measure_loopback(const Effort& effort) {
  for (std::uint32_t run = 0; run < effort.runs; ++run) {
    bench::Run& added = campaign_.runs.emplace_back(campaign_.runs.front());
    added.hosts.assign(2, truth_.nodes[0].name);
    added.node_of.assign(2, 0);
  }
  for (const std::uint64_t bytes : {1, 1024}) {
    bench::Cell cell = cell_of("pairs", "", bytes, {0, 1});
    cell.words[bench::kWay] = bench::kLoopback;
    give_runs(std::move(cell), 2 * loopback_ns(bytes), effort, effort.runs);
  }
}

bench::Campaign SyntheticMeasurer::campaign(const Effort& effort) {
  campaign_ = {};
  campaign_.environment.host = "n0";
  for (std::uint32_t run = 0; run < effort.runs; ++run) {
    bench::Run& added = campaign_.runs.emplace_back();
    added.library = "Open MPI v4.1.4, package: Debian";
    added.finished = true;
    for (std::uint32_t node = 0; node < truth_.nodes.size(); ++node) {
      for (std::uint32_t rank = 0; rank < per_node_; ++rank) {
        added.hosts.push_back(truth_.nodes[node].name);
        added.node_of.push_back(node);
      }
    }
  }
  measure_trips(effort);
  if (effort.trains)
    for (const auto& [a, b] : examples()) measure_trains(a, b, effort);
  measure_calls(effort);
  measure_streams(effort);
  measure_contention(effort);
  if (effort.across) measure_across(effort);
  measure_progress(effort);
  measure_inside(effort);
  if (effort.loopback) measure_loopback(effort);
  measure_rests(effort);
  return campaign_;
}

}  // namespace plumbline::hw::calibration
