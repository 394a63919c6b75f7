#include "hwmodels/calibrate/storage/cache_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/statistics/rank_sum.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

// Writers that wait do so for a while and then go on: a chunk alone tells nothing, the sum of some does.
constexpr std::size_t kChunksOfBlock = 4, kFewestBlocks = 4;
constexpr double kSlower = 1.5, kSureOfLimit = 0.01;

std::vector<double> blocks_of(const std::vector<double>& seconds) {
  std::vector<double> blocks;
  for (std::size_t i = 0; i + kChunksOfBlock <= seconds.size(); i += kChunksOfBlock)
    blocks.push_back(std::accumulate(seconds.begin() + static_cast<std::ptrdiff_t>(i),
                                     seconds.begin() + static_cast<std::ptrdiff_t>(i + kChunksOfBlock), 0.0));
  return blocks;
}

double log_deviation(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  const std::vector<double> part(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                 values.begin() + static_cast<std::ptrdiff_t>(end));
  const double middle = std::log(median(part));
  double sum = 0;
  for (const double value : part) sum += std::abs(std::log(value) - middle);
  return sum;
}

// Blocks before the change; all of them where there is none.
std::size_t blocks_before_change(const std::vector<double>& blocks) {
  if (blocks.size() < 2 * kFewestBlocks) return blocks.size();
  std::size_t best = blocks.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t split = kFewestBlocks; split + kFewestBlocks <= blocks.size(); ++split) {
    const double sum = log_deviation(blocks, 0, split) + log_deviation(blocks, split, blocks.size());
    if (sum < least) least = sum, best = split;
  }
  const std::vector<double> before(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(best));
  const std::vector<double> behind(blocks.begin() + static_cast<std::ptrdiff_t>(best), blocks.end());
  const bool told = median(behind) > kSlower * median(before) &&
                    statistics::rank_sum_test(behind, before, statistics::Alternative::kGreater).p < kSureOfLimit;
  return told ? best : blocks.size();
}

}  // namespace

CacheFit fit_cache(const CacheFill& fill, std::optional<double> background) {
  CacheFit fit;
  fit.written = fill.chunk * static_cast<double>(fill.seconds.size());
  const std::vector<double> blocks = blocks_of(fill.seconds);
  if (blocks.empty()) return fit;
  const std::size_t before = blocks_before_change(blocks);
  const double block = fill.chunk * kChunksOfBlock;
  const double elapsed = std::accumulate(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(before), 0.0);
  const double written = block * static_cast<double>(before);
  fit.rate = written / elapsed;
  if (before == blocks.size()) return fit;
  const double behind = std::accumulate(blocks.begin() + static_cast<std::ptrdiff_t>(before), blocks.end(), 0.0);
  fit.rate_beyond = block * static_cast<double>(blocks.size() - before) / behind;
  const double until_background = std::min(background.value_or(written / 2), written) / fit.rate;
  const double written_back = std::min(written / 2, fit.rate_beyond * (elapsed - until_background));
  fit.dirty_limit = written - written_back;
  fit.spread = (block + written_back / 2) / *fit.dirty_limit;
  return fit;
}

}  // namespace plumbline::hw::calibration
