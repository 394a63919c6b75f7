#include "bench/results/measurements.hpp"

namespace plumbline::bench {

const Series* find(const Measurements& measurements, std::string_view name) {
  for (const Series& each : measurements.series)
    if (each.name == name) return &each;
  return nullptr;
}

Series& series(Measurements& measurements, std::string_view name, std::string_view unit) {
  for (Series& each : measurements.series)
    if (each.name == name) return each;
  return measurements.series.emplace_back(Series{std::string(name), std::string(unit), {}});
}

}  // namespace plumbline::bench
