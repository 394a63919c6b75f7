#pragma once
// Axes of plots: from values to pixels, and where their marks are.

#include <cstdint>
#include <string>
#include <vector>

namespace plumbline::bench {

struct Mark {
  double value = 0;
  std::string label;  // may be empty
};

// Linear, or logarithmic with a place of its own for 0, left of everything else.
class Axis {
 public:
  // `low` < `high`; of a logarithmic axis both are above 0.
  Axis(bool logarithmic, bool has_zero, double low, double high, double begin_px, double end_px);

  double at(double value) const;  // pixels
  bool is_logarithmic() const { return logarithmic_; }
  bool has_zero() const { return has_zero_; }
  double low() const { return low_; }
  double high() const { return high_; }

  // The value at this share of the axis between low and high.
  double value_at(double share) const;

 private:
  bool logarithmic_, has_zero_;
  double low_, high_, begin_px_, end_px_;
};

// That holds all values with some room: logarithmic when the largest is at least `spread` times the smallest above 0;
// else linear, from 0 when `from_zero`.
Axis axis_over(const std::vector<double>& values, double spread, bool from_zero, double begin_px, double end_px);

std::vector<Mark> marks_of_bytes(const Axis& axis);
std::vector<Mark> marks_of_ranks(const Axis& axis);  // powers of two on a logarithmic one
std::vector<Mark> marks_of_seconds(const Axis& axis);
std::vector<Mark> marks_of_counts(const Axis& axis);

std::string text_of_seconds(double seconds);     // "1.23 us", "-" below 0 or when it is none
std::string text_of_bytes(std::uint64_t bytes);  // "64 KiB"

}  // namespace plumbline::bench
