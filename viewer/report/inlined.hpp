#pragma once
// What the page of the viewer finds in a file instead of a server (viewer/web/src/data/inlined.ts).

#include <cstddef>
#include <string>
#include <vector>

#include "viewer/server/opened.hpp"

namespace plumbline::viewer {

struct Inlined {
  std::string json;                   // for <script type="application/json">
  std::vector<std::string> left_out;  // sentences; they stand among the notes of the page as well
};

// Of a comparison, in about `most_bytes` at most; json is "" where not even the run and its findings fit.
Inlined inlined_data(Opened& opened, std::size_t most_bytes);

}  // namespace plumbline::viewer
