#include "viewer/report/worst_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/quantity.hpp"
#include "replay/compare/result/wording.hpp"
#include "viewer/report/html.hpp"

namespace plumbline::viewer {
namespace {

struct NamedRow {
  const std::string* run = nullptr;
  const replay::Row* row = nullptr;
};

std::vector<NamedRow> worst(std::span<const NamedReport> runs, std::size_t most) {
  std::vector<NamedRow> rows;
  for (const auto& [name, report] : runs)
    for (const replay::Row& row : report->rows)
      if (row.own.total.ps > 0 && replay::is_worth_a_line(row)) rows.push_back({&name, &row});
  std::ranges::stable_sort(rows,
                           [](const NamedRow& a, const NamedRow& b) { return a.row->own.total > b.row->own.total; });
  rows.resize(std::min(rows.size(), most));
  return rows;
}

// In per mille of the longest time that is drawn.
struct Scale {
  double longest = 1;

  double operator()(TimeSum time) const { return std::clamp(1000 * time.seconds() / longest, 0.0, 1000.0); }
};

std::string part(double from, double to, std::string_view name) {
  if (to <= from) return {};
  return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"12\" width=\"{:.1f}\" height=\"16\"/>", name, from,
                     to - from);
}

// The thin I from the lower to the upper end.
std::string bracket(double from, double to) {
  return fmt::format("<path class=\"bracket\" d=\"M{0:.1f} 4V34M{1:.1f} 4V34M{0:.1f} 8H{1:.1f}\"/>", from, to);
}

std::string bars(const replay::Row& row, const Scale& scale) {
  const TimeSum lost = row.own.total, structure = std::clamp(row.structure, TimeSum(), lost);
  const double observed = scale(row.observed), expected = scale(row.observed - lost),
               configured = scale(row.observed - lost + structure);
  return fmt::format(
      "<svg class=\"bars\" viewBox=\"0 0 1000 38\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"observed {}, expected {} to {}\">{}{}{}{}</svg>",
      escaped(format(row.observed)), escaped(format(row.lower)), escaped(format(row.upper)),
      part(0, expected, "expected"), part(expected, configured, "structure"), part(configured, observed, "stack"),
      bracket(scale(row.lower), scale(row.upper)));
}

std::string expected_text(const replay::Row& row) {
  const std::string lower = format(row.lower), upper = format(row.upper);
  return lower == upper ? lower : fmt::format("{} to {}", lower, upper);
}

Cell name_cell(const NamedRow& named, const Scale& scale) {
  const replay::Row& row = *named.row;
  std::string below = named.run->empty() ? "" : *named.run + ", ";
  below += replay::size_class_text(row.key.size_class);
  if (!row.site.empty()) below += ", " + row.site;
  if (!row.file.empty()) below += ", " + row.file;
  return {element("b", row.call) + " " + element("small", below) + bars(row, scale)};
}

Cell verdict_cell(const replay::Row& row) {
  std::string markup = escaped(word(row.verdict()));
  if (!row.reason.empty()) markup += "<br/>" + element("small", row.reason);
  return {markup};
}

}  // namespace

std::string worst_rows_table(std::span<const NamedReport> runs, std::size_t most) {
  const std::vector<NamedRow> rows = worst(runs, most);
  if (rows.empty()) return {};
  Scale scale{0};
  for (const NamedRow& named : rows)
    scale.longest = std::max({scale.longest, named.row->observed.seconds(), named.row->upper.seconds()});
  Table table({text_cell("call, observed beside expected"), number_cell("observed"), number_cell("expected"),
               number_cell("lost"), text_cell("verdict")});
  for (const NamedRow& named : rows) {
    const replay::Row& row = *named.row;
    table.add({name_cell(named, scale), number_cell(format(row.observed)), number_cell(expected_text(row)),
               number_cell(fmt::format("{} ({})", format(row.own.total), replay::percent(row.share))),
               verdict_cell(row)});
  }
  return wrap("div", table.markup(), "class=\"rows\"") +
         "<p class=\"legend\"><svg class=\"key\" viewBox=\"0 0 12 12\"><rect class=\"expected\" width=\"12\" "
         "height=\"12\"/></svg> as expected (first part) <svg class=\"key\" viewBox=\"0 0 12 12\"><rect "
         "class=\"structure\" width=\"12\" height=\"12\"/></svg> algorithm and hints (second) <svg class=\"key\" "
         "viewBox=\"0 0 12 12\"><rect class=\"stack\" width=\"12\" height=\"12\"/></svg> hardware and stack (last); "
         "the "
         "thin bracket spans what is expected, from all data in the cache to all on the device. Parts are not in order "
         "of time. Sums over ranks; lost: over ranks times the length of the run.</p>\n";
}

}  // namespace plumbline::viewer
