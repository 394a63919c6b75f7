// How much the page cache of a node takes before writers wait, what it writes back meanwhile, and what can be read
// again from it: by one rank of each node, one after the other.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/units.hpp"
#include "bench/ranks/storage/clients.hpp"
#include "bench/ranks/storage/families.hpp"
#include "bench/ranks/storage/one_of_each_node.hpp"
#include "bench/ranks/storage/request.hpp"
#include "bench/ranks/storage/timed_calls.hpp"
#include "bench/results/storage_cells.hpp"
#include "bench/storage/cache.hpp"
#include "bench/storage/layout.hpp"
#include "bench/storage/scratch.hpp"

namespace plumbline::bench {
namespace {

constexpr int kTimes = 5;

Cell cache_cell(const Request& request, const std::filesystem::path& directory, std::uint64_t bytes,
                const std::string& call, std::vector<double> seconds) {
  Cell cell = storage_cell(request, directory, bytes, call);
  cell.numbers[cells::kClients] = 1;
  CallTimes times;
  times.seconds = std::move(seconds);
  describe_timing(request.effort, times, false, cell);
  cell.stop = "count";
  return cell;
}

void fill_and_read(const Request& request, const std::function<void(Cell)>& give) {
  const std::filesystem::path directory = word_of(request, "directory", ".");
  const double share = number_of(request, "memory_share", 0.25, 0, 1);
  const double mib = static_cast<double>(kMebi);
  const auto memory = share * static_cast<double>(memory_line("MemAvailable:")) / mib;
  const double wanted = number_of(request, "fill_mib", 256, 1, 1e6);
  const std::uint64_t most = file_size(request, directory, memory > 0 ? std::min(wanted, memory) : wanted, 1);
  const auto chunk = static_cast<std::uint64_t>(number_of(request, "chunk_kib", 1024, 4, 65'536)) * 1024;
  const ScratchDirectory scratch(directory);
  CacheFile file(scratch.path(), std::min(chunk, most));
  const CacheFilled filled = file.write_growing(most, request.effort.budget_s);
  give(cache_cell(request, directory, chunk, cells::kFillWrite, filled.seconds));
  Cell sync = cache_cell(request, directory, chunk * filled.seconds.size(), cells::kFillSync, {filled.sync_seconds});
  sync.numbers[cells::kDirtyBefore] = static_cast<double>(filled.dirty_before);
  give(std::move(sync));
  for (const CacheRead& read : file.read_growing(kTimes, request.effort.budget_s)) {
    Cell again = cache_cell(request, directory, read.bytes, cells::kReadAgain, read.again);
    again.numbers[cells::kResident] = read.resident;
    if (!read.again.empty()) give(std::move(again));
    if (!read.dropped.empty()) give(cache_cell(request, directory, read.bytes, cells::kReadDropped, read.dropped));
  }
}

void measure_cache(const Context& context, const Request& request) {
  on_one_of_each_node(context, request, [&](const std::function<void(Cell)>& give) { fill_and_read(request, give); });
}

constexpr std::array<std::string_view, 1> kImplementations = {"library"};
constexpr std::array<FamilyParameter, 6> kParameters = {
    kDirectoryParameter,
    FamilyParameter{"fill_mib", "MiB to write at most; the limit of dirty data is seen when it is below", "256"},
    FamilyParameter{"memory_share", "share of the memory that is available, which is not exceeded either", "0.25"},
    FamilyParameter{"chunk_kib", "KiB that are written at a time", "1024"},
    kNodesParameter,
    kMostParameter};

}  // namespace

const Family kStorageCacheFamily = {"storage_cache",
                                    "what the page cache takes before writers wait, and what is read again from it",
                                    "",
                                    kImplementations,
                                    kParameters,
                                    1,
                                    measure_cache};

}  // namespace plumbline::bench
