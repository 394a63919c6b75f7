#include "viewer/report/waterfall.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "replay/compare/result/wording.hpp"
#include "viewer/index/pyramid/strips.hpp"
#include "viewer/report/html.hpp"

namespace plumbline::viewer {
namespace {

using replay::Totals;

// Pixels of the drawing before it is scaled to the page.
constexpr double kWidth = 900, kRow = 26, kBarHeight = 16, kBarsBegin = 200, kBarsEnd = 720;

constexpr std::string_view kAll = "all";

struct Range {
  double least = 0, most = 0;

  double position(double seconds) const {
    return kBarsBegin + (kBarsEnd - kBarsBegin) * (seconds - least) / (most - least);
  }
};

Range range_of(const std::vector<WaterfallPart>& parts) {
  Range range;
  TimeSum sum;
  for (const WaterfallPart& part : parts) {
    sum += part.time;
    range.least = std::min(range.least, sum.seconds());
    range.most = std::max(range.most, sum.seconds());
  }
  return range;
}

std::string bar(const Range& range, double from, double to, double top, std::string_view name) {
  const double left = range.position(std::min(from, to)), right = range.position(std::max(from, to));
  const std::string place = fmt::format("x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\"", left, top,
                                        std::max(right - left, 1.0), kBarHeight);
  return fmt::format("<rect class=\"{}\" {}/><rect class=\"over {}-over\" {}/>", name, place, name, place);
}

std::string row(const Range& range, const WaterfallPart& part, TimeSum from, TimeSum all, double top) {
  const double middle = top + kBarHeight - 3;
  const TimeSum to = from + part.time;
  std::string text = fmt::format("<g><title>{}</title>", escaped(part.meaning));
  text += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>", kBarsBegin - 10, middle,
                      escaped(part.label));
  text += bar(range, from.seconds(), to.seconds(), top, part.name);
  if (part.name != kAll)
    text += fmt::format("<line class=\"step\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\"/>",
                        range.position(to.seconds()), top + kBarHeight, top + kRow);
  text += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{} ({})</text></g>\n", kBarsEnd + 12, middle,
                      escaped(format(part.time)), escaped(replay::percent(share_of(part.time, all))));
  return text;
}

}  // namespace

std::vector<WaterfallPart> waterfall_of(std::span<const Totals* const> totals) {
  std::vector<WaterfallPart> parts{
      {"compute", "computing", "between calls, on a core", {}},
      {"expected", "expected", "calls, as long as they take on this platform", {}},
      {"inherited", "waiting for others", "calls that waited because other ranks were late", {}},
      {"structure", "algorithm and hints", "calls, beyond their best form on this platform", {}},
      {"stack", "hardware and stack", "calls, beyond what the platform says of the form that they had", {}},
      {"gained", "gained", "calls that were faster than the platform says: it counts against the others", {}},
      {"polling", "polling", "tests and probes that found nothing", {}},
      {"off-cpu", "not scheduled", "ready to run, but something else ran on the core", {}},
      {"not-judged", "not judged", "calls that nothing can be said of", {}},
      {"set-up", "set-up", "start-up, shutdown and creation of communicators, windows and file handles", {}},
      {"outside", "outside", "before the first and after the last call of a rank", {}},
  };
  for (const Totals* each : totals) {
    const TimeSum times[]{each->compute,         each->judged - each->own - each->inherited,
                          each->inherited,       each->structure,
                          each->lost_to_stack(), -each->gained,
                          each->polling,         each->off_cpu,
                          each->not_judged,      each->set_up,
                          each->outside};
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].time += times[i];
  }
  return parts;
}

std::string waterfall_figure(const std::vector<WaterfallPart>& parts, const WaterfallNames& names) {
  TimeSum all;
  for (const WaterfallPart& part : parts) all += part.time;
  const Range range = range_of(parts);
  if (all.ps <= 0 || range.most <= range.least) return {};
  std::string rows;
  TimeSum from;
  double top = 4;
  for (const WaterfallPart& part : parts) {
    if (part.time.ps == 0) continue;
    rows += row(range, part, from, all, top);
    from += part.time;
    top += kRow;
  }
  rows += row(range, {kAll, names.all, "ranks times the length of each run", all}, {}, all, top);
  return fmt::format(
      "<div class=\"wide\"><svg class=\"figure\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
      "aria-label=\"{}\">\n"
      "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><rect class=\"mark\" width=\"2\" height=\"6\"/></pattern>"
      "<pattern id=\"dots\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
      "<circle class=\"mark\" cx=\"2\" cy=\"2\" r=\"1.2\"/></pattern></defs>\n{}</svg></div>\n",
      kWidth, top + kRow, escaped(names.title), rows);
}

}  // namespace plumbline::viewer
