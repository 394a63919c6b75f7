#pragma once
// What locations of the platform of a replay have in common in an expected archive.

#include <cstdint>
#include <span>

#include "tracer/archive/model.hpp"

namespace plumbline::replay {

struct MetricText {
  const char* name;
  const char* description;
  const char* unit;
  std::uint8_t mode;  // archive::kMetricAccumulatedStart or kMetricAbsolutePoint
};

// A class of these members, whose values are uint64. Returns its index.
std::uint32_t add_metric_class(archive::Definitions& definitions, std::span<const MetricText> members);

// The group of these locations; made when it is not there.
std::uint32_t platform_group(archive::Definitions& definitions);

}  // namespace plumbline::replay
