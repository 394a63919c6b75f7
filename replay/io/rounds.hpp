#pragma once
// A collective access through aggregators, round by round: who sends how much to whom, and what the aggregators do to
// the file. A round is made when somebody comes to it; nothing is kept of earlier ones, so memory does not depend on
// the bytes of the access. Rules: docs/models/mpi-io.md.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "replay/io/pattern.hpp"
#include "replay/io/plan.hpp"
#include "replay/io/settings.hpp"

namespace plumbline::replay::io {

// Which bytes of the file an aggregator owns: of `range`, every `number`-th stripe from stripe `index` on, counted from
// the beginning of the file. stripe 0: all of it.
struct Ownership {
  ByteRange range;
  std::uint64_t stripe = 0, index = 0, number = 1;

  // The first bytes in one piece that it owns from that place on; empty: no more.
  ByteRange from(std::uint64_t offset) const;
};

struct Aggregator {
  std::uint32_t rank = 0;                    // of the communicator
  std::uint32_t first = 0, behind_last = 0;  // ranks that it serves
  Ownership owned;
};

// How an aggregator takes its part: kWindows: so many bytes of the file at a time, holes and all (ROMIO); kCycles: so
// many bytes of data, the lists of pieces as fbtl/posix treats them (OMPIO).
enum class Cut : std::uint8_t { kWindows, kCycles };

struct RoundRules {
  hw::Access kind = hw::Access::kWrite;
  Cut cut = Cut::kWindows;
  std::uint64_t bytes = 1;                  // of a window or a cycle
  const OmpioSettings* ompio = nullptr;     // kCycles
  OmpioCaller caller = OmpioCaller::kRank;  // likewise
  bool asynchronous = false;                // likewise: written by aio_write
  bool by_stripe = false;                   // likewise: a call for what lies in a stripe
};

struct Round {
  std::vector<Transfer> transfers;                    // by aggregator, then by rank; never to oneself
  std::vector<std::uint32_t> first_transfer;          // of each aggregator; one more at the end
  std::vector<std::uint32_t> by_rank, first_of_rank;  // indices of transfers by rank; one more at the end
  std::vector<FileOperations> before, after;          // the exchange, per aggregator

  std::span<const Transfer> of_aggregator(std::size_t index) const;
  std::span<const std::uint32_t> of_rank(std::uint32_t rank) const;
};

class Rounds {
 public:
  Rounds() = default;
  // `patterns`: of each rank of the communicator; they outlive it.
  Rounds(const RoundRules& rules, std::vector<Aggregator> aggregators, std::span<const Pattern> patterns);

  const std::vector<Aggregator>& aggregators() const { return aggregators_; }
  std::uint64_t number() const { return number_; }
  // Data of a rank that an aggregator moves for it, in all rounds.
  std::uint64_t bytes_of(std::size_t aggregator, std::uint32_t rank) const;
  std::uint64_t pieces_of(std::size_t aggregator, std::uint32_t rank) const;

  // The next one, number() times.
  void make(Round& round);

 private:
  // Of an aggregator.
  struct Progress {
    std::uint64_t at = 0, end = 0;       // of the file
    std::vector<std::uint64_t> reached;  // data of each rank served that lies before `at`
    std::vector<std::uint64_t> next;     // where in the file its next byte lies; kNowhere: it has no more
  };

  static constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

  static std::uint64_t place_of(const Pattern& pattern, std::uint64_t data);
  void make_windows(std::size_t index, Round& round);
  void make_cycle(std::size_t index, Round& round);
  std::uint64_t take(std::size_t index, const ByteRange& region);
  std::uint64_t data_in(std::size_t index, const ByteRange& region) const;
  std::uint64_t border(std::size_t index, const ByteRange& region, std::uint64_t bytes) const;
  bool is_covered(std::size_t index, const ByteRange& window, std::uint64_t bytes) const;
  std::vector<ByteRange> pieces_in(std::size_t index, std::span<const ByteRange> regions) const;
  void add_cycle_operations(std::size_t index, std::span<const ByteRange> regions, std::uint64_t bytes,
                            FileOperations& operations) const;
  void add_transfers(std::size_t index, Round& round);
  void count();

  RoundRules rules_;
  std::vector<Aggregator> aggregators_;
  std::span<const Pattern> patterns_;
  std::vector<Progress> progress_;
  std::vector<std::uint64_t> taken_;  // scratch: bytes of each rank in this round
  std::uint64_t number_ = 0;
};

}  // namespace plumbline::replay::io
