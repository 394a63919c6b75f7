#include "hwmodels/calibrate/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/storage_fit.hpp"
#include "hwmodels/calibrate/tidy.hpp"
#include "hwmodels/calibrate/transport.hpp"

namespace plumbline::hw::calibration {
namespace {

// The best round: nothing makes memory faster than it is.
Parameter<BytesPerSecond> memory_rate(const bench::Measurements& measurements, const std::string& source) {
  const bench::Series* const copies = find(measurements, bench::kCopyAllCores);
  std::vector<double> rates;
  if (copies != nullptr)
    for (const bench::Sample& sample : copies->samples) rates.push_back(sample.value);
  const double best = rates.empty() ? 0 : *std::max_element(rates.begin(), rates.end());
  if (best < 1) throw Error(measurements.environment.host, "the rate of memory was not measured", "measure again");
  return {BytesPerSecond{static_cast<std::uint64_t>(std::llround(best))}, 1 - median(rates) / best,
          fmt::format("{}: memcpy by {} cores, {} each, best of {} rounds", source, measurements.environment.cores,
                      format(Bytes{copies->samples.front().size}), rates.size())};
}

// Share of the ping-pong samples that took several times the median of their size.
double share_of_stragglers(const bench::Measurements& measurements) {
  constexpr double kTimes = 5;
  const bench::Series* const series = find(measurements, bench::kPingPong);
  if (series == nullptr || series->samples.empty()) return 0;
  std::map<std::uint64_t, double> medians;
  for (const SizeSummary& each : summarise(series, Estimate::kTypical)) medians[each.size] = each.value;
  const auto late = std::count_if(series->samples.begin(), series->samples.end(), [&](const bench::Sample& sample) {
    return sample.value > kTimes * medians[sample.size];
  });
  return static_cast<double>(late) / static_cast<double>(series->samples.size());
}

}  // namespace

std::vector<std::string> disturbances(const bench::Measurements& measurements) {
  constexpr double kLoadPerCore = 0.5, kStolen = 0.02, kStragglers = 0.02;
  const bench::Environment& environment = measurements.environment;
  std::vector<std::string> result;
  if (environment.load_before > kLoadPerCore * environment.cores)
    result.push_back(
        fmt::format("load {:.1f} on {} cores before it began", environment.load_before, environment.cores));
  if (environment.stolen > kStolen)
    result.push_back(fmt::format("{} of the processor time went to other machines on the same host",
                                 format_percent(environment.stolen)));
  if (const double share = share_of_stragglers(measurements); share > kStragglers)
    result.push_back(fmt::format("{} of the messages took more than 5 times the median", format_percent(share)));
  return result;
}

Calibration calibrate(const bench::Measurements& measurements, const Options& options) {
  const bench::Environment& environment = measurements.environment;
  Calibration result;
  result.notes = measurements.notes;
  result.disturbances = disturbances(measurements);
  const std::string source = options.command + (result.disturbances.empty() ? "" : " (machine in use)");
  Platform& platform = result.platform;
  platform.name = environment.host;
  platform.mpi = short_library_name(environment.mpi);
  platform.created = environment.created;
  platform.packets.header = Bytes{0};  // no network: what a message costs beside its bytes is in the ranges
  Node& node = platform.nodes.emplace_back();
  node.name = environment.host;
  node.cores = std::max(1U, environment.cores);
  node.memory_rate = memory_rate(measurements, source);
  fit_transport(measurements, source, result);
  fit_storage(measurements, source, result);
  tidy(platform);
  return result;
}

}  // namespace plumbline::hw::calibration
