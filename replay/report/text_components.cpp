#include "replay/report/text_components.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "replay/compare/wording.hpp"
#include "replay/report/text_table.hpp"

namespace plumbline::replay {
namespace {

constexpr std::size_t kNameWidth = 32;

bool is_bytes(const UseTotal& total) { return total.unit == "B"; }

std::string bytes_text(const ComponentTotals& component) {
  std::uint64_t sum = 0;
  for (const UseTotal& total : component.totals)
    if (is_bytes(total)) sum += total.value;
  return std::ranges::any_of(component.totals, is_bytes) ? format(Bytes{sum}) : "";
}

// "0.27", "3.1", "120".
std::string mean_text(double mean) { return fmt::format("{:.{}f}", mean, mean < 1 ? 2 : mean < 100 ? 1 : 0); }

std::string total_text(const UseTotal& total) {
  if (is_bytes(total)) return fmt::format("{} {}", total.name, format(Bytes{total.value}));
  if (total.unit == "ps")
    return fmt::format("{} {}", total.name, format(Duration{static_cast<std::int64_t>(total.value)}));
  return fmt::format("{} {}", total.name, total.value);
}

// What has no column: further levels, and all totals as soon as they are more than one of bytes.
std::string below(const ComponentTotals& component) {
  std::vector<std::string> texts;
  const bool one_column_tells = component.totals.size() == 1 && is_bytes(component.totals.front());
  if (!one_column_tells)
    for (const UseTotal& total : component.totals) texts.push_back(total_text(total));
  for (std::size_t i = 1; i < component.levels.size(); ++i) {
    const UseLevel& level = component.levels[i];
    texts.push_back(fmt::format("{} {} on average, {} at most", level.name, mean_text(level.mean), level.most));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::vector<std::string> component_lines(const Report& report, std::size_t most) {
  using Align = TextTable::Align;
  TextTable table({{"component", Align::kLeft},
                   {"kind", Align::kLeft},
                   {"busy"},
                   {"share"},
                   {"bytes"},
                   {"mean queue"},
                   {"longest"}});
  const std::size_t shown = std::min(most, report.components.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const ComponentTotals& component = report.components[i];
    const bool queues = !component.levels.empty();
    table.add({shortened(component.name, kNameWidth), component.kind, format(component.busy),
               percent(busy_share(report, component)), bytes_text(component),
               queues ? mean_text(component.levels.front().mean) : "",
               queues ? fmt::format("{}", component.levels.front().most) : ""},
              below(component));
  }
  return table.lines();
}

}  // namespace plumbline::replay
