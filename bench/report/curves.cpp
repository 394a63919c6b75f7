#include "bench/report/curves.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/error.hpp"

namespace plumbline::bench {
namespace {

// Okabe and Ito's colours, which all readers can tell apart, without the yellow; again with dashes.
constexpr std::array<std::string_view, 7> kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                   "#E69F00", "#56B4E9", "#000000"};
static_assert(kMostCurves == 2 * kColours.size());

}  // namespace

void require_curves(std::size_t curves, const char* where, const char* hint) {
  if (curves > kMostCurves)
    throw Error(where, fmt::format("these are {} curves, and more than {} cannot be told apart", curves, kMostCurves),
                hint, ExitCode::kWrongUse);
}

Stroke stroke_of(std::size_t curve) {
  return {kColours[curve % kColours.size()], 1.8, curve < kColours.size() ? "" : "7 4"};
}

}  // namespace plumbline::bench
