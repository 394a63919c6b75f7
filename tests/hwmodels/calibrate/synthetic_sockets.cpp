#include "tests/hwmodels/calibrate/synthetic_sockets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hwmodels/topology/topology.hpp"
#include "tests/hwmodels/network_world.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::uint32_t kMessagesOfStream = 64;      // as `streams` has hundreds: its beginning and end tell little
constexpr std::uint32_t kUnderWay = 8;               // after so many messages a stream goes on steadily
constexpr std::uint64_t kBytesOfStream = 1'024'000;  // ten packets: of a broken one the last bytes of a stream tell
constexpr double kLateNs = 5e6;

template <class T>
Parameter<T> known(T value) {
  return {value, 0, ""};
}

double ns_of(Duration duration) { return static_cast<double>(duration.ps) / 1000; }

std::vector<std::uint64_t> sizes_inside() {
  std::vector<std::uint64_t> sizes = {1, 2, 4, 8};
  for (double size = 16; size < kBytesOfStream; size *= std::sqrt(2.0))
    sizes.push_back(static_cast<std::uint64_t>(std::llround(size)));
  sizes.push_back(kBytesOfStream);
  return sizes;
}

MessageRange range_inside(Protocol protocol) {
  MessageRange range;
  range.protocol = protocol;
  range.send = known(nanoseconds(300));
  range.receive = known(nanoseconds(60));
  range.latency = known(nanoseconds(protocol == Protocol::kEager ? 100 : 250));
  if (protocol == Protocol::kEager) range.send_rate = known(BytesPerSecond{20'000'000'000});
  return range;
}

}  // namespace

Sockets exact_sockets(std::uint64_t rate, std::uint64_t local_rate, Duration latency, std::uint64_t link_rate,
                      std::uint64_t interconnect_rate) {
  const auto of = [](std::uint64_t value) { return known(BytesPerSecond{value}); };
  return {2, of(rate), of(local_rate), known(latency), of(link_rate), of(interconnect_rate)};
}

Platform platform_with_sockets(const std::vector<std::optional<Sockets>>& nodes, std::optional<Bytes> eager,
                               Packets packets) {
  Platform platform;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Node& node = platform.nodes.emplace_back();
    node.name = fmt::format("n{}", i);
    node.cores = nodes[i] ? 2 * nodes[i]->count : 4;
    node.sockets = nodes[i];
    node.memory_rate = known(BytesPerSecond{5'000'000'000});
    node.interface_rate = known(BytesPerSecond{1'000'000'000'000});
  }
  platform.packets = packets;
  platform.inside.ranges = {range_inside(Protocol::kEager)};
  if (eager) {
    platform.inside.ranges.front().upto = *eager;
    platform.inside.ranges.push_back(range_inside(Protocol::kRendezvous));
  }
  return platform;
}

SyntheticSockets::SyntheticSockets(Platform truth, const Noise& noise, std::uint32_t per_socket, std::uint32_t sockets)
    : truth_(std::move(truth)), noise_(noise), per_socket_(per_socket), sockets_(sockets), random_(noise.seed) {}

void SyntheticSockets::slow_pair(std::uint32_t node, std::uint32_t a, std::uint32_t b, double times) {
  slow_pairs_[{node, std::min(a, b), std::max(a, b)}] = times;
}

std::uint32_t SyntheticSockets::endpoint_of(std::uint32_t node, std::uint32_t rank) const {
  const Topology topology(truth_);
  return topology.endpoint(node, truth_.nodes[node].sockets ? rank / per_socket_ : 0);
}

double SyntheticSockets::send_ns(std::uint64_t bytes) const {
  const MessageRange& of = range_of(truth_.inside, Bytes{bytes});
  return ns_of(of.send.value) + (of.send_rate ? ns_of(transfer_time(Bytes{bytes}, of.send_rate->value)) : 0);
}

double SyntheticSockets::receive_ns(std::uint64_t bytes) const {
  const MessageRange& of = range_of(truth_.inside, Bytes{bytes});
  return ns_of(of.receive.value) + (of.receive_rate ? ns_of(transfer_time(Bytes{bytes}, of.receive_rate->value)) : 0);
}

bool SyntheticSockets::waits(std::uint64_t bytes) const {
  return range_of(truth_.inside, Bytes{bytes}).protocol == Protocol::kRendezvous;
}

double SyntheticSockets::one_way_ns(std::uint32_t node, std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const {
  Topology topology(truth_);
  const double route = ns_of(
      idle_time(topology, topology.hops(endpoint_of(node, a), endpoint_of(node, b)), Bytes{bytes}, truth_.packets));
  const double way = ns_of(range_of(truth_.inside, Bytes{bytes}).latency.value);
  return send_ns(bytes) + way + route + receive_ns(bytes) + (waits(bytes) ? 2 * one_way_ns(node, a, b, 0) : 0);
}

// Of each stream, from when all begin to when its sender has heard that all has been received.
std::vector<double> SyntheticSockets::stream_ns(std::uint32_t node, const std::vector<Stream>& streams,
                                                std::uint32_t messages) const {
  NetworkWorld world(Topology(truth_), truth_.packets);
  for (std::uint32_t i = 0; i < messages; ++i) {
    for (std::uint32_t k = 0; k < streams.size(); ++k) {
      const auto& [from, to] = streams[k];
      const double before = waits(kBytesOfStream) ? 2 * one_way_ns(node, from, to, 0) : 0;
      const double at = before + (i + 1) * send_ns(kBytesOfStream);
      world.send({static_cast<std::uint32_t>(k * messages + i), endpoint_of(node, from), endpoint_of(node, to),
                  Bytes{kBytesOfStream}, Time{static_cast<std::int64_t>(at * 1000)}});
    }
  }
  world.run();
  const double way = ns_of(range_of(truth_.inside, Bytes{kBytesOfStream}).latency.value);
  std::vector<double> took;
  for (std::uint32_t k = 0; k < streams.size(); ++k) {
    const auto& [from, to] = streams[k];
    double free = 0;
    for (std::uint32_t i = 0; i < messages; ++i)
      free = std::max(free, static_cast<double>(world.delivered(k * messages + i).ps) / 1000 + way) +
             receive_ns(kBytesOfStream);
    took.push_back(free + one_way_ns(node, to, from, 0));
  }
  return took;
}

std::vector<double> SyntheticSockets::stream_rates(std::uint32_t node, const std::vector<Stream>& streams) const {
  const std::vector<double> few = stream_ns(node, streams, kUnderWay), many = stream_ns(node, streams, 2 * kUnderWay);
  std::vector<double> rates;
  for (std::size_t i = 0; i < streams.size(); ++i)
    rates.push_back(1e9 * kUnderWay * static_cast<double>(kBytesOfStream) / (many[i] - few[i]));
  return rates;
}

// `cell.ranks` are ranks of the node.
void SyntheticSockets::give(std::uint32_t node, bench::Cell cell, double ns) {
  std::normal_distribution<double> normal(0, 1);
  if (cell.ranks.size() == 2) {
    const auto [a, b] = std::minmax(cell.ranks[0], cell.ranks[1]);
    const std::array<std::uint32_t, 3> pair{node, a, b};
    ns *= pair_factors_.try_emplace(pair, 1 + noise_.pairs * normal(random_)).first->second;
    if (const auto slow = slow_pairs_.find(pair); slow != slow_pairs_.end()) ns *= slow->second;
  }
  for (std::uint32_t& rank : cell.ranks) rank += node * ranks_of_node();
  for (const char* const other : {"other_a", "other_b"})
    if (const auto found = cell.numbers.find(other); found != cell.numbers.end())
      found->second += node * ranks_of_node();
  for (std::uint32_t run = 0; run < effort_.runs; ++run) {
    cell.run = run;
    cell.seconds.clear();
    const double of_run = 1 + noise_.runs * normal(random_);
    for (std::uint32_t i = 0; i < effort_.repetitions; ++i)
      cell.seconds.push_back(ns * 1e-9 * of_run * (1 + noise_.repetitions * std::abs(normal(random_))));
    cell.flags.assign(cell.seconds.size(), 0);
    into_->cells.push_back(cell);
  }
}

void SyntheticSockets::measure_trips(std::uint32_t node) {
  for (std::uint32_t a = 0; a < ranks_of_node(); ++a)
    for (std::uint32_t b = a + 1; b < ranks_of_node(); ++b)
      for (const std::uint64_t bytes : {1, 1024, 65'536})
        give(node, cell_of("pairs", "", bytes, {a, b}), 2 * one_way_ns(node, a, b, bytes));
}

void SyntheticSockets::measure_dense(std::uint32_t node, std::uint32_t a, std::uint32_t b) {
  for (const std::uint64_t bytes : sizes_inside())
    give(node, cell_of("prtt", "one", bytes, {a, b}, {{"messages", 1}}), 2 * one_way_ns(node, a, b, bytes));
}

void SyntheticSockets::measure_calls(std::uint32_t node, std::uint32_t a, std::uint32_t b) {
  for (const std::uint64_t bytes : sizes_inside()) {
    if (!waits(bytes)) give(node, cell_of("overheads", "send", bytes, {a, b}), send_ns(bytes));
    give(node, cell_of("overheads", "receive", bytes, {a, b}), receive_ns(bytes));
    give(node, cell_of("protocol", "late", bytes, {a, b}, {{"late_ns", kLateNs}}),
         waits(bytes) ? kLateNs + one_way_ns(node, a, b, bytes) : send_ns(bytes));
  }
}

void SyntheticSockets::measure_streams(std::uint32_t node) {
  const auto cell = [](const char* part, std::vector<std::uint32_t> ranks) {
    return cell_of("streams", part, kBytesOfStream, std::move(ranks), {{"messages", kMessagesOfStream}});
  };
  const auto first = [&](const std::vector<Stream>& streams) { return stream_ns(node, streams, kMessagesOfStream)[0]; };
  for (std::uint32_t a = 0; a < ranks_of_node(); ++a)
    for (std::uint32_t b = 0; b < ranks_of_node(); ++b)
      if (a != b) give(node, cell("alone", {a, b}), first({{a, b}}));
  const auto both = [&](const std::vector<Stream>& streams) {
    const std::vector<double> took = stream_ns(node, streams, kMessagesOfStream);
    for (std::size_t i = 0; i < streams.size(); ++i) {
      bench::Cell each = cell("both", {streams[i].first, streams[i].second});
      each.in_flight = static_cast<std::uint32_t>(streams.size());
      give(node, each, took[i]);
    }
  };
  std::vector<Stream> ring;
  for (std::uint32_t rank = 0; rank < ranks_of_node(); ++rank) ring.emplace_back(rank, (rank + 1) % ranks_of_node());
  if (effort_.pair) both({{0, per_socket_}, {per_socket_, 0}});
  if (effort_.ring) both(ring);
  if (sockets_ < 4) return;
  const std::uint32_t third = 2 * per_socket_, fourth = 3 * per_socket_;
  bench::Cell against = cell("against", {0, per_socket_});
  against.numbers["other_a"] = third;
  against.numbers["other_b"] = fourth;
  give(node, against, first({{0, per_socket_}, {third, fourth}}));
}

void SyntheticSockets::measure_into(bench::Campaign& campaign, const SocketEffort& effort) {
  effort_ = effort;
  into_ = &campaign;
  std::erase_if(campaign.cells, [&](const bench::Cell& cell) {
    return cell.ranks.size() == 2 && cell.ranks[0] / ranks_of_node() == cell.ranks[1] / ranks_of_node();
  });
  for (bench::Run& run : campaign.runs) {
    for (std::uint32_t rank = 0; rank < run.node_of.size(); ++rank) {
      const std::uint32_t slot = rank % ranks_of_node();
      run.socket_of.push_back(slot / per_socket_);
      run.bindings.push_back(fmt::format("{}", slot));
    }
  }
  for (std::uint32_t node = 0; node < truth_.nodes.size(); ++node) {
    measure_trips(node);
    if (effort.streams) measure_streams(node);
  }
  if (effort.dense_in_socket) measure_dense(0, 0, 1);
  measure_dense(0, 0, per_socket_);
  measure_calls(0, 0, effort.dense_in_socket ? 1 : per_socket_);
}

bench::Campaign SyntheticSockets::campaign(const SocketEffort& effort) {
  bench::Campaign campaign;
  campaign.environment.host = "n0";
  for (std::uint32_t i = 0; i < effort.runs; ++i) {
    bench::Run& run = campaign.runs.emplace_back();
    run.library = "Open MPI v4.1.4, package: Debian";
    run.finished = true;
    for (std::uint32_t rank = 0; rank < truth_.nodes.size() * ranks_of_node(); ++rank) {
      run.hosts.push_back(truth_.nodes[rank / ranks_of_node()].name);
      run.node_of.push_back(rank / ranks_of_node());
    }
  }
  measure_into(campaign, effort);
  return campaign;
}

}  // namespace plumbline::hw::calibration
