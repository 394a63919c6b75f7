#pragma once
// Nodes whose processors are taken away from programs, by what was timed on each of them (base/node/interruptions.hpp).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/interruptions.hpp"
#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

inline constexpr std::string_view kNoise = "cpu.noise";

struct Noise {
  std::string host;                  // empty: every node
  double share = 0, length = 0;      // of the time, and s at a time: the lesser of all times it was timed
  double peers = 0;                  // the share of the other node in the middle
  std::optional<std::uint32_t> one;  // the only processor that it is true of
};

// A node loses 2 % of the time of its processors, or 5 % of that of one processor, more than the node in the middle of
// the others, and twice as much; or every node loses 5 %. Each time that it was timed, twice at least: what was noise
// at one moment is gone at the other.
std::vector<Noise> noise_of(const std::map<std::string, std::vector<node::Interruptions>>& timed);

Observation observation_of(const Noise& noise, const std::vector<node::Interruptions>& timed);

}  // namespace plumbline::replay::validate
