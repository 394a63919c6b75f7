#pragma once
// The words of platform files and settings for what is an enumeration in the program.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "hwmodels/platform/platform.hpp"

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

inline constexpr std::array<WordOf<FilePlacement>, 2> kFilePlacements{
    {{"path-hash", FilePlacement::kPathHash}, {"gluster-hash", FilePlacement::kGlusterHash}}};

inline constexpr std::array<WordOf<Progress>, 3> kProgress{
    {{"in-calls", Progress::kInCalls}, {"thread", Progress::kThread}, {"hardware", Progress::kHardware}}};

inline constexpr std::array<WordOf<SenderFree>, 2> kSenderFree{
    {{"arrived", SenderFree::kArrived}, {"copied", SenderFree::kCopied}}};

inline constexpr std::array<WordOf<Protocol>, 2> kProtocols{
    {{"eager", Protocol::kEager}, {"rendezvous", Protocol::kRendezvous}}};

inline constexpr std::array<WordOf<bool>, 2> kNoOrYes{{{"no", false}, {"yes", true}}};
inline constexpr std::array<WordOf<bool>, 2> kFullOrHalf{{{"full", false}, {"half", true}}};  // half: true

template <class Words>
std::vector<std::string> all_words(const Words& words) {
  std::vector<std::string> all;
  for (const auto& each : words) all.emplace_back(each.word);
  return all;
}

template <class T, class Words>
std::string_view word_of(const T& value, const Words& words) {
  for (const auto& each : words)
    if (each.value == value) return each.word;
  return "";
}

}  // namespace plumbline::hw
