#pragma once
// A quantile function to look up for every message: which piece a share falls into is guessed by a table of equal cells
// (Chen and Asau, "On generating random variates from an empirical distribution", AIIE Transactions 6, 1974).

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform/message_times.hpp"

namespace plumbline::hw {

class QuantileTable {
 public:
  explicit QuantileTable(std::span<const Quantile> quantiles);

  // Of a share from 0 to 1; a knot of the function gives its value exactly.
  Duration at(double share) const {
    std::uint32_t piece = first_of_cell_[static_cast<std::size_t>(share * kCells)];
    while (pieces_[piece].end <= share) ++piece;
    const Piece& p = pieces_[piece];
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): it is not negative, and lround is a call for each message
    return {p.value.ps + static_cast<std::int64_t>((share - p.begin) * p.slope + 0.5)};
  }

 private:
  static constexpr std::size_t kCells = 64;
  struct Piece {
    double begin = 0, end = 0;  // shares; the last one never ends
    double slope = 0;           // picoseconds per share
    Duration value;             // at the begin
  };

  std::vector<Piece> pieces_;
  std::array<std::uint32_t, kCells + 1> first_of_cell_{};  // the last cell is the share of 1
};

}  // namespace plumbline::hw
