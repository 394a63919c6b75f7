#pragma once
// The page of the viewer, as part of the program.

#include <cstddef>
#include <span>

namespace plumbline::viewer {

// One self-contained HTML file, compressed by gzip. Empty where the page was not built (VIEWER_ASSETS=off, or npm was
// not there).
//
// It has two places to fill in for a report that is a file of its own: "<!--plumbline-static-->", within the element
// that the script replaces, for what is read without scripts, and "<!--plumbline-data-->" for
// <script type="application/json" id="plumbline-data">, as viewer/web/src/data/inlined.ts describes it.
std::span<const std::byte> page_gzip();

}  // namespace plumbline::viewer
