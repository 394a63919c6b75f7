#include "tests/lab/switch/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace plumbline::lab {
namespace {

// Values below 2^bits have a bin each; then the leading bit chooses a row of 2^bits bins, the bits behind it one of
// them.
std::size_t bin_of(std::uint64_t value, int bits) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - 1 - bits);
  return (static_cast<std::size_t>(shift) << bits) + static_cast<std::size_t>(value >> shift);
}

std::uint64_t largest_in_bin(std::size_t bin, int bits) {
  if (bin < std::size_t{2} << bits) return bin;
  const std::size_t shift = (bin >> bits) - 1;
  const std::uint64_t leading = bin - (shift << bits);
  return ((leading + 1) << shift) - 1;
}

}  // namespace

void Histogram::add(Duration value) {
  value = std::max(value, Duration{0});
  ++bins_[bin_of(static_cast<std::uint64_t>(value.ps) / 1'000, kBitsOfBin)];
  ++count_;
  max_ = std::max(max_, value);
}

Duration Histogram::percentile(double share) const {
  if (count_ == 0) return {};
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
    seen += bins_[bin];
    if (seen < std::max<std::uint64_t>(wanted, 1)) continue;
    const std::uint64_t bound_ns = largest_in_bin(bin, kBitsOfBin) + 1;
    if (bound_ns > static_cast<std::uint64_t>(max_.ps) / 1'000) return max_;
    return nanoseconds(static_cast<std::int64_t>(bound_ns));
  }
  return max_;
}

}  // namespace plumbline::lab
