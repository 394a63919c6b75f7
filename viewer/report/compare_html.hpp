#pragma once
// A comparison as one file: readable without scripts, and with them the page of the viewer over data that stands in the
// file itself. It needs no network and no other file.

#include <cstddef>
#include <span>
#include <string>

#include "replay/report/report.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {

struct CompareHtml {
  std::span<const std::byte> page = {};  // page_gzip(); empty: only the readable half, which says so
  std::size_t most_bytes = 5'000'000;    // of the file: where all does not fit, the timeline is coarser, and says so
};

// `report` is of the pair that was opened. Names in it may hold anything: all text is escaped.
std::string compare_html(Opened& opened, const replay::Report& report, const CompareHtml& options = {});

// `report`: html_report() of a validation; behind its text, on a button, the timeline of the run of its suite that was
// opened. What it is without the page, or where there is no room.
std::string with_timeline(const std::string& report, Opened& opened, const std::string& run,
                          const CompareHtml& options = {});

}  // namespace plumbline::viewer
