#include "hwmodels/calibrate/network/loopback.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"

namespace plumbline::hw::calibration {
namespace {

std::string text_of_time(double ns) { return format(duration_from_seconds(ns * 1e-9)); }

// Whether it is above the other by more than both are known to.
bool is_longer(const Loopback& loopback, const Figure& memory, double memory_ns) {
  return loopback.ns - loopback.uncertainty_ns() > memory_ns * (1 + memory.spread);
}

// Of ranks that waited for their messages, as they do for one from another node; of others in a campaign without.
std::map<PlacePair, Curve> times_through(const Observations& observations, std::vector<std::string>& notes) {
  Observations apart;
  apart.figures = observations.loopback;
  if (auto waited = waited_one_way_times(apart); !waited.empty()) return waited;
  auto times = one_way_times(apart);
  if (!times.empty())
    notes.push_back(
        "through the loopback no rank had waited for its messages: what a core takes after it has waited is in the "
        "latency of the cables");
  return times;
}

}  // namespace

std::optional<Loopback> loopback_of(const Structure& structure, const Observations& observations,
                                    std::vector<std::string>& notes) {
  const std::map<PlacePair, Curve> pairs = times_through(observations, notes);
  std::vector<const Curve*> curves;
  for (const auto& [pair, curve] : pairs) curves.push_back(&curve);
  const Curve curve = centre(curves);
  if (curve.empty()) return std::nullopt;
  const auto& [bytes, figure] = *curve.begin();
  const Loopback loopback{bytes, figure.value, figure.spread, static_cast<std::uint32_t>(pairs.size()),
                          figure.repetitions};
  const Curve inside = structure.curve(PairKind::kInside);
  if (inside.empty()) {
    notes.push_back(
        "the loopback could not be held against shared memory, which was not measured: that it was left is taken for "
        "granted");
    return loopback;
  }
  const double memory = value_at(inside, static_cast<double>(bytes));
  if (is_longer(loopback, inside.begin()->second, memory)) return loopback;
  notes.push_back(
      fmt::format("the loopback takes {} for {} B and shared memory {}: the library did not leave it. Not used; "
                  "latencies of cables have kernel and library in them",
                  text_of_time(loopback.ns), bytes, text_of_time(memory)));
  return std::nullopt;
}

}  // namespace plumbline::hw::calibration
