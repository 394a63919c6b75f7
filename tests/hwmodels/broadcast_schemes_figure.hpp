#pragma once
// The picture of docs/notebook/broadcasts-in-a-loop.md: what benchmarks of three kinds would call the time of a
// broadcast, over ranks.

#include <string>

namespace plumbline::hw::test {

// SVG, of one byte on a transport of Table 2 ("tcp", "gm": hwmodels/platforms/loggp-*.xml), for 2 to 1,024 ranks.
std::string broadcast_schemes_figure(const std::string& transport);

}  // namespace plumbline::hw::test
