#pragma once
// What expressions compute with: whole numbers as in C, real numbers, and times, which a unit tells from numbers.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace plumbline::replay::model {

struct Value {
  enum class Kind : std::uint8_t { kInteger, kReal, kTime };

  std::int64_t integer = 0;
  double real = 0;  // of a time: picoseconds
  Kind kind = Kind::kInteger;

  static Value of(std::int64_t integer) { return {integer, 0, Kind::kInteger}; }
  static Value of(bool truth) { return of(std::int64_t{truth}); }
  static Value of(double real) { return {0, real, Kind::kReal}; }
  static Value of_time(Duration time) { return {0, static_cast<double>(time.ps), Kind::kTime}; }
  static Value of_time_ps(double ps) { return {0, ps, Kind::kTime}; }

  bool is_integer() const { return kind == Kind::kInteger; }
  bool is_time() const { return kind == Kind::kTime; }
  double number() const { return is_integer() ? static_cast<double>(integer) : real; }
  bool is_true() const { return is_integer() ? integer != 0 : real != 0; }
};

// "256", "0.5", "1.62 ms"
std::string to_string(const Value& value);

enum class Operator : std::uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  kShiftLeft,
  kShiftRight,
  kAnd,  // of bits, as the next two
  kOr,
  kExclusiveOr,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kEqual,
  kNotEqual,
  kBoth,  // && and ||, which look at the second only where they must
  kEither,
  kMinus,  // of one value, as the next two
  kNot,
  kComplement,
};

enum class Function : std::uint8_t { kMin, kMax, kMod, kAbs, kFloor, kCeil, kLog2, kSqrt, kPow };

// The rules of C for whole numbers: / leaves out the fraction, % has the sign of the first. A time goes with a time in
// sums and comparisons and with a number in products; a time over a time is a number. Throws ArithmeticFault.
Value apply(Operator op, const Value& a, const Value& b);
Value apply(Operator op, const Value& a);
Value apply(Function function, const Value& a, const Value& b);
Value apply(Function function, const Value& a);

// What has no value: "divides by zero".
struct ArithmeticFault {
  std::string what;
};

}  // namespace plumbline::replay::model
