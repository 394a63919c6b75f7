// Costs of single calls on files: in the cache, on the device, syncs; for 1, 2, 4 ... all clients, and server by
// server.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <sstream>

#include "base/error.hpp"
#include "base/units.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/storage/clients.hpp"
#include "bench/ranks/storage/families.hpp"
#include "bench/ranks/storage/request.hpp"
#include "bench/ranks/storage/servers.hpp"
#include "bench/ranks/storage/timed_calls.hpp"
#include "bench/results/storage_cells.hpp"
#include "bench/storage/calls.hpp"
#include "bench/storage/scratch.hpp"

namespace plumbline::bench {
namespace {

constexpr std::array<std::string_view, 6> kAllCalls = {kCachedWrite, kCachedRead, kDeviceWrite,
                                                       kDeviceRead,  kSyncDirty,  kSyncClean};
constexpr double kFileMib = 32;
// The least block that a file system cuts files into which is commonly set (features.shard-block-size of GlusterFS is
// 4 MB at least): a larger file is on several servers without telling.
constexpr double kServerFileMib = 3;

std::vector<std::string> calls_of(const Request& request) {
  std::vector<std::string> calls;
  std::istringstream words(word_of(request, "calls", "all"));
  for (std::string word; words >> word;) {
    if (word == "all") continue;
    if (std::find(kAllCalls.begin(), kAllCalls.end(), word) == kAllCalls.end())
      throw Error(request.operation, fmt::format("calls has an unknown '{}'", word),
                  fmt::format("known are {}", fmt::join(kAllCalls, ", ")), ExitCode::kWrongUse);
    calls.push_back(word);
  }
  if (calls.empty()) calls.assign(kAllCalls.begin(), kAllCalls.end());
  return calls;
}

bool has_size(std::string_view call) { return call != kSyncClean; }

class CallsMeasurement {
 public:
  CallsMeasurement(const Context& context, const Request& request)
      : context_(context),
        request_(request),
        directory_(word_of(request, "directory", ".")),
        order_(client_order(context.places)),
        calls_(calls_of(request)),
        largest_(*std::max_element(request.sizes.begin(), request.sizes.end())) {}

  void run() {
    refuse_adaptive(request_);
    set_up();
    make_files(kFileMib, {});
    for (const std::uint32_t count : client_counts(static_cast<std::uint32_t>(order_.size())))
      measure_group({order_.begin(), order_.begin() + count}, request_.sizes, {});
    if (word_of(request_, "servers", "yes") == "yes") each_server();
  }

 private:
  void set_up() {
    all_or_none(context_.world, [this] {
      remove_abandoned(directory_);
      scratch_ = std::make_unique<ScratchDirectory>(directory_);
      direct_ = reaches_device_directly(scratch_->path());
    });
    // One rank that cannot go around the cache is enough: their times stand side by side.
    int direct = direct_ ? 1 : 0;
    must(MPI_Allreduce(MPI_IN_PLACE, &direct, 1, MPI_INT, MPI_MIN, context_.world));
    direct_ = direct == 1;
  }

  // `server`: that this rank's device file is to be on; empty: wherever the file system puts it.
  void make_files(double wanted_mib, const std::string& server) {
    files_.reset();
    all_or_none(context_.world, [&] {
      const auto ranks = static_cast<std::uint32_t>(order_.size());
      const double wanted = server.empty() ? number_of(request_, "file_mib", wanted_mib, 1, 1e6) : wanted_mib;
      const std::uint64_t size = file_size(request_, directory_, wanted, 2 * ranks);
      const std::filesystem::path& here = scratch_->path();
      const std::filesystem::path device = server.empty() ? here / "device" : file_on_server(here, server);
      files_ = std::make_unique<ClientFiles>(here, device, size, std::min(size, largest_), direct_,
                                             context_.seed + static_cast<std::uint64_t>(rank_in(context_.world)));
      size_ = size;
      resident_ = files_->still_resident();
    });
    must(MPI_Bcast(&size_, 1, MPI_UINT64_T, 0, context_.world));
    if (resident_ > 0.1 && !direct_ && server.empty())
      context_.note(
          fmt::format("{} % of a file in {} stay in memory though they were to be dropped: reads from the "
                      "device are reads from memory",
                      std::lround(100 * resident_), directory_.string()));
  }

  void measure_group(std::vector<std::uint32_t> ranks, const std::vector<std::uint64_t>& sizes,
                     const std::vector<std::string>& servers) {
    const ClientGroup group(context_.world, std::move(ranks));
    for (const std::string& call : calls_) {
      for (const std::uint64_t size : sizes) {
        if (!servers.empty() && call != kDeviceWrite && call != kDeviceRead) continue;  // only those are placed
        if (!has_size(call) && size != sizes.front()) continue;
        measure(group, call, has_size(call) ? std::min(size, size_) : 0, servers);
      }
    }
  }

  void measure(const ClientGroup& group, const std::string& call, std::uint64_t size,
               const std::vector<std::string>& servers) {
    all_or_none(context_.world, [&] {
      if (!group.has_me()) return;
      const ClientFiles::Call work = files_->call(call, size);
      const TimedCall timed{work.prepare, work.execute};
      const std::vector<CallTimes> times = time_calls(group.comm(), {&timed, 1}, request_.effort);
      if (rank_in(group.comm()) != 0 || times.empty()) return;
      Cell cell = storage_cell(request_, directory_, size, call);
      cell.ranks = group.ranks();
      cell.in_flight = static_cast<std::uint32_t>(group.ranks().size());
      cell.numbers[cells::kClients] = cell.in_flight;
      if (!servers.empty()) cell.numbers[cells::kServers] = static_cast<double>(servers.size());
      if (servers.size() == 1) cell.words[cells::kServer] = servers.front();
      if (const std::string way = way_to_device(call, size, direct_); !way.empty()) cell.words[cells::kDevice] = way;
      describe_timing(request_.effort, times.front(), request_.keep_ranks, cell);
      context_.give(std::move(cell));
    });
  }

  std::vector<std::string> all_servers() {
    std::string list;
    all_or_none(context_.world, [&] {
      if (rank_in(context_.world) == 0)
        for (const std::string& server : servers_seen(scratch_->path())) list += server + '\n';
    });
    std::istringstream lines(broadcast_text(context_.world, list));
    std::vector<std::string> servers;
    for (std::string line; std::getline(lines, line);) servers.push_back(line);
    return servers;
  }

  // Each server alone, then 2, 4 ... all of them, all clients at a time: the largest size, for rates.
  void each_server() {
    const std::vector<std::string> servers = all_servers();
    if (servers.empty()) return;
    for (const std::string& server : servers) on_servers({server});
    for (const std::uint32_t count : client_counts(static_cast<std::uint32_t>(servers.size())))
      if (count > 1) on_servers({servers.begin(), servers.begin() + count});
  }

  void on_servers(const std::vector<std::string>& servers) {
    const auto mine = std::find(order_.begin(), order_.end(), static_cast<std::uint32_t>(rank_in(context_.world)));
    make_files(std::min(kServerFileMib, number_of(request_, "file_mib", kFileMib, 1, 1e6)),
               servers[static_cast<std::size_t>(mine - order_.begin()) % servers.size()]);
    measure_group(order_, {largest_}, servers);
  }

  const Context& context_;
  const Request& request_;
  std::filesystem::path directory_;
  std::vector<std::uint32_t> order_;
  std::vector<std::string> calls_;
  std::uint64_t largest_;
  std::unique_ptr<ScratchDirectory> scratch_;
  std::unique_ptr<ClientFiles> files_;
  std::uint64_t size_ = 0;
  bool direct_ = false;
  double resident_ = 0;
};

constexpr std::array<std::string_view, 1> kImplementations = {"library"};
constexpr std::array<FamilyParameter, 5> kParameters = {
    kDirectoryParameter,
    FamilyParameter{
        "calls",
        "all, or some of cached-write, cached-read, device-write, device-read, sync-dirty, sync-clean, with "
        "blanks between",
        "all", true},
    FamilyParameter{"file_mib", "MiB of each of the two files of a client", "32"},
    FamilyParameter{"servers", "yes: also server by server, where the file system tells which a file is on", "yes",
                    true},
    kMostParameter};

}  // namespace

const Family kStorageCallsFamily = {
    "storage_calls",
    "what single reads, writes and syncs cost in the page cache and on the device, for 1, 2, 4 ... all clients",
    "each access",
    kImplementations,
    kParameters,
    1,
    [](const Context& context, const Request& request) { CallsMeasurement(context, request).run(); }};

}  // namespace plumbline::bench
