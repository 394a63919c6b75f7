// What ways on a device cost, and how many accesses it serves at a time: by one rank of each node, one after the other.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/error.hpp"
#include "base/units.hpp"
#include "bench/ranks/storage/clients.hpp"
#include "bench/ranks/storage/families.hpp"
#include "bench/ranks/storage/one_of_each_node.hpp"
#include "bench/ranks/storage/request.hpp"
#include "bench/ranks/storage/timed_calls.hpp"
#include "bench/results/storage_cells.hpp"
#include "bench/storage/scratch.hpp"
#include "bench/storage/seeks.hpp"

namespace plumbline::bench {
namespace {

constexpr double kFileMib = 256;
constexpr std::uint64_t kLeastDistance = std::uint64_t{64} << 10;

std::vector<std::uint64_t> checked_sizes(const Request& request) {
  refuse_adaptive(request);
  for (const std::uint64_t size : request.sizes)
    if (size == 0 || size % kPage != 0)
      throw Error(request.operation, fmt::format("has accesses of {} bytes", size),
                  "give multiples of 4096: smaller ones do not go around the page cache", ExitCode::kWrongUse);
  return request.sizes;
}

class SeekMeasurement {
 public:
  SeekMeasurement(const Request& request, std::uint64_t seed, const std::function<void(Cell)>& give)
      : request_(request),
        give_(give),
        directory_(word_of(request, "directory", ".")),
        sizes_(checked_sizes(request)),
        most_threads_(static_cast<std::uint32_t>(number_of(request, "threads", 16, 0, 256))),
        scratch_(directory_) {
    const std::uint64_t size = file_size(request, directory_, number_of(request, "file_mib", kFileMib, 1, 1e6), 1);
    const std::uint64_t largest = *std::max_element(sizes_.begin(), sizes_.end());
    if (4 * largest > size)
      throw Error(directory_.string(), fmt::format("accesses of {} bytes in a file of {} MiB", largest, size / kMebi),
                  "raise file_mib or give smaller sizes", ExitCode::kWrongUse);
    file_ = std::make_unique<SeekFile>(scratch_.path(), size, largest, reaches_device_directly(scratch_.path()), seed);
  }

  void run() {
    for (const std::uint64_t bytes : sizes_) distances(bytes);
    const std::uint64_t bytes = sizes_.front();
    for (std::uint32_t threads = 1; threads <= most_threads_; threads *= 2)
      for (const bool write : {false, true})
        if (!write || file_->direct()) beside_each_other(threads, bytes, write);
  }

 private:
  // All distances in turn, so that whatever changes meanwhile changes for all of them.
  void distances(std::uint64_t bytes) {
    const std::vector<std::uint64_t> distances = seek_distances(kLeastDistance, file_->size());
    std::vector<TimedCall> calls;
    for (const std::uint64_t distance : distances) {
      const ClientFiles::Call call = file_->read_at_distance(distance, bytes);
      calls.push_back({call.prepare, call.execute});
    }
    const std::vector<CallTimes> times = time_calls(MPI_COMM_SELF, calls, request_.effort);
    for (std::size_t i = 0; i < distances.size(); ++i) {
      Cell cell = begun(bytes, std::string(kDeviceRead), times[i]);
      cell.numbers[cells::kDistance] = static_cast<double>(distances[i]);
      give_(std::move(cell));
    }
  }

  void beside_each_other(std::uint32_t threads, std::uint64_t bytes, bool write) {
    const ClientFiles::Call call = file_->beside_each_other(threads, bytes, write);
    const TimedCall timed{call.prepare, call.execute};
    const std::vector<CallTimes> times = time_calls(MPI_COMM_SELF, {&timed, 1}, request_.effort);
    Cell cell = begun(bytes, std::string(write ? kDeviceWrite : kDeviceRead), times.front());
    cell.in_flight = threads;
    cell.numbers[cells::kThreads] = threads;
    cell.numbers[cells::kAccesses] = threads * SeekFile::kAccessesOfThread;
    give_(std::move(cell));
  }

  Cell begun(std::uint64_t bytes, const std::string& call, const CallTimes& times) const {
    Cell cell = storage_cell(request_, directory_, bytes, call);
    cell.words[cells::kDevice] = file_->direct() ? cells::kDirect : cells::kDropped;
    cell.numbers[cells::kClients] = 1;
    describe_timing(request_.effort, times, false, cell);
    return cell;
  }

  const Request& request_;
  const std::function<void(Cell)>& give_;
  std::filesystem::path directory_;
  std::vector<std::uint64_t> sizes_;
  std::uint32_t most_threads_;
  ScratchDirectory scratch_;
  std::unique_ptr<SeekFile> file_;
};

void measure_seeks(const Context& context, const Request& request) {
  on_one_of_each_node(context, request, [&](const std::function<void(Cell)>& give) {
    SeekMeasurement(request, context.seed, give).run();
  });
}

constexpr std::array<std::string_view, 1> kImplementations = {"library"};
constexpr std::array<FamilyParameter, 5> kParameters = {
    kDirectoryParameter, FamilyParameter{"file_mib", "MiB of the file; half of it is the farthest way", "256"},
    FamilyParameter{"threads", "accesses at a time, at most, of 1, 2, 4 ...; 0: none of this", "16"}, kNodesParameter,
    kMostParameter};

}  // namespace

const Family kStorageSeekFamily = {"storage_seek",
                                   "what reads from a device take by their distance from the one before, and beside "
                                   "each other",
                                   "each access, a multiple of 4096",
                                   kImplementations,
                                   kParameters,
                                   1,
                                   measure_seeks};

}  // namespace plumbline::bench
