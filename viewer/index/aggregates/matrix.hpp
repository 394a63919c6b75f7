#pragma once
// Who sent how much to whom: messages and one-sided transfers of the program.

#include <cstdint>
#include <string>
#include <vector>

#include "base/time_sum.hpp"
#include "viewer/index/matches/matches.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

enum class MatrixBy : std::uint8_t { kRank, kNode };
// Own excess: of both ends of a message, and of the waits for them.
enum class MatrixOf : std::uint8_t { kBytes, kCount, kOwn };

struct MatrixCell {
  std::uint32_t from = 0, to = 0;
  TimeSum::Picoseconds value = 0;  // bytes, messages or ps
};

struct Matrix {
  std::vector<std::string> names;  // "3", "4-7": where there are more than kMostCells, neighbours share a row
  std::vector<MatrixCell> cells;   // those that are not 0, by from, then to
};
inline constexpr std::uint32_t kMostCells = 256;  // in a row and in a column

// Of what begins in the range.
Matrix matrix_of(const Runs& runs, const Matches& matches, TimeRange range, MatrixBy by, MatrixOf of);

}  // namespace plumbline::viewer
