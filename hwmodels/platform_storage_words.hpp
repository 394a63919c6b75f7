#pragma once
// The words of a platform file for what is an enumeration in the program.

#include <array>

#include "hwmodels/storage_parts.hpp"

namespace plumbline::hw {

template <class T>
struct WordOf {
  const char* word;
  T value;
};

inline constexpr std::array<WordOf<CachePolicy>, 6> kCachePolicies{{
    {"none", CachePolicy::kNone},
    {"write-behind", CachePolicy::kWriteBehind},
    {"aggregation", CachePolicy::kAggregation},
    {"aggregation-reorder", CachePolicy::kAggregationReorder},
    {"server-directed", CachePolicy::kServerDirected},
    {"page-cache", CachePolicy::kPageCache},
}};

inline constexpr std::array<WordOf<bool>, 2> kNoOrYes{{{"no", false}, {"yes", true}}};

}  // namespace plumbline::hw
