#pragma once
// Like parts of a storage system, measured in several runs, healthy or with one that is slow. Runs differ, repetitions
// follow each other, and now and then others use a part all the while that it is measured: what a sample of
// repetitions takes for many witnesses.

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/hwmodels/calibrate/storage_truth.hpp"

namespace plumbline::hw::calibration {

struct LikeParts {
  std::uint32_t parts = 6, runs = 7, repetitions = 30;
  double between_runs = 0.02;    // relative standard deviation, of each part in each run
  double within_runs = 0.02;     // of repetitions, which have 0.9 in common with the one before
  double used_by_others = 0.05;  // share of the cells during which others use the part; then 1.5 times as long
  std::optional<std::uint32_t> slow = {};  // has half the rate
  std::uint64_t seed = 1;
};

class StorageMeasurer {
 public:
  explicit StorageMeasurer(const LikeParts& truth) : truth_(truth), random_(truth.seed) {}

  // Blocks of 3 MiB from four clients, written to and read from each server alone.
  bench::Campaign servers() {
    bench::Campaign campaign = begun();
    for (std::uint32_t run = 0; run < truth_.runs; ++run)
      for (std::uint32_t part = 0; part < truth_.parts; ++part)
        for (const std::string_view call : {bench::kDeviceWrite, bench::kDeviceRead}) {
          constexpr std::uint64_t kBytes = 3U << 20;
          bench::Cell& cell = add(campaign, bench::cells::kStorageCalls, call, kBytes, run,
                                  200e-6 + 4 * kBytes / (rate_of(part) * 40e6));
          cell.numbers[bench::cells::kClients] = 4;
          cell.numbers[bench::cells::kServers] = 1;
          cell.words[bench::cells::kServer] = "s" + std::to_string(part) + ":/brick";
        }
    return campaign;
  }

  // The disk of each node: reads in place, and elsewhere.
  bench::Campaign disks() {
    bench::Campaign campaign = begun();
    for (std::uint32_t run = 0; run < truth_.runs; ++run)
      for (std::uint32_t part = 0; part < truth_.parts; ++part)
        for (const std::uint64_t bytes : {4096U, 1U << 20})
          for (const double distance : {0.0, 65'536.0, 1e6, 1.6e7, 1.3e8}) {
            const double way = distance == 0 ? 0 : distance < 2e6 ? 5e-3 : 9e-3;
            bench::Cell& cell = add(campaign, bench::cells::kStorageSeek, bench::kDeviceRead, bytes, run,
                                    50e-6 + way + static_cast<double>(bytes) / (rate_of(part) * 100e6));
            cell.numbers[bench::cells::kDistance] = distance;
            cell.words[bench::cells::kNode] = "n" + std::to_string(part);
          }
    return campaign;
  }

  // Clients that write at once, with the times of each.
  bench::Campaign clients() {
    bench::Campaign campaign = begun();
    for (std::uint32_t run = 0; run < truth_.runs; ++run) {
      bench::Cell& cell = add(campaign, bench::cells::kStorageCalls, bench::kDeviceWrite, 1U << 20, run, 0.01);
      cell.numbers[bench::cells::kClients] = truth_.parts;
      cell.of_ranks.resize(cell.seconds.size() * truth_.parts);
      for (std::uint32_t part = 0; part < truth_.parts; ++part) {
        const std::vector<double> seconds = times(0.01 / rate_of(part));
        for (std::size_t i = 0; i < seconds.size(); ++i) cell.of_ranks[i * truth_.parts + part] = seconds[i];
      }
    }
    return campaign;
  }

 private:
  double rate_of(std::uint32_t part) const { return truth_.slow == part ? 0.5 : 1; }

  bench::Campaign begun() const {
    bench::Campaign campaign;
    campaign.environment.host = "n0";
    for (std::uint32_t run = 0; run < truth_.runs; ++run) {
      bench::Run& added = campaign.runs.emplace_back();
      for (std::uint32_t part = 0; part < truth_.parts; ++part) {
        added.hosts.push_back("n" + std::to_string(part));
        added.node_of.push_back(part);
      }
    }
    return campaign;
  }

  bench::Cell& add(bench::Campaign& campaign, const std::string& family, std::string_view call, std::uint64_t bytes,
                   std::uint32_t run, double seconds) {
    campaign.cells.push_back(storage_cell(family, call, bytes, times(seconds)));
    campaign.cells.back().run = run;
    return campaign.cells.back();
  }

  // Of one cell.
  std::vector<double> times(double seconds) {
    constexpr double kInCommon = 0.9;
    double level = seconds * std::exp(truth_.between_runs * normal_(random_));
    if (std::uniform_real_distribution<double>()(random_) < truth_.used_by_others) level *= 1.5;
    double off = normal_(random_);
    std::vector<double> all;
    for (std::uint32_t i = 0; i < truth_.repetitions; ++i) {
      all.push_back(level * std::exp(truth_.within_runs * off));
      off = kInCommon * off + std::sqrt(1 - kInCommon * kInCommon) * normal_(random_);
    }
    return all;
  }

  LikeParts truth_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

}  // namespace plumbline::hw::calibration
