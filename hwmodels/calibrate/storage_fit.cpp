#include "hwmodels/calibrate/storage_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.hpp"
#include "hwmodels/calibrate/assumed.hpp"
#include "hwmodels/calibrate/fit/line.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr double kPetabyteSlope = 1e-6;  // ns/B, 1 PB/s: a rate must be given

struct Fit {
  const bench::Measurements& measurements;
  const std::string& source;
  Calibration& into;

  AccessCost access(std::string_view name, Estimate estimate) const {
    const std::vector<SizeSummary> summaries = summarise(find(measurements, name), estimate);
    std::vector<Point> points;
    std::vector<double> spreads;
    std::uint32_t rounds = 0;
    for (const SizeSummary& each : summaries) {
      if (each.value <= 0) continue;
      points.push_back({static_cast<double>(each.size), each.value});
      spreads.push_back(each.spread);
      rounds = std::max(rounds, each.rounds);
    }
    if (points.size() < 3)
      throw Error(measurements.environment.directory, fmt::format("{} was measured with too few sizes", name),
                  "give the measurement more time", ExitCode::kTooNoisy);
    const Line line = fit_line(points, {0, kPetabyteSlope});
    const double spread = std::max(median(spreads), largest_deviation(line, points));
    const std::string from =
        fmt::format("{}: {}, {} sizes, {} rounds, least absolute deviations", source, name, points.size(), rounds);
    return {{duration_from_seconds(line.intercept * 1e-9), spread, from},
            {BytesPerSecond{static_cast<std::uint64_t>(std::llround(1e9 / line.slope))}, spread, from}};
  }

  Parameter<Duration> call(std::string_view name, const char* what) const {
    const std::vector<SizeSummary> summaries = summarise(find(measurements, name), Estimate::kTypical);
    if (summaries.empty())
      throw Error(measurements.environment.directory, fmt::format("{} was not measured", name),
                  "give the measurement more time", ExitCode::kTooNoisy);
    const SizeSummary& only = summaries.front();
    return {duration_from_seconds(only.value * 1e-9), only.spread,
            fmt::format("{}: {}, {} rounds, median of medians", source, what, only.rounds)};
  }

  // The device side of a bracket is never the cheaper one.
  void not_below(AccessCost& device, const AccessCost& cached, const char* what) const {
    if (device.call.value >= cached.call.value && device.rate.value <= cached.rate.value) return;
    into.notes.push_back(
        fmt::format("{} of the device seemed cheaper than of the cache in part; that part is taken "
                    "from the cache",
                    what));
    if (device.call.value < cached.call.value) device.call = cached.call;
    if (device.rate.value > cached.rate.value) device.rate = cached.rate;
  }
};

std::string name_of(const bench::Environment& environment) {
  const std::string last = std::filesystem::path(environment.mount_point).filename().string();
  return last.empty() ? "root" : last;
}

}  // namespace

void fit_storage(const bench::Measurements& measurements, const std::string& source, Calibration& into) {
  if (find(measurements, bench::kCachedWrite) == nullptr) {
    into.notes.push_back("no storage was measured");
    return;
  }
  const Fit fit{measurements, source, into};
  const bench::Environment& environment = measurements.environment;
  FileSystem result;
  result.name = name_of(environment);
  result.paths = {environment.mount_point.empty() ? "/" : environment.mount_point};
  result.cached_write = fit.access(bench::kCachedWrite, Estimate::kUndisturbed);
  result.cached_read = fit.access(bench::kCachedRead, Estimate::kUndisturbed);
  result.device_write = fit.access(bench::kDeviceWrite, Estimate::kTypical);
  result.device_read = fit.access(bench::kDeviceRead, Estimate::kTypical);
  fit.not_below(result.device_write, result.cached_write, "writing");
  fit.not_below(result.device_read, result.cached_read, "reading");
  result.exclusive_write = assumed_exclusive_write(result.cached_write.call);
  result.open = fit.call(bench::kOpen, "open of a new file");
  result.close = fit.call(bench::kClose, "close");
  result.sync = fit.call(bench::kSyncDirty, "fsync after a write of 4 KiB");
  into.platform.file_systems.push_back(std::move(result));
}

}  // namespace plumbline::hw::calibration
