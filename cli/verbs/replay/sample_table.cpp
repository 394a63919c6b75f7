#include "cli/verbs/replay/sample_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/quantity.hpp"

namespace plumbline::cli {
namespace {

namespace expect = replay::expect;

std::string time(double seconds) { return format(duration_from_seconds(seconds)); }

}  // namespace

std::string sample_table(const expect::Samples& samples) {
  const expect::SampleSummary s = expect::summary_of(samples);
  const std::size_t runs = samples.lengths.size();
  std::string text = fmt::format("expected, {} runs of seeds {} to {}:\n", runs, samples.seed, samples.seed + runs - 1);
  text += fmt::format("  mean    {} ± {} with 95 %\n", time(s.mean.mean), time(s.mean.half_width));
  text += fmt::format("  median  {}, {} to {} with 95 %\n", time(s.median), time(s.median_interval.low),
                      time(s.median_interval.high));
  text += fmt::format("  95 % of the runs take {} to {}, all {} to {}\n", time(s.band.low), time(s.band.high),
                      time(s.least), time(s.greatest));
  return text;
}

std::string sample_json(const expect::Samples& samples) {
  const expect::SampleSummary s = expect::summary_of(samples);
  nlohmann::ordered_json lengths = nlohmann::ordered_json::array();
  for (const Duration length : samples.lengths) lengths.push_back(length.ps);
  return nlohmann::ordered_json{{"seed", samples.seed},
                                {"lengths_ps", lengths},
                                {"mean_s", s.mean.mean},
                                {"mean_interval_s", {s.mean.mean - s.mean.half_width, s.mean.mean + s.mean.half_width}},
                                {"median_s", s.median},
                                {"median_interval_s", {s.median_interval.low, s.median_interval.high}},
                                {"band_s", {s.band.low, s.band.high}},
                                {"least_s", s.least},
                                {"greatest_s", s.greatest}}
             .dump(2) +
         "\n";
}

}  // namespace plumbline::cli
