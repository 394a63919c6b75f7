#include "bench/report/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/quantity.hpp"

namespace plumbline::bench {
namespace {

constexpr double kZeroShare = 0.08;  // of the axis, for 0 left of a logarithmic one
constexpr double kRoom = 0.04;       // of the axis, at both ends
constexpr std::size_t kMostMarks = 9;

// 1, 2 or 5 times a power of ten, at least `step`.
double round_step(double step) {
  const double decade = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= step * (1 - 1e-9)) return factor * decade;
  return 10 * decade;
}

template <class Label>
std::vector<Mark> linear_marks(const Axis& axis, Label label) {
  const double step = round_step((axis.high() - axis.low()) / static_cast<double>(kMostMarks - 1));
  std::vector<Mark> marks;
  for (double i = std::ceil(axis.low() / step - 1e-9); i * step <= axis.high() * (1 + 1e-12); ++i)
    marks.push_back({i * step, label(i * step)});
  return marks;
}

// Every decade, and 2 and 5 in between where there is room.
template <class Label>
std::vector<Mark> decade_marks(const Axis& axis, Label label) {
  const double decades = std::log10(axis.high() / axis.low());
  const int every = std::max(1, static_cast<int>(std::ceil(decades / static_cast<double>(kMostMarks))));
  std::vector<Mark> marks;
  for (int power = static_cast<int>(std::floor(std::log10(axis.low()))); std::pow(10, power) <= axis.high(); ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10, power);
      if (value < axis.low() * (1 - 1e-9) || value > axis.high() * (1 + 1e-9)) continue;
      if (factor != 1 && decades > 4) continue;
      const bool labelled = factor == 1 ? power % every == 0 : decades < 2;
      marks.push_back({value, labelled ? label(value) : ""});
    }
  }
  return marks;
}

// Every power of two; where there is no room for all labels, some have none.
template <class Label>
std::vector<Mark> power_marks(const Axis& axis, Label label) {
  const double first = std::ceil(std::log2(axis.low()) - 1e-9), last = std::floor(std::log2(axis.high()) + 1e-9);
  const double every = std::max(1.0, std::ceil((last - first + 1) / static_cast<double>(kMostMarks)));
  std::vector<Mark> marks;
  for (int power = static_cast<int>(std::max(0.0, first)); power <= last; ++power)
    marks.push_back({std::exp2(power), std::fmod(power, every) == 0 ? label(std::exp2(power)) : ""});
  return marks;
}

double round_power_of_two(double value) { return std::exp2(std::ceil(std::log2(value) - 1e-9)); }

}  // namespace

std::string text_of_seconds(double seconds) {
  constexpr double kLongest = 9e6;  // what a Duration holds
  if (!(seconds >= 0) || seconds > kLongest) return "-";
  return format(duration_from_seconds(seconds));
}

std::string text_of_bytes(std::uint64_t bytes) { return format(Bytes{bytes}); }

Axis::Axis(bool logarithmic, bool has_zero, double low, double high, double begin_px, double end_px)
    : logarithmic_(logarithmic),
      has_zero_(logarithmic && has_zero),
      low_(low),
      high_(high),
      begin_px_(begin_px),
      end_px_(end_px) {
  PLUMBLINE_CHECK(low < high && (!logarithmic || low > 0), "an axis has a length");
}

double Axis::at(double value) const {
  const double zero = has_zero_ ? kZeroShare : 0;
  double share = 0;
  if (!logarithmic_)
    share = (value - low_) / (high_ - low_);
  else if (value > 0)
    share = zero + (1 - zero) * std::log(value / low_) / std::log(high_ / low_);
  else
    share = has_zero_ ? zero / 2 : 0;
  return begin_px_ + std::clamp(share, 0.0, 1.0) * (end_px_ - begin_px_);
}

double Axis::value_at(double share) const {
  return logarithmic_ ? low_ * std::pow(high_ / low_, share) : low_ + share * (high_ - low_);
}

Axis axis_over(const std::vector<double>& values, double spread, bool from_zero, double begin_px, double end_px) {
  double least = 0, most = 0;  // above 0
  bool has_zero = false;
  for (const double value : values) {
    has_zero = has_zero || value <= 0;
    if (value <= 0) continue;
    least = least == 0 ? value : std::min(least, value);
    most = std::max(most, value);
  }
  if (most == 0) return {false, false, 0, 1, begin_px, end_px};
  if (most / least >= spread) {
    const double room = std::pow(most / least, kRoom);
    return {true, has_zero, least / room, most * room, begin_px, end_px};
  }
  const double low = from_zero || has_zero ? 0 : least;
  const double room = most > low ? kRoom * (most - low) : kRoom * most;
  return {false, false, low == 0 ? 0 : low - room, most + room, begin_px, end_px};
}

std::vector<Mark> marks_of_bytes(const Axis& axis) {
  const auto label = [](double value) { return text_of_bytes(static_cast<std::uint64_t>(std::llround(value))); };
  std::vector<Mark> marks;
  if (!axis.is_logarithmic()) {
    const double step = std::max(1.0, round_power_of_two((axis.high() - axis.low()) / static_cast<double>(kMostMarks)));
    for (double i = std::ceil(axis.low() / step); i * step <= axis.high(); ++i)
      marks.push_back({i * step, label(i * step)});
    return marks;
  }
  if (axis.has_zero()) marks.push_back({0, "0"});
  const std::vector<Mark> powers = power_marks(axis, label);
  marks.insert(marks.end(), powers.begin(), powers.end());
  return marks;
}

std::vector<Mark> marks_of_ranks(const Axis& axis) {
  if (!axis.is_logarithmic()) return marks_of_counts(axis);
  return power_marks(axis, [](double value) { return fmt::format("{:.0f}", value); });
}

std::vector<Mark> marks_of_seconds(const Axis& axis) {
  return axis.is_logarithmic() ? decade_marks(axis, text_of_seconds) : linear_marks(axis, text_of_seconds);
}

std::vector<Mark> marks_of_counts(const Axis& axis) {
  const auto label = [](double value) { return fmt::format("{:.0f}", value); };
  if (axis.is_logarithmic()) return decade_marks(axis, label);
  std::vector<Mark> marks = linear_marks(axis, label);
  std::erase_if(marks, [](const Mark& mark) { return std::abs(mark.value - std::round(mark.value)) > 1e-9; });
  return marks;
}

}  // namespace plumbline::bench
