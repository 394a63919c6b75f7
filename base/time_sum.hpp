#pragma once
// Sums of durations over operations, ranks or components. A Duration ends at 106 days, which a sum over many does not
// keep to: an hour of 4,096 ranks is 170 days, and the lateness of operations that queue grows with the square of their
// number. 2^64 durations of any length fit, so no sum overflows and none has to be checked.

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/units.hpp"

namespace plumbline {

struct TimeSum {
  __extension__ using Picoseconds = __int128;
  Picoseconds ps = 0;

  constexpr TimeSum() = default;
  constexpr TimeSum(Duration duration) : ps(duration.ps) {}
  static constexpr TimeSum of(Picoseconds ps) {
    TimeSum sum;
    sum.ps = ps;
    return sum;
  }

  constexpr auto operator<=>(const TimeSum&) const = default;
  constexpr TimeSum& operator+=(TimeSum other) {
    ps += other.ps;
    return *this;
  }
  constexpr TimeSum& operator-=(TimeSum other) {
    ps -= other.ps;
    return *this;
  }
  friend constexpr TimeSum operator+(TimeSum a, TimeSum b) { return of(a.ps + b.ps); }
  friend constexpr TimeSum operator-(TimeSum a, TimeSum b) { return of(a.ps - b.ps); }
  friend constexpr TimeSum operator-(TimeSum a) { return of(-a.ps); }
  // |n| times less than 2^64 durations.
  friend constexpr TimeSum operator*(TimeSum a, std::int64_t n) { return of(a.ps * n); }

  constexpr double seconds() const { return static_cast<double>(ps) * 1e-12; }

  // Of so many that were summed, at least one; towards zero.
  constexpr Duration mean(std::uint64_t count) const { return {static_cast<std::int64_t>(ps / count)}; }

  // The sum as a Duration; nothing where it is none.
  constexpr std::optional<Duration> duration() const {
    using Limits = std::numeric_limits<std::int64_t>;
    if (ps < Limits::min() || ps > Limits::max()) return std::nullopt;
    return Duration{static_cast<std::int64_t>(ps)};
  }
};

// Nearest picosecond.
constexpr TimeSum time_sum_from_seconds(double s) {
  return TimeSum::of(static_cast<TimeSum::Picoseconds>(s * 1e12 + (s < 0 ? -0.5 : 0.5)));
}

// 0 where there is no whole.
constexpr double share_of(TimeSum part, TimeSum whole) {
  return whole.ps > 0 ? static_cast<double>(part.ps) / static_cast<double>(whole.ps) : 0;
}

}  // namespace plumbline
