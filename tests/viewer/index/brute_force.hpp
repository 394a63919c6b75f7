#pragma once
// What a pyramid tells, by asking every operation of a rank.

#include <cstdint>
#include <vector>

#include "viewer/index/pyramid/pyramid.hpp"

namespace plumbline::viewer {

// Asked anew of each operation, by what is documented in runs.hpp and pyramid.hpp.
class BruteForce {
 public:
  BruteForce(const Runs& runs, const PyramidSource& source, std::uint32_t rank);

  RangeSummary summary(TimeRange range) const;
  std::vector<std::uint32_t> operations(TimeRange range) const;
  // Worst first.
  std::vector<OperationId> worst(TimeRange range, std::size_t most) const;
  Strip strip(const Pyramid& pyramid, const PyramidSource& source, unsigned level, std::uint32_t x) const;

 private:
  struct One {
    std::int64_t begin, end;
    Duration own, inherited;  // own: 0 within the band
    CallKind kind;
    std::uint8_t marks;
  };
  bool overlaps(const One& one, TimeRange range) const;

  std::uint32_t rank_;
  std::vector<One> all_;
};

}  // namespace plumbline::viewer
