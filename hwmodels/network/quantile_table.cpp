#include "hwmodels/network/quantile_table.hpp"

#include <limits>

#include "base/check.hpp"

namespace plumbline::hw {

QuantileTable::QuantileTable(std::span<const Quantile> quantiles) {
  PLUMBLINE_CHECK(quantiles.size() >= 2, "a quantile function has a least and a greatest value");
  for (std::size_t i = 0; i + 1 < quantiles.size(); ++i) {
    const Quantile &low = quantiles[i], &high = quantiles[i + 1];
    const double slope = static_cast<double>((high.value - low.value).ps) / (high.share - low.share);
    pieces_.push_back({low.share, high.share, slope, low.value});
  }
  pieces_.back().end = std::numeric_limits<double>::infinity();
  std::uint32_t piece = 0;
  for (std::size_t cell = 0; cell <= kCells; ++cell) {
    const double share = static_cast<double>(cell) / kCells;
    while (pieces_[piece].end <= share) ++piece;
    first_of_cell_[cell] = piece;
  }
}

}  // namespace plumbline::hw
