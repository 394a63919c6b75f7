#pragma once
// Nodes with sockets whose truth is known, measured inside by the experiments of a campaign: our own network carries
// the messages, and noise is added.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "bench/results/campaign.hpp"
#include "hwmodels/platform/platform.hpp"
#include "tests/hwmodels/calibrate/synthetic_network.hpp"

namespace plumbline::hw::calibration {

// Nodes "n0" .. with sockets; of none, one memory for all their ranks. Without a network.
Platform platform_with_sockets(const std::vector<std::optional<Sockets>>& nodes, std::optional<Bytes> eager = {},
                               Packets packets = {Bytes{102'400}, Bytes{0}});
Sockets exact_sockets(std::uint64_t rate, std::uint64_t local_rate, Duration latency, std::uint64_t link_rate,
                      std::uint64_t interconnect_rate);

struct SocketEffort {
  std::uint32_t runs = 3, repetitions = 5;
  bool dense_in_socket = true;  // else ranks 0 and 1 are the only pair in a socket, at few sizes
  bool streams = true;
  // Streams there and back: of the first pair across sockets, as the family has them of two ranks, and a ring over all.
  bool pair = true, ring = true;
};

// Ranks fill the sockets of a node, so many in each.
class SyntheticSockets {
 public:
  SyntheticSockets(Platform truth, const Noise& noise, std::uint32_t per_socket = 2, std::uint32_t sockets = 2);

  void slow_pair(std::uint32_t node, std::uint32_t a, std::uint32_t b, double times);

  bench::Campaign campaign(const SocketEffort& effort = {});
  // To one of as many nodes, runs and ranks; what it has of messages inside of nodes goes.
  void measure_into(bench::Campaign& campaign, const SocketEffort& effort = {});

  std::uint32_t ranks_of_node() const { return per_socket_ * sockets_; }

  // By the model, between two ranks of a node.
  double one_way_ns(std::uint32_t node, std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const;

  using Stream = std::pair<std::uint32_t, std::uint32_t>;  // ranks of one node
  // Each of these at once: what it carries, B/s, once it is under way.
  std::vector<double> stream_rates(std::uint32_t node, const std::vector<Stream>& streams) const;

 private:
  std::uint32_t endpoint_of(std::uint32_t node, std::uint32_t rank) const;
  double send_ns(std::uint64_t bytes) const;
  double receive_ns(std::uint64_t bytes) const;
  bool waits(std::uint64_t bytes) const;
  std::vector<double> stream_ns(std::uint32_t node, const std::vector<Stream>& streams, std::uint32_t messages) const;

  void give(std::uint32_t node, bench::Cell cell, double ns);
  void measure_trips(std::uint32_t node);
  void measure_dense(std::uint32_t node, std::uint32_t a, std::uint32_t b);
  void measure_calls(std::uint32_t node, std::uint32_t a, std::uint32_t b);
  void measure_streams(std::uint32_t node);

  Platform truth_;
  Noise noise_;
  std::uint32_t per_socket_, sockets_;
  std::mt19937_64 random_;
  std::map<std::array<std::uint32_t, 3>, double> pair_factors_, slow_pairs_;  // by node and both ranks
  SocketEffort effort_;
  bench::Campaign* into_ = nullptr;
};

}  // namespace plumbline::hw::calibration
