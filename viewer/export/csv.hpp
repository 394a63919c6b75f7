#pragma once
// One line an operation, for spreadsheets and data frames: RFC 4180 with line feeds. docs/how-to/export.md names the
// columns, which are those of an operation in docs/reference/viewer-api.md.

#include <array>
#include <ostream>
#include <string>
#include <string_view>

#include "base/progress.hpp"
#include "viewer/export/facts.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

inline constexpr std::array<std::string_view, 25> kCsvColumns = {
    "rank",     "operation", "node",     "call",    "kind",     "site",         "comm_size",
    "peer",     "tag",       "bytes",    "file",    "begin_ps", "observed_ps",  "free_begin_ps",
    "free_ps",  "lower_ps",  "upper_ps", "band_ps", "own_ps",   "inherited_ps", "structure_ps",
    "stack_ps", "gained_ps", "judged",   "reason"};

// Rank by rank. The comparison of `runs` is not looked at. Error when `to` takes no more.
ExportSummary write_csv(const Runs& runs, std::ostream& to, Progress* progress = nullptr);

}  // namespace plumbline::viewer
