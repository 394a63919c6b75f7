#pragma once
// The network of measured distributions: the time of each message is drawn from those that were measured for its size
// and the number of messages under way (Grove and Coddington, "Communication Benchmarking and Performance Modelling of
// MPI Programs on Cluster Computers", The Journal of Supercomputing, 2005). What is drawn when, and what the paper
// leaves open: docs/models/network-sampled.md.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/network/quantile_table.hpp"
#include "hwmodels/platform/platform.hpp"
#include "hwmodels/platform/transports.hpp"
#include "sim/random.hpp"

namespace plumbline::hw {

struct SamplingOptions {
  std::optional<double> share = {};  // every message takes this quantile; nothing: a random one
  std::uint64_t seed = 1;
};

// The times of one range of sizes. Between two sizes, and between two numbers in flight, the times of one share are
// interpolated, in proportion.
class TimesOfRange {
 public:
  // Of at least one; sizes and numbers in flight are in any order.
  explicit TimesOfRange(const std::vector<MessageTimes>& times);

  // Fewer in flight than were measured take as long as the fewest, more as long as the most; smaller messages as long
  // as the smallest. Larger ones than the largest have its distribution on a larger scale: the median goes on as from
  // the size before, and, where there is none, as from nothing.
  Duration at(Bytes size, std::uint32_t in_flight, double share);

  std::uint32_t most_in_flight() const { return most_in_flight_; }

 private:
  struct OfSize {
    Bytes size;
    std::vector<std::uint32_t> in_flight;  // ascending
    std::vector<QuantileTable> tables;     // of each

    Duration at(std::uint32_t number, double share) const;
  };
  // Where a size lies among those that were measured.
  struct Place {
    Bytes size{~std::uint64_t{0}};  // no message
    std::uint32_t lower = 0;
    double to_next = 0;  // 0: at `lower`
    double scale = 1;
  };
  Place place_of(Bytes size) const;

  std::vector<OfSize> sizes_;  // ascending
  double growth_ = 0;          // of the median beyond the largest size, in shares of it per byte
  std::uint32_t most_in_flight_ = 0;
  Place known_;  // of the last message: most have the size of the one before
};

// Who sends draws a share for each message, in the order of its program, from a stream of its own. When the message
// departs it is counted, and its time is that of its share.
class Sampled {
 public:
  // `nodes`: of each rank; they outlive this.
  Sampled(const Platform& platform, std::span<const std::uint32_t> nodes, const SamplingOptions& options);

  // Of the next message of a rank.
  double share(std::uint32_t rank) { return options_.share ? *options_.share : streams_[rank].uniform(); }

  // A message is under way from now on, or no more. Messages between nodes count together, wherever they go; those
  // inside of a node among themselves.
  void depart(std::uint32_t from, std::uint32_t to) { ++in_flight(from, to); }
  void arrive(std::uint32_t from, std::uint32_t to) { --in_flight(from, to); }

  // How long the sending side of one rank's interface, and the receiving side of the other's, is busy with a message:
  // gap + (s-1)/gap_rate of its range, as in LogGP.
  Duration busy(std::uint32_t from, std::uint32_t to, Bytes size);

  // Of a message that has departed.
  Duration one_way(std::uint32_t from, std::uint32_t to, Bytes size, double share);

  // Messages that took the time of fewer in flight than there were, because more were not measured.
  std::uint64_t beyond_measured() const { return beyond_measured_; }

 private:
  struct Range {
    std::optional<Bytes> upto;
    TimesOfRange times;
    Duration gap;
    std::optional<BytesPerSecond> gap_rate;
  };

  Range& range_of(std::uint32_t from, std::uint32_t to, Bytes size);
  std::uint32_t& in_flight(std::uint32_t from, std::uint32_t to) {
    const std::uint32_t node = nodes_[from];
    return in_flight_[node == nodes_[to] ? 1 + node : 0];
  }

  const SamplingOptions options_;
  const Transports transports_;
  const std::span<const std::uint32_t> nodes_;  // by rank
  std::vector<std::vector<Range>> ranges_;      // by transport
  std::vector<std::uint32_t> in_flight_;        // between nodes; then inside of each
  std::vector<sim::RandomStream> streams_;      // by rank; empty where the share is given
  std::uint64_t beyond_measured_ = 0;
};

}  // namespace plumbline::hw
