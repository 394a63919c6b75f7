#pragma once
// The network models, one row each: what others must know of a model without knowing which it is. How to add one:
// docs/internals/extending.md.

#include <array>
#include <string_view>

#include "base/check.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

struct NetworkModel {
  const char* word;  // of platform files and of the command line
  NetworkKind value;
  const char* name;     // in sentences
  bool has_components;  // messages cross edges, switches and nodes with rates; file servers may send over it
  bool needs_latency;   // of each range
  bool needs_gap;       // likewise
  bool needs_times;     // likewise: a distribution to draw from
};

inline constexpr std::array<NetworkModel, 3> kNetworkModels{{
    {"store-and-forward", NetworkKind::kStoreAndForward, "store-and-forward", true, true, false, false},
    {"loggp", NetworkKind::kLogGP, "LogGP", false, true, true, false},
    {"sampled", NetworkKind::kSampled, "sampled", false, false, false, true},
}};

inline const NetworkModel& model_of(NetworkKind network) {
  for (const NetworkModel& each : kNetworkModels)
    if (each.value == network) return each;
  PLUMBLINE_CHECK(false, "every kind of network has a row");
  return kNetworkModels.front();
}

inline const NetworkModel& model_of(const Platform& platform) { return model_of(platform.network); }

}  // namespace plumbline::hw
