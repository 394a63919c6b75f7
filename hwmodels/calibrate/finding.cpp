#include "hwmodels/calibrate/finding.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/quantity.hpp"

namespace plumbline::hw::calibration {
namespace {

std::string amount(double value, const std::string& unit) {
  if (unit == "B/s") return format(BytesPerSecond{static_cast<std::uint64_t>(std::llround(value))});
  return format(duration_from_seconds(value * 1e-9));
}

}  // namespace

std::string_view word(Reference reference) { return reference == Reference::kPeers ? "peers" : "nominal"; }

std::string_view confidence(const Finding& finding) {
  if (finding.p < 1e-4) return "certain";
  if (finding.p < 1e-3) return "high";
  return finding.p <= 0.05 ? "good" : "low";
}

std::string title(const Finding& finding) {
  return fmt::format(
      "{}: {} {}, {} {} ({} {})", finding.component, finding.quantity, amount(finding.measured, finding.unit),
      finding.reference == Reference::kPeers ? "its peers" : "nominal", amount(finding.expected, finding.unit),
      format_percent(finding.severity), finding.unit == "B/s" ? "missing" : "too long");
}

}  // namespace plumbline::hw::calibration
