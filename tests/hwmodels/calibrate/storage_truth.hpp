#pragma once
// Cells as the storage families give them, made from times that a model says, with noise.

#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "bench/results/campaign.hpp"
#include "bench/results/storage_cells.hpp"
#include "hwmodels/storage/device.hpp"

namespace plumbline::hw::calibration {

// Multiplies times: log-normal of about `share`, now and then a multiple, as an interrupt does.
class TimeNoise {
 public:
  TimeNoise(std::uint64_t seed, double share) : random_(seed), spread_(0, share) {}
  double operator()() {
    const double late = std::uniform_real_distribution<double>()(random_) < 0.02 ? 3 : 1;
    return late * std::exp(spread_(random_));
  }
  std::mt19937_64& random() { return random_; }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> spread_;
};

inline bench::Cell storage_cell(const std::string& family, std::string_view call, std::uint64_t bytes,
                                std::vector<double> seconds) {
  bench::Cell cell;
  cell.operation = family;
  cell.implementation = "library";
  cell.bytes = bytes;
  cell.words = {{bench::cells::kCall, std::string(call)},
                {bench::cells::kMountPoint, "/data"},
                {bench::cells::kMedium, bench::cells::kSolid},
                {bench::cells::kNode, "n0"}};
  cell.numbers = {{bench::cells::kClients, 1}};
  cell.flags.assign(seconds.size(), 0);
  cell.seconds = std::move(seconds);
  return cell;
}

inline std::vector<double> repeated(double seconds, TimeNoise& noise, int times = 30) {
  std::vector<double> all;
  for (int i = 0; i < times; ++i) all.push_back(seconds * noise());
  return all;
}

// What the bracket of a file system is made of.
struct TrueCost {
  std::string_view call;
  double seconds, rate;
};
inline constexpr TrueCost kTrueCosts[] = {{bench::kCachedWrite, 800e-9, 5e9},
                                          {bench::kCachedRead, 500e-9, 8e9},
                                          {bench::kDeviceWrite, 900e-6, 300e6},
                                          {bench::kDeviceRead, 120e-6, 700e6}};

inline void add_bracket_cells(TimeNoise& noise, bench::Campaign& campaign) {
  for (const TrueCost& cost : kTrueCosts)
    for (const std::uint64_t bytes : {4096U, 65'536U, 1U << 20, 4U << 20}) {
      const double seconds = cost.seconds + static_cast<double>(bytes) / cost.rate;
      campaign.cells.push_back(storage_cell(bench::cells::kStorageCalls, cost.call, bytes, repeated(seconds, noise)));
      if (cost.call == bench::kDeviceWrite || cost.call == bench::kDeviceRead)
        campaign.cells.back().words[bench::cells::kDevice] = bench::cells::kDirect;
    }
  campaign.cells.push_back(storage_cell(bench::cells::kStorageCalls, bench::kSyncDirty, 4096, repeated(1e-3, noise)));
  for (const auto& [call, seconds] :
       {std::pair{bench::cells::kCreate, 9e-6}, std::pair{std::string(bench::kClose), 7e-7}}) {
    campaign.cells.push_back(storage_cell(bench::cells::kStorageMetadata, call, 0, repeated(seconds, noise)));
    campaign.cells.back().words[bench::cells::kWhere] = bench::cells::kOwn;
  }
}

inline void add_seek_cells(double way, TimeNoise& noise, bench::Campaign& campaign, const std::string& node = "n0") {
  for (const double distance : {0.0, 65'536.0, 131'072.0, 1e6, 1e7}) {
    const double seconds = 100e-6 + (distance == 0 ? 0 : way);
    bench::Cell cell = storage_cell(bench::cells::kStorageSeek, bench::kDeviceRead, 4096, repeated(seconds, noise));
    cell.numbers[bench::cells::kDistance] = distance;
    cell.numbers[bench::cells::kMemoryAvailable] = 8e9;
    cell.numbers[bench::cells::kToldLimit] = 1.6e9;
    cell.numbers[bench::cells::kToldBackground] = 0.8e9;
    cell.words[bench::cells::kNode] = node;
    campaign.cells.push_back(cell);
  }
}

// A device with nobody else: how long it takes for accesses that are given `at_a_time`, each when one before it is
// done.
inline double device_seconds(storage::DeviceModel& device, sim::EventQueue& queue, Time& now,
                             const std::vector<storage::DeviceAccess>& accesses, std::size_t at_a_time) {
  const Time begin = now;
  std::size_t given = 0;
  for (; given < std::min(at_a_time, accesses.size()); ++given) device.submit(accesses[given], now, queue);
  while (!queue.empty()) {
    const sim::Event event = queue.pop();
    now = event.at;
    if (device.handle(event, queue) && given < accesses.size()) device.submit(accesses[given++], now, queue);
  }
  return (now - begin).seconds();
}

}  // namespace plumbline::hw::calibration
