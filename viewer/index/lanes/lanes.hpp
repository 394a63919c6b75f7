#pragma once
// The lanes of the timeline: ranks, ranks that behave alike, and components of the platform.

#include <cstdint>
#include <string>
#include <vector>

#include "base/time_sum.hpp"
#include "viewer/index/lanes/folds.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

enum class LaneKind : std::uint8_t { kRank, kFold, kComponent };

// Numbers of lanes, as everybody outside knows them.
inline constexpr std::uint32_t kFirstFoldLane = 0x20000000, kFirstComponentLane = 0x40000000;

struct Lane {
  std::uint32_t number = 0;
  LaneKind kind = LaneKind::kRank;
  std::string name;                  // "0", "1–15 ×15", "l1s0-n0 >"
  std::string node = {};             // where it ran; "" of a component, and of ranks on several nodes
  std::string members = {};          // of a fold: "1-15,17"
  std::uint32_t ranks = 0;           // 0: a component
  TimeSum own, inherited;            // over all judged operations of its ranks
  std::string note = {};             // of a rank that is alone for a reason: "+1.2 s own in MPI_File_write_at_all"
  std::uint32_t worst_rank = 0;      // of greatest own excess
  std::string component_class = {};  // "link"
  double busy_share = 0;             // of a component: mean over the run, 0 to 1
};

struct Lanes {
  std::vector<Lane> ranks;       // by rank
  std::vector<Lane> components;  // busiest first
};

Lanes make_lanes(const Runs& runs);

// One lane per fold, in their order; that of a single rank is the lane of the rank, with the reason why it is alone.
std::vector<Lane> fold_lanes(const Runs& runs, const Lanes& lanes, const Folds& folds);

// "0-3,7": ascending ranks. `dash` stands between the ends of a range.
std::string rank_list(const std::vector<std::uint32_t>& ranks, const char* dash = "-");

// Share of [begin, begin + length) in which a component was busy. Before its first piece it was not; its last piece has
// no end.
double busy_share(const ComponentHistory& component, Time begin, Duration length);

}  // namespace plumbline::viewer
