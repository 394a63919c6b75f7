#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "bench/report/axis.hpp"
#include "bench/report/curves.hpp"
#include "bench/report/svg.hpp"
#include "cli/workflows/predict/figures.hpp"
#include "cli/workflows/predict/files.hpp"

namespace plumbline::cli::predict {
namespace {

constexpr double kWidth = 860, kHeight = 560, kLeft = 80, kRight = 620, kTop = 56, kBottom = 480;
constexpr bench::Stroke kFrame{"#444444", 1}, kGrid{"#e4e4e4", 1}, kIdeal{"#777777", 1.4, "6 4"};

struct SpeedPoint {
  std::uint32_t ranks = 1;
  double speed = 0, low = 0, high = 0;  // with 95 %, or the speed itself
};

struct SpeedCurve {
  std::string name;
  std::vector<SpeedPoint> points;  // by ranks
};

SpeedPoint point_of(const Prediction& prediction, std::size_t index, std::size_t data) {
  const Figures f = figures_of(prediction, index);
  SpeedPoint point{prediction.preparation.points[index].point.ranks, speed_up(prediction, index, data), 0, 0};
  point.low = point.high = point.speed;
  if (data > 0 || !f.has_intervals() || f.mean_interval.low <= 0) return point;
  point.low = point.speed * f.mean / f.mean_interval.high;
  point.high = point.speed * f.mean / f.mean_interval.low;
  return point;
}

std::vector<SpeedCurve> curves_of(const Prediction& prediction) {
  std::vector<SpeedCurve> curves;
  const std::size_t kinds = prediction.outcomes.front().by_data.size();
  std::map<std::string, std::size_t> first;  // curve, by constants
  for (std::size_t i = 0; i < prediction.outcomes.size(); ++i) {
    const std::string constants = swept_text(prediction.preparation.sweeps, prediction.preparation.points[i].point);
    const auto [entry, is_new] = first.try_emplace(constants, curves.size());
    for (std::size_t data = 0; data < kinds; ++data) {
      if (is_new) {
        const std::string kind = kinds > 1 ? std::string(name_of(prediction.outcomes[i].by_data[data].data)) : "";
        curves.push_back({constants.empty() || kind.empty() ? constants + kind : constants + ", " + kind, {}});
      }
      curves[entry->second + data].points.push_back(point_of(prediction, i, data));
    }
  }
  return curves;
}

class SpeedPicture {
 public:
  SpeedPicture(const std::vector<SpeedCurve>& curves, const std::string& title)
      : x_(axis_of(curves, kLeft, kRight)), y_(axis_of(curves, kBottom, kTop)), svg_(kWidth, kHeight, title) {
    svg_.text({kLeft, 30}, title, bench::Anchor::kStart, 16);
    frame();
    const double most = x_.high();
    svg_.line(at(x_.low(), x_.low()), at(most, most), kIdeal);
    legend(0, "ideal", kIdeal);
    for (std::size_t i = 0; i < curves.size(); ++i) curve(curves[i], i);
  }

  std::string finish() const { return svg_.finish(); }

 private:
  // Both axes go over the same values, so that the ideal line is the diagonal.
  static bench::Axis axis_of(const std::vector<SpeedCurve>& curves, double begin, double end) {
    std::vector<double> values;
    for (const SpeedCurve& curve : curves)
      for (const SpeedPoint& point : curve.points) {
        values.push_back(point.ranks);
        if (point.speed > 0) values.push_back(point.speed);
      }
    constexpr double kSpread = 10;
    return bench::axis_over(values, kSpread, true, begin, end);
  }

  bench::Point at(double ranks, double speed) const { return {x_.at(ranks), y_.at(speed)}; }

  void frame() {
    for (const bench::Mark& mark : bench::marks_of_ranks(x_)) {
      svg_.line({x_.at(mark.value), kTop}, {x_.at(mark.value), kBottom}, kGrid);
      svg_.text({x_.at(mark.value), kBottom + 18}, mark.label, bench::Anchor::kMiddle);
    }
    for (const bench::Mark& mark : bench::marks_of_ranks(y_)) {
      svg_.line({kLeft, y_.at(mark.value)}, {kRight, y_.at(mark.value)}, kGrid);
      svg_.text({kLeft - 8, y_.at(mark.value) + 4.5}, mark.label, bench::Anchor::kEnd);
    }
    svg_.box({kLeft, kTop}, kRight - kLeft, kBottom - kTop, "none", kFrame);
    svg_.text({(kLeft + kRight) / 2, kBottom + 44}, "ranks", bench::Anchor::kMiddle);
    svg_.upright({24, (kTop + kBottom) / 2}, "speed-up");
  }

  void curve(const SpeedCurve& curve, std::size_t number) {
    const bench::Stroke stroke = bench::stroke_of(number);
    std::vector<bench::Point> path;
    for (const SpeedPoint& point : curve.points) {
      path.push_back(at(point.ranks, point.speed));
      if (point.high > point.low)
        svg_.line(at(point.ranks, point.low), at(point.ranks, point.high), {stroke.colour, 1});
      svg_.dot(path.back(), 3, stroke.colour, {stroke.colour, 1});
    }
    svg_.path(path, stroke);
    legend(number + 1, curve.name.empty() ? "predicted" : curve.name, stroke);
  }

  void legend(std::size_t row, const std::string& name, const bench::Stroke& stroke) {
    const double y = kTop + 10 + 20 * static_cast<double>(row), x = kRight + 18;
    svg_.line({x, y}, {x + 26, y}, stroke);
    svg_.text({x + 34, y + 4.5}, name);
  }

  bench::Axis x_, y_;
  bench::Svg svg_;
};

}  // namespace

void require_drawable(const Preparation& preparation, const Options& options) {
  const std::size_t ranks = ranks_of(options.ranks).size();
  if (ranks < 2)
    throw Error("--svg", "draws over several numbers of ranks", "for example -n 2..64", ExitCode::kWrongUse);
  const std::size_t combinations = preparation.sweeps.points.size() / ranks;
  bench::require_curves(combinations * kinds_of_data(preparation.platform, options).size(), "--svg",
                        "sweep fewer constants");
}

std::string speed_up_svg(const Prediction& prediction) {
  const std::vector<SpeedCurve> curves = curves_of(prediction);
  return SpeedPicture(curves, fmt::format("{} on {}", prediction.preparation.model->source,
                                          prediction.preparation.platform.name))
      .finish();
}

}  // namespace plumbline::cli::predict
