#pragma once
// Multiplication by p / q, rounded down and exact, without a division: a clock has one ratio, and a recording two
// moments for each operation.

#include <cstdint>

#include "tracer/record/clocks/wide.hpp"

namespace plumbline::record {

class Ratio {
 public:
  // q > 0.
  constexpr Ratio(std::uint64_t p, std::uint64_t q)
      : p_(p),
        q_(q),
        whole_(p / q),
        fraction_(static_cast<std::uint64_t>((static_cast<UnsignedWide>(p % q) << 64) / q)) {}

  std::uint64_t p() const { return p_; }
  std::uint64_t q() const { return q_; }

  // floor(n · p / q), for |n| up to 2^62.
  Wide times(Wide n) const {
    if (n < 0 || n > kMostQuick || q_ > kMostQuick) return by_division(n);
    // p / q is whole + fraction / 2^64 and less than 2^-64 more, which n < 2^62 makes less than 1/4, and what is cut
    // off of the product is less than 1: so the result is at most one too small, and the remainder tells.
    const auto count = static_cast<std::uint64_t>(n);
    const UnsignedWide quotient = static_cast<UnsignedWide>(count) * whole_ +
                                  static_cast<std::uint64_t>((static_cast<UnsignedWide>(count) * fraction_) >> 64);
    // Less than 2 q, so that the low 64 bits are all of it.
    const std::uint64_t rest = count * p_ - static_cast<std::uint64_t>(quotient) * q_;
    return static_cast<Wide>(quotient + (rest >= q_ ? 1 : 0));
  }

 private:
  __extension__ using UnsignedWide = unsigned __int128;
  static constexpr std::uint64_t kMostQuick = std::uint64_t{1} << 62;

  Wide by_division(Wide n) const {
    const Wide product = n * static_cast<Wide>(p_);
    const Wide quotient = product / static_cast<Wide>(q_);
    return quotient * static_cast<Wide>(q_) > product ? quotient - 1 : quotient;
  }

  std::uint64_t p_, q_, whole_, fraction_;
};

}  // namespace plumbline::record
