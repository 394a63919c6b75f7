#pragma once
// Sizes that are measured where the curve needs them.

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace plumbline::bench {

// Defaults are those of MPIBlib.
struct AdaptiveRule {
  std::uint64_t stride = 1024, min_stride = 64;
  double max_diff = 0.1;  // relative: of a time from the line through the two before it
  std::uint32_t max_num = 100;
};

// Numbers of a request with adaptive sizes, which no family has to know.
inline constexpr std::string_view kAdaptiveNumbers[] = {"stride", "min_stride", "max_diff", "max_num"};

// Sizes by the rule of MPIBlib (Lastovetsky, Rychkov, O'Flynn, "MPIBlib: Benchmarking MPI Communications for Parallel
// Computing on Homogeneous and Heterogeneous Clusters", EuroPVM/MPI 2008): a time that is where the line through those
// of the next two smaller sizes leads doubles the stride; one that is not halves it, and goes back by as much.
class AdaptiveSizes {
 public:
  AdaptiveSizes(std::uint64_t first, std::uint64_t last, AdaptiveRule rule);

  std::optional<std::uint64_t> next() const { return next_; }  // none: it is over
  void add(double seconds);                                    // of next()

 private:
  bool has_a_line(std::uint64_t size) const;  // two smaller ones
  bool is_on_the_line(std::uint64_t size) const;
  void go_on_from(std::uint64_t size);

  std::uint64_t first_, last_;
  AdaptiveRule rule_;
  std::uint64_t stride_;
  std::map<std::uint64_t, double> times_;
  std::optional<std::uint64_t> next_;
};

}  // namespace plumbline::bench
