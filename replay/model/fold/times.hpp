#pragma once
// Times of ranks as one expression of the language of models.

#include <cstdint>
#include <string>
#include <vector>

namespace plumbline::replay::model {

// A time of some ranks, in ps.
struct RankTime {
  std::uint32_t rank = 0;
  double time = 0;
};

// What two ranks may be apart that have their mean: a share of their time, but no more than `most`, and `negligible`
// whatever their time; ps.
struct Alike {
  double share = 0, most = 0, negligible = 0;
};

inline constexpr std::size_t kLongestExpression = 2'000;  // characters, far below the 1000 parts that may be nested

// The times of the ranks that run a statement. The largest group of ranks that are alike is what holds for all others.
// `factor` is written behind every time. "" where none of them is a picosecond.
std::string time_text(const std::vector<RankTime>& times, Alike alike, std::uint32_t all, const std::string& factor);

}  // namespace plumbline::replay::model
