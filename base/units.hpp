#pragma once
// Time, amounts of data and rates as types. Time is int64 picoseconds (±106 days), so sums are exact and equality is
// ==. Bytes over rate is rounded in one place and one way: transfer_time(), up to the next picosecond. What does not
// fit is an Error, never a wrap: it takes an absurd input, such as a rate of 1 B/s, to get there.

#include <compare>
#include <cstdint>
#include <limits>

#include "base/check.hpp"

namespace plumbline {

// Throws Error, located by the rank and operation in check_context.
[[noreturn]] void time_overflow();

// The sum, difference or product of two numbers of picoseconds.
constexpr std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) [[unlikely]]
    time_overflow();
  return result;
}
constexpr std::int64_t checked_difference(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) [[unlikely]]
    time_overflow();
  return result;
}
constexpr std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) [[unlikely]]
    time_overflow();
  return result;
}

inline constexpr std::uint64_t kMebi = std::uint64_t{1} << 20;  // bytes of a MiB

struct Duration {
  std::int64_t ps = 0;

  constexpr auto operator<=>(const Duration&) const = default;
  constexpr Duration& operator+=(Duration other) {
    ps = checked_sum(ps, other.ps);
    return *this;
  }
  constexpr Duration& operator-=(Duration other) {
    ps = checked_difference(ps, other.ps);
    return *this;
  }
  friend constexpr Duration operator+(Duration a, Duration b) { return {checked_sum(a.ps, b.ps)}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {checked_difference(a.ps, b.ps)}; }
  friend constexpr Duration operator-(Duration a) { return {checked_difference(0, a.ps)}; }
  friend constexpr Duration operator*(Duration a, std::int64_t n) { return {checked_product(a.ps, n)}; }
  constexpr double seconds() const { return static_cast<double>(ps) * 1e-12; }
};

constexpr Duration picoseconds(std::int64_t n) { return {n}; }
constexpr Duration nanoseconds(std::int64_t n) { return {n * 1'000}; }
constexpr Duration microseconds(std::int64_t n) { return {n * 1'000'000}; }
constexpr Duration milliseconds(std::int64_t n) { return {n * 1'000'000'000}; }
constexpr Duration seconds(std::int64_t n) { return {n * 1'000'000'000'000}; }

// Nearest picosecond; the caller guarantees |s| < 9.2e6 s.
constexpr Duration duration_from_seconds(double s) {
  return {static_cast<std::int64_t>(s * 1e12 + (s < 0 ? -0.5 : 0.5))};
}

// A point on the time axis of one trace or one replay; zero is its start.
struct Time {
  std::int64_t ps = 0;

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time& operator+=(Duration d) {
    ps = checked_sum(ps, d.ps);
    return *this;
  }
  friend constexpr Time operator+(Time t, Duration d) { return {checked_sum(t.ps, d.ps)}; }
  friend constexpr Time operator-(Time t, Duration d) { return {checked_difference(t.ps, d.ps)}; }
  friend constexpr Duration operator-(Time a, Time b) { return {checked_difference(a.ps, b.ps)}; }
  constexpr double seconds() const { return static_cast<double>(ps) * 1e-12; }
};

struct Bytes {
  std::uint64_t count = 0;

  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes& operator+=(Bytes other) {
    count += other.count;
    return *this;
  }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
};

struct BytesPerSecond {
  std::uint64_t count = 0;  // a rate of 0 is not a rate: platform readers refuse it

  constexpr auto operator<=>(const BytesPerSecond&) const = default;
};

// size / rate, rounded up to the next picosecond: nothing is ever faster than its rate, and a non-empty transfer never
// takes no time. Exact integer arithmetic.
inline Duration transfer_time(Bytes size, BytesPerSecond rate) {
  PLUMBLINE_CHECK(rate.count > 0, "a transfer needs a rate");
  __extension__ using Wide = unsigned __int128;
  const Wide ps = (static_cast<Wide>(size.count) * 1'000'000'000'000U + rate.count - 1) / rate.count;
  if (ps > static_cast<Wide>(std::numeric_limits<std::int64_t>::max())) [[unlikely]]
    time_overflow();
  return {static_cast<std::int64_t>(ps)};
}

}  // namespace plumbline
