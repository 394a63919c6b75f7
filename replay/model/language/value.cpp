#include "replay/model/language/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/quantity.hpp"

namespace plumbline::replay::model {
namespace {

[[noreturn]] void refuse(std::string what) { throw ArithmeticFault{std::move(what)}; }

// `result` of an operation that has just told whether it overflows.
Value fitting(bool overflows, const std::int64_t& result) {
  if (overflows) refuse("is too large");
  return Value::of(result);
}

Value finite(double real) {
  if (!std::isfinite(real)) refuse("is too large, or no number");
  return Value::of(real);
}

Value checked_time(double ps) {
  if (!std::isfinite(ps)) refuse("is too large a time");
  return Value::of_time_ps(ps);
}

Value of_integers(Operator op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case Operator::kAdd:
      return fitting(__builtin_add_overflow(a, b, &result), result);
    case Operator::kSubtract:
      return fitting(__builtin_sub_overflow(a, b, &result), result);
    case Operator::kMultiply:
      return fitting(__builtin_mul_overflow(a, b, &result), result);
    case Operator::kDivide:
    case Operator::kRemainder:
      if (b == 0) refuse("divides by zero");
      if (b == -1)  // the least number has no opposite
        return op == Operator::kRemainder ? Value::of(std::int64_t{0}) : of_integers(Operator::kSubtract, 0, a);
      return Value::of(op == Operator::kDivide ? a / b : a % b);
    case Operator::kShiftLeft:
      if (b < 0 || b > 62) refuse(fmt::format("shifts by {}", b));
      return fitting(__builtin_mul_overflow(a, std::int64_t{1} << b, &result), result);
    case Operator::kShiftRight:
      if (b < 0 || b > 62) refuse(fmt::format("shifts by {}", b));
      return Value::of(a >> b);
    case Operator::kAnd:
      return Value::of(a & b);
    case Operator::kOr:
      return Value::of(a | b);
    case Operator::kExclusiveOr:
      return Value::of(a ^ b);
    default:
      break;
  }
  refuse("is no arithmetic");
}

bool holds(Operator op, std::partial_ordering order) {
  switch (op) {
    case Operator::kLess:
      return order < 0;
    case Operator::kLessOrEqual:
      return order <= 0;
    case Operator::kGreater:
      return order > 0;
    case Operator::kGreaterOrEqual:
      return order >= 0;
    case Operator::kEqual:
      return order == 0;
    default:
      return order != 0;
  }
}

bool compares(Operator op) { return op >= Operator::kLess && op <= Operator::kNotEqual; }

void require_alike(const Value& a, const Value& b) {
  if (a.is_time() != b.is_time()) refuse("joins a time with a number that has no unit");
}

std::partial_ordering order_of(const Value& a, const Value& b) {
  require_alike(a, b);
  if (a.is_integer() && b.is_integer()) return a.integer <=> b.integer;
  return a.number() <=> b.number();
}

Value sum(Operator op, const Value& a, const Value& b) {
  require_alike(a, b);
  const double result = op == Operator::kAdd ? a.number() + b.number() : a.number() - b.number();
  return a.is_time() ? checked_time(result) : finite(result);
}

Value product(const Value& a, const Value& b) {
  if (a.is_time() && b.is_time()) refuse("multiplies a time by a time");
  const double result = a.number() * b.number();
  return a.is_time() || b.is_time() ? checked_time(result) : finite(result);
}

Value quotient(const Value& a, const Value& b) {
  if (b.number() == 0) refuse("divides by zero");
  if (b.is_time() && !a.is_time()) refuse("divides a number by a time");
  const double result = a.number() / b.number();
  return a.is_time() && !b.is_time() ? checked_time(result) : finite(result);
}

// A real number without a fraction, as a whole one.
Value whole(double real) {
  constexpr double kMost = 9.2e18;
  if (!(std::abs(real) < kMost)) refuse("is too large");
  return Value::of(static_cast<std::int64_t>(real));
}

Value power(const Value& a, const Value& b) {
  if (!a.is_integer() || !b.is_integer() || b.integer < 0) return finite(std::pow(a.number(), b.number()));
  Value result = Value::of(std::int64_t{1}), factor = a;
  for (std::int64_t left = b.integer; left > 0; left /= 2) {
    if (left % 2 == 1) result = of_integers(Operator::kMultiply, result.integer, factor.integer);
    if (left > 1) factor = of_integers(Operator::kMultiply, factor.integer, factor.integer);
  }
  return result;
}

}  // namespace

std::string to_string(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kInteger:
      return fmt::format("{}", value.integer);
    case Value::Kind::kReal:
      return fmt::format("{:g}", value.real);
    case Value::Kind::kTime:
      constexpr double kMost = 9e18;
      if (std::abs(value.real) > kMost) return fmt::format("{:g} s", value.real * 1e-12);
      return format(Duration{std::llround(value.real)});
  }
  return "";
}

Value apply(Operator op, const Value& a, const Value& b) {
  if (op == Operator::kBoth) return Value::of(a.is_true() && b.is_true());
  if (op == Operator::kEither) return Value::of(a.is_true() || b.is_true());
  if (compares(op)) return Value::of(holds(op, order_of(a, b)));
  if (a.is_integer() && b.is_integer()) return of_integers(op, a.integer, b.integer);
  switch (op) {
    case Operator::kAdd:
    case Operator::kSubtract:
      return sum(op, a, b);
    case Operator::kMultiply:
      return product(a, b);
    case Operator::kDivide:
      return quotient(a, b);
    default:
      refuse("needs whole numbers");
  }
}

Value apply(Operator op, const Value& a) {
  if (op == Operator::kNot) return Value::of(!a.is_true());
  if (op == Operator::kComplement) {
    if (!a.is_integer()) refuse("needs a whole number");
    return Value::of(~a.integer);
  }
  if (a.is_integer()) return of_integers(Operator::kSubtract, 0, a.integer);
  return a.is_time() ? checked_time(-a.real) : Value::of(-a.real);
}

Value apply(Function function, const Value& a, const Value& b) {
  switch (function) {
    case Function::kMin:
      return order_of(b, a) < 0 ? b : a;
    case Function::kMax:
      return order_of(b, a) > 0 ? b : a;
    case Function::kMod:
      return apply(Operator::kRemainder, a, b);
    default:
      if (a.is_time() || b.is_time()) refuse("is of numbers, not of times");
      return power(a, b);
  }
}

Value apply(Function function, const Value& a) {
  if (function == Function::kAbs)
    return order_of(a, a.is_time() ? checked_time(0) : Value::of(std::int64_t{0})) < 0 ? apply(Operator::kMinus, a) : a;
  if (a.is_time()) refuse("is of numbers, not of times");
  switch (function) {
    case Function::kFloor:
      return a.is_integer() ? a : whole(std::floor(a.real));
    case Function::kCeil:
      return a.is_integer() ? a : whole(std::ceil(a.real));
    case Function::kLog2:
      if (!(a.number() > 0)) refuse("takes the logarithm of what is not above zero");
      return finite(std::log2(a.number()));
    default:
      if (a.number() < 0) refuse("takes the square root of what is below zero");
      return finite(std::sqrt(a.number()));
  }
}

}  // namespace plumbline::replay::model
