#include "bench/rules/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/report/axis.hpp"
#include "bench/report/plot.hpp"
#include "bench/report/svg.hpp"

namespace plumbline::bench {
namespace {

// --- Overview

// "neighbor_alltoall, Moore 2D" of "neighbor_alltoall 8 B, Moore 2D": a name that all sizes have.
std::string name_of_side(const RuleOutcome& outcome, bool fast) {
  std::string text = fast ? outcome.of_fast : outcome.of_slow;
  for (const RuleCell& cell : outcome.cells) {
    const std::string size = " " + text_of_bytes(cell.bytes);
    if (const std::size_t at = text.find(size); cell.bytes > 0 && at != std::string::npos) text.erase(at, size.size());
  }
  return text;
}

SummaryRow row_of(const RuleOutcome& outcome, bool fast, const std::string& name) {
  SummaryRow row;
  row.subject.operation = name;
  row.subject.implementation = "library";
  row.bytes = outcome.bytes;
  row.run_medians = fast ? outcome.fast : outcome.slow;
  row.sorted = row.run_medians;
  std::ranges::sort(row.sorted);
  row.runs = static_cast<std::uint32_t>(row.run_medians.size());
  return row;
}

std::string title_of(const GuidelineTrack& track) {
  return fmt::format("{} ({}, {} x {})", track.title, track.mpi, track.nodes, track.per_node);
}

// --- Focus

constexpr double kWidth = 960, kHeight = 480, kLeft = 76, kRight = 24, kTop = 56, kBottom = 84, kLegend = 20;
constexpr std::string_view kFast = "#0072B2", kSlow = "#D55E00";
constexpr double kMostShown = 3;  // times the largest upper quartile: what is above is told and not drawn

// Steps of 1, 2 or 5 times a power of ten, about eight of them.
std::vector<Mark> marks_of_ratios(const Axis& axis) {
  const double rough = (axis.high() - axis.low()) / 8, power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power <= 1 ? 1 : rough / power <= 2 ? 2 : rough / power <= 5 ? 5 : 10);
  std::vector<Mark> marks;
  for (double i = std::ceil(axis.low() / step); i * step <= axis.high(); ++i)
    marks.push_back({i * step, fmt::format("{:.4g}", i * step)});
  return marks;
}

struct Boxes {
  const std::vector<RunBox>& boxes;
  std::string_view colour;
  double beside = 0;  // share of the run's width, from its middle
};

double largest_shown(const RuleOutcome& outcome) {
  double quartile = 0, most = 0;
  for (const auto* boxes : {&outcome.fast_boxes, &outcome.slow_boxes})
    for (const RunBox& box : *boxes) {
      quartile = std::max(quartile, box.high);
      most = std::max(most, box.most);
    }
  return std::min(most, kMostShown * quartile);
}

double least_shown(const RuleOutcome& outcome) {
  double least = outcome.fast_boxes.front().least;
  for (const auto* boxes : {&outcome.fast_boxes, &outcome.slow_boxes})
    for (const RunBox& box : *boxes) least = std::min(least, box.least);
  return least;
}

void draw(Svg& svg, const Axis& y, const Boxes& side, double step, double unit) {
  const double width = 0.36 * step;
  const Stroke thin{side.colour, 1.2}, thick{side.colour, 2.4};
  for (std::size_t i = 0; i < side.boxes.size(); ++i) {
    const RunBox& box = side.boxes[i];
    const double middle = kLeft + (static_cast<double>(i) + 0.5 + side.beside) * step;
    const auto at = [&](double seconds) { return y.at(seconds / unit); };
    svg.line({middle, at(box.least)}, {middle, at(box.low)}, thin);
    svg.line({middle, at(box.high)}, {middle, at(box.most)}, thin);
    svg.box({middle - width / 2, at(box.high)}, width, at(box.low) - at(box.high), side.colour, thin, 0.3);
    svg.line({middle - width / 2, at(box.median)}, {middle + width / 2, at(box.median)}, thick);
  }
}

void draw_frame(Svg& svg, const Axis& y, std::size_t runs, double step) {
  for (const Mark& mark : marks_of_ratios(y)) {
    svg.line({kLeft, y.at(mark.value)}, {kWidth - kRight, y.at(mark.value)}, {"#e4e4e4", 1});
    svg.text({kLeft - 8, y.at(mark.value) + 4.5}, mark.label, Anchor::kEnd);
  }
  const std::size_t every = (runs + 19) / 20;
  for (std::size_t i = 0; i < runs; i += every)
    svg.text({kLeft + (static_cast<double>(i) + 0.5) * step, kHeight - kBottom + 18}, fmt::format("{}", i + 1),
             Anchor::kMiddle);
  svg.box({kLeft, kTop}, kWidth - kLeft - kRight, kHeight - kTop - kBottom, "none", {"#444444", 1});
  svg.text({(kLeft + kWidth - kRight) / 2, kHeight - kBottom + 38}, "run", Anchor::kMiddle);
  svg.upright({22, (kTop + kHeight - kBottom) / 2}, "time, over the median of runs of the first");
}

void draw_legend(Svg& svg, const RuleOutcome& outcome) {
  double x = kLeft;
  for (const auto& [text, colour] : {std::pair(outcome.of_fast, kFast), std::pair(outcome.of_slow, kSlow)}) {
    svg.box({x, kHeight - kLegend - 10}, 14, 10, colour, {colour, 1}, 0.3);
    svg.text({x + 20, kHeight - kLegend}, text, Anchor::kStart, 12);
    x += 60 + 7.0 * static_cast<double>(text.size());
  }
}

}  // namespace

std::string overview_plot(const GuidelineTrack& track, const RulesVerdict& verdict) {
  std::vector<SummaryRow> fast, slow;
  for (const std::size_t i : track.of_it) {
    const RuleOutcome& outcome = verdict.outcomes[i];
    if (outcome.bytes == 0 || !outcome.not_judged.empty()) continue;
    fast.push_back(row_of(outcome, true, name_of_side(outcome, true)));
    slow.push_back(row_of(outcome, false, name_of_side(outcome, false)));
  }
  if (fast.empty()) return "";
  // Sides of the same name, as the same operation at two sizes is, are told apart by which they are.
  if (fast.front().subject == slow.front().subject)
    for (SummaryRow& row : slow) row.subject.operation += ", the other side";
  for (SummaryRow& row : fast) row.subject.operation = fast.front().subject.operation;
  for (SummaryRow& row : slow) row.subject.operation = slow.front().subject.operation;
  fast.insert(fast.end(), slow.begin(), slow.end());
  return plot(fast, PlotKind::kLines, title_of(track));
}

std::string focus_plot(const GuidelineTrack& track, const RuleOutcome& outcome) {
  if (outcome.fast_boxes.empty() || outcome.slow_boxes.empty() || outcome.fast_s <= 0) return "";
  const std::string title = title_of(track);
  Svg svg(kWidth, kHeight, title);
  svg.text({kLeft, 30}, title, Anchor::kStart, 16);
  const double unit = outcome.fast_s, least = least_shown(outcome) / unit, most = largest_shown(outcome) / unit;
  const double room = 0.04 * std::max(most - least, 0.01);
  const Axis y(false, false, std::max(0.0, least - room), most + room, kHeight - kBottom, kTop);
  const std::size_t runs = std::max(outcome.fast_boxes.size(), outcome.slow_boxes.size());
  const double step = (kWidth - kLeft - kRight) / static_cast<double>(runs);
  draw_frame(svg, y, runs, step);
  draw(svg, y, {outcome.fast_boxes, kFast, -0.2}, step, unit);
  draw(svg, y, {outcome.slow_boxes, kSlow, 0.2}, step, unit);
  draw_legend(svg, outcome);
  svg.text({kWidth - kRight, 46},
           fmt::format("{:.3g} times, q {:.2g}; boxes: quartiles of repetitions, of sums of calls those of the parts",
                       outcome.ratio, outcome.q),
           Anchor::kEnd, 12, "#555555");
  return svg.finish();
}

}  // namespace plumbline::bench
