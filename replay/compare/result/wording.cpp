#include "replay/compare/result/wording.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/quantity.hpp"

namespace plumbline::replay {

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string percent(double fraction) { return format_percent(std::abs(fraction) < 0.0005 ? 0 : fraction); }

std::string shared_cores_text(const SharedCores& node) {
  return fmt::format("ranks share cores: {} on {}", plural(node.ranks.size(), "rank"), plural(node.cores, "core"));
}

std::string why_waiting_is_withheld(const SharedCores& node) {
  return shared_cores_text(node) + "; waiting cannot be told from being descheduled";
}

std::string why_waiting_is_withheld(TimeSum off_cpu) {
  return fmt::format("ranks were ready but not scheduled for {}; waiting cannot be told from being descheduled",
                     format(off_cpu));
}

}  // namespace plumbline::replay
