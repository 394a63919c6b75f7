#include "hwmodels/calibrate/observations/storage_select.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "bench/results/storage_cells.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::size_t kParts = 10;  // of the repetitions of one run

bool is_valid(const bench::Cell& cell, std::size_t repetition) {
  return repetition >= cell.flags.size() || cell.flags[repetition] == 0;
}

}  // namespace

bool is_of_storage(const bench::Cell& cell) {
  using namespace bench::cells;
  return cell.operation == kStorageCalls || cell.operation == kStorageSeek || cell.operation == kStorageCache ||
         cell.operation == kStorageMetadata;
}

std::size_t runs_of_storage(const bench::Campaign& campaign, const RunChoice& choice) {
  std::set<std::uint32_t> runs;
  for (const bench::Cell& cell : campaign.cells)
    if (is_of_storage(cell) && choice.takes(cell)) runs.insert(cell.run);
  return runs.size();
}

Cells select(const Cells& cells, const std::function<bool(const bench::Cell&)>& wanted) {
  Cells result;
  for (const bench::Cell* cell : cells)
    if (wanted(*cell)) result.push_back(cell);
  return result;
}

Cells cells_of(const bench::Campaign& campaign, std::string_view operation) {
  Cells result;
  for (const bench::Cell& cell : campaign.cells)
    if (cell.operation == operation) result.push_back(&cell);
  return result;
}

std::string word(const bench::Cell& cell, const std::string& name) {
  const auto found = cell.words.find(name);
  return found == cell.words.end() ? "" : found->second;
}

double number(const bench::Cell& cell, const std::string& name, double otherwise) {
  const auto found = cell.numbers.find(name);
  return found == cell.numbers.end() ? otherwise : found->second;
}

std::vector<double> samples_of(const Cells& cells) {
  std::vector<double> samples;
  for (const bench::Cell* cell : cells)
    for (std::size_t i = 0; i < cell->seconds.size(); ++i)
      if (is_valid(*cell, i)) samples.push_back(cell->seconds[i]);
  return samples;
}

bool of_several_runs(const Cells& cells) {
  return std::any_of(cells.begin(), cells.end(),
                     [&](const bench::Cell* cell) { return cell->run != cells.front()->run; });
}

std::uint32_t round_of(const bench::Cell& cell, std::size_t repetition, bool several_runs) {
  if (several_runs) return cell.run;
  const std::size_t parts = std::min(kParts, cell.seconds.size());
  return static_cast<std::uint32_t>(repetition * parts / cell.seconds.size());
}

Typical typical(const Cells& cells) {
  Typical result;
  if (cells.empty()) return result;
  const bool several = of_several_runs(cells);
  std::map<std::uint32_t, std::vector<double>> rounds;
  for (const bench::Cell* cell : cells)
    for (std::size_t i = 0; i < cell->seconds.size(); ++i)
      if (is_valid(*cell, i)) rounds[round_of(*cell, i, several)].push_back(cell->seconds[i]);
  std::vector<double> medians;
  for (const auto& [round, values] : rounds) {
    medians.push_back(median(values));
    result.samples += values.size();
  }
  if (medians.empty()) return result;
  result.seconds = median(medians);
  result.spread = spread_of_median(medians);
  return result;
}

}  // namespace plumbline::hw::calibration
