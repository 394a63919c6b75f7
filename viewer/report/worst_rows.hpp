#pragma once
// The rows of all runs that lost most, observed beside expected.

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "replay/report/report.hpp"

namespace plumbline::viewer {

using NamedReport =
    std::pair<std::string, const replay::Report*>;  // of a run of the suite, "" of the only one; not nullptr

// A table with one bar a row: what was expected, what algorithm and hints lost, what hardware and stack lost, and the
// bracket of the expectation above it. "" where no row lost anything.
std::string worst_rows_table(std::span<const NamedReport> runs, std::size_t most = 10);

}  // namespace plumbline::viewer
