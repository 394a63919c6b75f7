#include "replay/report/text_paint.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "replay/compare/result/wording.hpp"

namespace plumbline::replay {

std::string painted(std::string_view text, Paint paint, bool color) {
  return color ? fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(paint), text) : std::string(text);
}

std::string cost_text(const Finding& finding) {
  std::string text = fmt::format("costs {} {}{} ({} of the run)", finding.cost_is_of,
                                 finding.cost_is_bound ? "up to " : "", format(finding.cost), percent(finding.share));
  if (finding.cost_on_device > finding.cost)
    text += fmt::format(", up to {} if data was on the device", format(finding.cost_on_device));
  return text;
}

}  // namespace plumbline::replay
