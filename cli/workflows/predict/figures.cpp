#include "cli/workflows/predict/figures.hpp"

#include <algorithm>

namespace plumbline::cli::predict {
namespace {

namespace expect = replay::expect;

void take_samples(const expect::Samples& samples, Figures& figures) {
  figures.runs = static_cast<std::uint32_t>(samples.lengths.size());
  figures.mean = mean_seconds(samples);
  std::vector<double> seconds;
  for (const Duration length : samples.lengths) seconds.push_back(length.seconds());
  const auto [least, greatest] = std::ranges::minmax(seconds);
  figures.least = least;
  figures.greatest = greatest;
  figures.median = statistics::median(seconds);
  figures.mean_interval = figures.median_interval = {least, greatest};
  if (figures.runs < expect::kLeastSamples) return;
  const expect::SampleSummary s = expect::summary_of(samples);
  figures.mean_interval = {s.mean.mean - s.mean.half_width, s.mean.mean + s.mean.half_width};
  figures.median_interval = {s.median_interval.low, s.median_interval.high};
}

void take_lines(const Lines& lines, Figures& figures) {
  const double processes = static_cast<double>(lines.ranks) * std::max(lines.runs, 1U);
  for (const auto& [place, line] : lines.by_place) {
    figures.computing += line.computing.seconds() / processes;
    figures.transfer += line.transfer.seconds() / processes;
    figures.waiting += line.waiting.seconds() / processes;
  }
  figures.idle = lines.idle.seconds() / processes;
  figures.imbalance = lines.imbalance.seconds() / processes;
}

}  // namespace

Figures figures_of(const Prediction& prediction, std::size_t point) {
  const Outcome& outcome = prediction.outcomes[point];
  Figures figures;
  take_samples(outcome.samples(), figures);
  take_lines(outcome.lines, figures);
  figures.speed_up = speed_up(prediction, point);
  figures.efficiency = figures.speed_up / prediction.preparation.points[point].point.ranks;
  for (std::size_t i = 1; i < outcome.by_data.size(); ++i)
    figures.by_averages.push_back(mean_seconds(outcome.by_data[i].samples));
  return figures;
}

}  // namespace plumbline::cli::predict
