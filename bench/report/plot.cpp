#include "bench/report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "bench/report/axis.hpp"
#include "bench/report/curves.hpp"
#include "bench/report/svg.hpp"

namespace plumbline::bench {
namespace {

constexpr double kHeight = 560, kPlotWidth = 780;
constexpr double kLeft = 96, kTop = 56, kBottom = 96;
constexpr double kLegendGap = 18, kLegendLine = 20, kSymbol = 26, kLetter = 7.2;
constexpr std::size_t kLongestName = 64;  // letters of a legend
constexpr Stroke kFrame{"#444444", 1}, kGrid{"#e4e4e4", 1}, kFineGrid{"#f2f2f2", 1};

std::string shortened(const std::string& name) {
  return name.size() <= kLongestName ? name : name.substr(0, kLongestName - 1) + "…";
}

struct Curve {
  std::string name;
  std::vector<const SummaryRow*> rows;  // by size
};

std::vector<Curve> curves_of(std::span<const SummaryRow> rows) {
  std::vector<Curve> curves;
  std::vector<Subject> subjects;
  for (const SummaryRow& row : rows) {
    if (!row.has_times()) continue;
    if (subjects.empty() || subjects.back() != row.subject) {
      subjects.push_back(row.subject);
      curves.emplace_back();
    }
    curves.back().rows.push_back(&row);
  }
  const std::vector<std::string> names = short_names(subjects);
  for (std::size_t i = 0; i < curves.size(); ++i) curves[i].name = names[i];
  return curves;
}

std::uint32_t number_of_ranks(const SummaryRow& row) { return row.subject.nodes * row.subject.per_node; }

// What differs in the layout only is one curve, by the number of ranks.
std::vector<Curve> curves_over_ranks(std::span<const SummaryRow> rows) {
  std::map<std::pair<Subject, std::uint64_t>, Curve> of;
  std::set<std::uint64_t> sizes;
  for (const SummaryRow& row : rows) {
    if (!row.has_times()) continue;
    Subject subject = row.subject;
    subject.nodes = subject.per_node = 1;
    of[{subject, row.bytes}].rows.push_back(&row);
    sizes.insert(row.bytes);
  }
  std::vector<Subject> subjects;
  for (const auto& [key, curve] : of) subjects.push_back(key.first);
  const std::vector<std::string> names = short_names(subjects);
  std::vector<Curve> curves;
  for (auto& [key, curve] : of) {
    curve.name = names[curves.size()] + (sizes.size() > 1 ? ", " + text_of_bytes(key.second) : "");
    std::ranges::sort(curve.rows, {}, [](const SummaryRow* row) { return number_of_ranks(*row); });
    if (std::ranges::adjacent_find(curve.rows, {}, [](const SummaryRow* row) { return number_of_ranks(*row); }) !=
        curve.rows.end())
      throw Error("", fmt::format("{} has layouts of as many ranks as another", curve.name),
                  "measure them in campaigns of their own", ExitCode::kNotComparable);
    curves.push_back(std::move(curve));
  }
  return curves;
}

// A histogram has a curve for each size as well.
std::vector<Curve> with_sizes_apart(const std::vector<Curve>& curves) {
  std::vector<Curve> result;
  for (const Curve& curve : curves)
    for (const SummaryRow* row : curve.rows)
      result.push_back({fmt::format("{}, {}", curve.name, text_of_bytes(row->bytes)), {row}});
  return result;
}

void require_drawable(const std::vector<Curve>& curves) {
  if (curves.empty()) throw Error("", "nothing is left to draw", "choose other operations or sizes");
  require_curves(curves.size(), "", "choose with --operation, --implementation, --mpi and --size");
}

class Picture {
 public:
  Picture(const std::vector<Curve>& curves, const std::string& title, Axis x, Axis y)
      : x_(x), y_(y), svg_(width_of(curves), kHeight, title) {
    svg_.text({kLeft, 30}, title, Anchor::kStart, 16);
  }

  static double right() { return kLeft + kPlotWidth; }
  static double bottom() { return kHeight - kBottom; }

  void grid_and_names(const std::vector<Mark>& x_marks, const std::string& x_name, const std::vector<Mark>& y_marks,
                      const std::string& y_name) {
    for (const Mark& mark : x_marks) {
      const double x = x_.at(mark.value);
      svg_.line({x, kTop}, {x, bottom()}, mark.label.empty() ? kFineGrid : kGrid);
      svg_.text({x, bottom() + 18}, mark.label, Anchor::kMiddle);
    }
    for (const Mark& mark : y_marks) {
      const double y = y_.at(mark.value);
      svg_.line({kLeft, y}, {right(), y}, mark.label.empty() ? kFineGrid : kGrid);
      svg_.text({kLeft - 8, y + 4.5}, mark.label, Anchor::kEnd);
    }
    svg_.box({kLeft, kTop}, kPlotWidth, bottom() - kTop, "none", kFrame);
    svg_.text({kLeft + kPlotWidth / 2, bottom() + 42}, x_name, Anchor::kMiddle);
    svg_.upright({20, kTop + (bottom() - kTop) / 2}, y_name);
  }

  void legend(const std::vector<Curve>& curves) {
    double y = kTop + 10;
    for (std::size_t i = 0; i < curves.size(); ++i, y += kLegendLine) {
      const double x = right() + kLegendGap;
      svg_.line({x, y}, {x + kSymbol, y}, stroke_of(i));
      svg_.text({x + kSymbol + 8, y + 4.5}, shortened(curves[i].name));
    }
  }

  void caption(const std::string& text) { svg_.text({kLeft, kHeight - 18}, text, Anchor::kStart, 12, "#555555"); }

  Point at(double x, double y) const { return {x_.at(x), y_.at(y)}; }
  const Axis& x() const { return x_; }
  const Axis& y() const { return y_; }
  Svg& svg() { return svg_; }

 private:
  static double width_of(const std::vector<Curve>& curves) {
    std::size_t longest = 0;
    for (const Curve& curve : curves) longest = std::max(longest, std::min(curve.name.size(), kLongestName));
    return right() + kLegendGap + kSymbol + 16 + kLetter * static_cast<double>(longest);
  }

  Axis x_, y_;
  Svg svg_;
};

Axis size_axis(const std::vector<Curve>& curves) {
  std::vector<double> sizes;
  for (const Curve& curve : curves)
    for (const SummaryRow* row : curve.rows) sizes.push_back(static_cast<double>(row->bytes));
  return axis_over(sizes, 16, false, kLeft, Picture::right());
}

// Of ranks fewer values lie far apart than of sizes.
Axis ranks_axis(const std::vector<Curve>& curves) {
  std::vector<double> ranks;
  for (const Curve& curve : curves)
    for (const SummaryRow* row : curve.rows) ranks.push_back(number_of_ranks(*row));
  return axis_over(ranks, 4, false, kLeft, Picture::right());
}

std::string contaminated_caption(const std::vector<Curve>& curves) {
  for (const Curve& curve : curves)
    for (const SummaryRow* row : curve.rows)
      if (row->contaminated > 0) return " Hollow: from runs on a machine that was not quiet.";
  return "";
}

std::string lines_caption(const std::vector<Curve>& curves) {
  bool all_intervals = true, all_single = true;
  for (const Curve& curve : curves)
    for (const SummaryRow* row : curve.rows) {
      all_intervals = all_intervals && row->has_interval();
      all_single = all_single && row->sorted.size() == 1;
    }
  if (all_single) return "Each point is one value.";
  return std::string("Median of the medians of runs; bars: ") +
         (all_intervals ? "its interval with 95 %." : "lowest and highest run, with 95 % from six runs on.");
}

std::string lines(const std::vector<Curve>& curves, const std::string& title, PlotOver over) {
  const bool by_size = over == PlotOver::kSize;
  std::vector<double> times;
  for (const Curve& curve : curves)
    for (const SummaryRow* row : curve.rows) times.insert(times.end(), {row->interval().low, row->interval().high});
  Picture picture(curves, title, by_size ? size_axis(curves) : ranks_axis(curves),
                  axis_over(times, 10, true, Picture::bottom(), kTop));
  picture.grid_and_names(by_size ? marks_of_bytes(picture.x()) : marks_of_ranks(picture.x()),
                         by_size ? "size" : "ranks", marks_of_seconds(picture.y()), "time");
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<Point> points;
    for (const SummaryRow* row : curves[i].rows)
      points.push_back(picture.at(static_cast<double>(by_size ? row->bytes : number_of_ranks(*row)), row->median()));
    picture.svg().path(points, stroke_of(i));
    const Stroke thin{stroke_of(i).colour, 1.2};
    for (std::size_t j = 0; j < points.size(); ++j) {
      const SummaryRow& row = *curves[i].rows[j];
      picture.svg().line({points[j].x, picture.y().at(row.interval().low)},
                         {points[j].x, picture.y().at(row.interval().high)}, thin);
      picture.svg().dot(points[j], 3, row.contaminated > 0 ? "#ffffff" : thin.colour, thin);
    }
  }
  picture.legend(curves);
  picture.caption(lines_caption(curves) + contaminated_caption(curves));
  return picture.svg().finish();
}

struct Place {
  double middle = 0, width = 0;
};

void draw_box(Picture& picture, const SummaryRow& row, const Place& place, std::size_t curve) {
  const Axis& y = picture.y();
  Svg& svg = picture.svg();
  const Stroke thin{stroke_of(curve).colour, 1.2}, thick{stroke_of(curve).colour, 2.4};
  const double low = y.at(row.quantile(0.25)), high = y.at(row.quantile(0.75)), half = place.width / 2;
  svg.line({place.middle, y.at(row.quantile(0.01))}, {place.middle, low}, thin);
  svg.line({place.middle, high}, {place.middle, y.at(row.quantile(0.99))}, thin);
  const bool quiet = row.contaminated == 0;
  svg.box({place.middle - half, high}, place.width, low - high, quiet ? thin.colour : "#ffffff", thin,
          quiet ? 0.35 : 1);
  const double median = y.at(row.quantile(0.5));
  svg.line({place.middle - half, median}, {place.middle + half, median}, thick);
  for (const double end : {row.sorted.front(), row.sorted.back()})
    svg.dot({place.middle, y.at(end)}, 2, thin.colour, thin);
}

// Sizes beside each other, and at each size the curves beside each other.
std::string boxes(const std::vector<Curve>& curves, const std::string& title) {
  std::vector<std::uint64_t> sizes;
  std::vector<double> times;
  for (const Curve& curve : curves)
    for (const SummaryRow* row : curve.rows) {
      sizes.push_back(row->bytes);
      times.insert(times.end(), {row->sorted.front(), row->sorted.back()});
    }
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  const double step = kPlotWidth / static_cast<double>(sizes.size());
  const double width = std::min(28.0, 0.8 * step / static_cast<double>(curves.size()));
  const Axis x(false, false, 0, static_cast<double>(sizes.size()), kLeft, Picture::right());
  Picture picture(curves, title, x, axis_over(times, 10, true, Picture::bottom(), kTop));
  std::vector<Mark> marks;
  const std::size_t every = (sizes.size() + 9) / 10;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    marks.push_back({static_cast<double>(i) + 0.5, i % every == 0 ? text_of_bytes(sizes[i]) : ""});
  picture.grid_and_names(marks, "size", marks_of_seconds(picture.y()), "time");
  for (std::size_t i = 0; i < curves.size(); ++i)
    for (const SummaryRow* row : curves[i].rows) {
      const auto column = static_cast<double>(std::ranges::lower_bound(sizes, row->bytes) - sizes.begin());
      const double beside = width * (static_cast<double>(i) - static_cast<double>(curves.size() - 1) / 2);
      draw_box(picture, *row, {x.at(column + 0.5) + beside, 0.85 * width}, i);
    }
  picture.legend(curves);
  picture.caption("All valid repetitions: median, quartiles, 1st and 99th percentile; dots: least and most." +
                  contaminated_caption(curves));
  return picture.svg().finish();
}

std::vector<double> counts_of(const SummaryRow& row, const Axis& x, std::size_t bins) {
  std::vector<double> counts(bins, 0);
  std::size_t bin = 0;
  for (const double value : row.sorted) {
    while (bin + 1 < bins && value >= x.value_at(static_cast<double>(bin + 1) / static_cast<double>(bins))) ++bin;
    ++counts[bin];
  }
  return counts;
}

// A step for each bin, and the least and the most as they are.
void draw_histogram(Picture& picture, const SummaryRow& row, const std::vector<double>& counts, std::size_t curve) {
  const Stroke stroke = stroke_of(curve);
  const auto edge = [&](std::size_t bin) {
    return picture.x().at(picture.x().value_at(static_cast<double>(bin) / static_cast<double>(counts.size())));
  };
  std::vector<Point> outline;
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    const double height = picture.y().at(counts[bin]);
    outline.push_back({edge(bin), height});
    outline.push_back({edge(bin + 1), height});
    if (counts[bin] > 0)
      picture.svg().box({edge(bin), height}, edge(bin + 1) - edge(bin), Picture::bottom() - height, stroke.colour,
                        {"none", 0}, 0.18);
  }
  picture.svg().path(outline, {stroke.colour, 1.4, stroke.dashes});
  for (const double end : {row.sorted.front(), row.sorted.back()})
    picture.svg().dot({picture.x().at(end), Picture::bottom()}, 3.5, stroke.colour, {"#ffffff", 1});
}

std::string histogram(std::vector<Curve> curves, const std::string& title) {
  std::vector<double> times;
  std::size_t most_values = 0;
  for (Curve& curve : curves) {
    const std::vector<double>& sorted = curve.rows[0]->sorted;
    times.insert(times.end(), {sorted.front(), sorted.back()});
    most_values = std::max(most_values, sorted.size());
    curve.name += fmt::format(": {} .. {}", text_of_seconds(sorted.front()), text_of_seconds(sorted.back()));
  }
  const Axis x = axis_over(times, 10, false, kLeft, Picture::right());
  const auto wanted = static_cast<std::size_t>(2 * std::sqrt(static_cast<double>(most_values)));
  const std::size_t bins = std::clamp<std::size_t>(wanted, 12, 120);
  std::vector<std::vector<double>> counts;
  double most = 1;
  for (const Curve& curve : curves) {
    counts.push_back(counts_of(*curve.rows[0], x, bins));
    most = std::max(most, std::ranges::max(counts.back()));
  }
  constexpr double kSmallCounts = 50, kBelowOne = 0.6;  // beyond, single repetitions would be invisible
  const bool logarithmic = most > kSmallCounts;
  const Axis y(logarithmic, false, logarithmic ? kBelowOne : 0, most * 1.15, Picture::bottom(), kTop);
  Picture picture(curves, title, x, y);
  picture.grid_and_names(marks_of_seconds(x), "time", marks_of_counts(y), "repetitions");
  for (std::size_t i = 0; i < curves.size(); ++i) draw_histogram(picture, *curves[i].rows[0], counts[i], i);
  picture.legend(curves);
  picture.caption(fmt::format("{} bins; dots on the axis: least and most, as in the legend.", bins) +
                  (contaminated_caption(curves).empty() ? "" : " Some runs on a machine that was not quiet."));
  return picture.svg().finish();
}

}  // namespace

std::string plot(std::span<const SummaryRow> rows, PlotKind kind, const std::string& title, PlotOver over) {
  std::vector<Curve> curves = over == PlotOver::kRanks ? curves_over_ranks(rows) : curves_of(rows);
  if (kind == PlotKind::kHistogram) curves = with_sizes_apart(curves);
  require_drawable(curves);
  switch (kind) {
    case PlotKind::kLines:
      return lines(curves, title, over);
    case PlotKind::kBox:
      return boxes(curves, title);
    case PlotKind::kHistogram:
      return histogram(curves, title);
  }
  return "";
}

}  // namespace plumbline::bench
