#pragma once
// Picks cells of storage and says what several of them together tell.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/results/campaign.hpp"
#include "hwmodels/calibrate/observations/runs.hpp"
#include "hwmodels/platform/parameter.hpp"

namespace plumbline::hw::calibration {

using Cells = std::vector<const bench::Cell*>;

bool is_of_storage(const bench::Cell& cell);                                            // of one of the four families
std::size_t runs_of_storage(const bench::Campaign& campaign, const RunChoice& choice);  // that count

Cells select(const Cells& cells, const std::function<bool(const bench::Cell&)>& wanted);
Cells cells_of(const bench::Campaign& campaign, std::string_view operation);

std::string word(const bench::Cell& cell, const std::string& name);                 // empty: it has none
double number(const bench::Cell& cell, const std::string& name, double otherwise);  // otherwise: it has none

// Valid repetitions of all of them, seconds.
std::vector<double> samples_of(const Cells& cells);

// The median over runs of the median of each; of one run, over its tenths: neighbours are not independent.
struct Typical {
  double seconds = 0;
  double spread = 0;  // relative half-width (spread_of_median)
  std::size_t samples = 0;
};
Typical typical(const Cells& cells);

// Which round a repetition counts for, in the sense above.
std::uint32_t round_of(const bench::Cell& cell, std::size_t repetition, bool several_runs);
bool of_several_runs(const Cells& cells);

// Spreads are known to a tenth of a percent at best.
template <class T>
Parameter<T> parameter(T value, double spread, std::string source) {
  return {value, value == T{} ? 0 : static_cast<double>(static_cast<std::int64_t>(spread * 1000 + 0.999999)) / 1000,
          std::move(source)};
}

}  // namespace plumbline::hw::calibration
