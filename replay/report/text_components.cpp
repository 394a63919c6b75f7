#include "replay/report/text_components.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "base/text/text_table.hpp"
#include "replay/compare/result/wording.hpp"

namespace plumbline::replay {
namespace {

constexpr std::size_t kNameWidth = 32;

bool is_bytes(const UseTotal& total) { return total.unit == "B"; }

// The first level of things that wait; null: there is none. A level of bytes is what something holds.
const UseLevel* queue_of(const ComponentTotals& component) {
  const auto found = std::ranges::find_if(component.levels, [](const UseLevel& level) { return level.unit != "B"; });
  return found == component.levels.end() ? nullptr : &*found;
}

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

std::string level_text(const UseLevel& level) {
  if (level.unit != "B")
    return fmt::format("{} {} on average, {} at most", level.name, mean_text(level.mean), level.most);
  const Bytes mean{static_cast<std::uint64_t>(level.mean)};
  return fmt::format("{} {} on average, {} at most", level.name, format(mean), format(Bytes{level.most}));
}

// What has no column: further levels, and all totals as soon as they are more than one of bytes.
std::string below(const ComponentTotals& component) {
  std::vector<std::string> texts;
  const bool one_column_tells = component.totals.size() == 1 && is_bytes(component.totals.front());
  if (!one_column_tells)
    for (const UseTotal& total : component.totals) texts.push_back(total_text(total));
  for (const UseLevel& level : component.levels)
    if (&level != queue_of(component)) texts.push_back(level_text(level));
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
    const UseLevel* queue = queue_of(component);
    table.add({shortened(component.name, kNameWidth), component.kind, format(component.busy),
               percent(busy_share(report, component)), bytes_text(component),
               queue != nullptr ? mean_text(queue->mean) : "", queue != nullptr ? fmt::format("{}", queue->most) : ""},
              below(component));
  }
  return table.lines();
}

}  // namespace plumbline::replay
