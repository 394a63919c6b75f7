// What names cost: create, stat, open, close and unlink, in a directory of each client's own and in one of all.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "base/error.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/storage/clients.hpp"
#include "bench/ranks/storage/families.hpp"
#include "bench/ranks/storage/request.hpp"
#include "bench/ranks/storage/timed_calls.hpp"
#include "bench/results/storage_cells.hpp"
#include "bench/storage/file.hpp"
#include "bench/storage/scratch.hpp"

namespace plumbline::bench {
namespace {

// One file of one client after another through its life.
class NameLife {
 public:
  NameLife(std::filesystem::path directory, int rank) : directory_(std::move(directory)), rank_(rank) {}

  std::vector<TimedCall> calls() {
    const auto next = [this] { path_ = (directory_ / fmt::format("name{}-{}", rank_, number_++)).string(); };
    const auto close_again = [this] { close(); };
    return {{next, [this] { open(O_RDWR | O_CREAT | O_EXCL); }},
            {{}, close_again},
            {{},
             [this] {
               struct stat about {};
               if (::stat(path_.c_str(), &about) != 0) fail(path_, "stat");
             }},
            {{}, [this] { open(O_RDWR); }},
            {close_again, [this] {
               if (::unlink(path_.c_str()) != 0) fail(path_, "unlink");
             }}};
  }
  static constexpr std::size_t kCalls = 5;

 private:
  void open(int flags) {
    fd_ = ::open(path_.c_str(), flags | O_CLOEXEC, 0600);
    if (fd_ < 0) fail(path_, "open");
  }
  void close() const {
    if (::close(fd_) != 0) fail(path_, "close");
  }

  std::filesystem::path directory_;
  int rank_;
  int fd_ = -1;
  std::uint64_t number_ = 0;
  std::string path_;
};

class MetadataMeasurement {
 public:
  MetadataMeasurement(const Context& context, const Request& request)
      : context_(context), request_(request), directory_(word_of(request, "directory", ".")) {}

  void run() {
    all_or_none(context_.world, [this] {
      remove_abandoned(directory_);
      own_ = std::make_unique<ScratchDirectory>(directory_);
    });
    const std::filesystem::path shared = broadcast_text(context_.world, own_->path().string());
    const bool all_see_it = seen_by_all(shared);
    if (!all_see_it)
      context_.note(fmt::format("{} is not one directory for all ranks: names in a shared directory were left out",
                                directory_.string()));
    const std::vector<std::uint32_t> order = client_order(context_.places);
    for (const std::uint32_t count : client_counts(static_cast<std::uint32_t>(order.size()))) {
      const ClientGroup group(context_.world, {order.begin(), order.begin() + count});
      measure(group, own_->path(), cells::kOwn);
      if (all_see_it) measure(group, shared, cells::kShared);
    }
    must(MPI_Barrier(context_.world));  // the shared one goes when nobody is in it any more
  }

 private:
  bool seen_by_all(const std::filesystem::path& shared) {
    std::error_code ignored;
    int seen = std::filesystem::is_directory(shared, ignored) ? 1 : 0;
    must(MPI_Allreduce(MPI_IN_PLACE, &seen, 1, MPI_INT, MPI_MIN, context_.world));
    return seen == 1;
  }

  void measure(const ClientGroup& group, const std::filesystem::path& directory, const std::string& where) {
    const std::array<std::string, NameLife::kCalls> names = {cells::kCreate, std::string(kClose), cells::kStat,
                                                             cells::kOpenExisting, cells::kUnlink};
    all_or_none(context_.world, [&] {
      if (!group.has_me()) return;
      NameLife life(directory, rank_in(context_.world));
      const std::vector<TimedCall> calls = life.calls();
      const std::vector<CallTimes> times = time_calls(group.comm(), calls, request_.effort);
      if (rank_in(group.comm()) != 0 || times.empty()) return;
      for (std::size_t i = 0; i < names.size(); ++i) {
        Cell cell = storage_cell(request_, directory_, 0, names[i]);
        cell.words[cells::kWhere] = where;
        cell.ranks = group.ranks();
        cell.in_flight = static_cast<std::uint32_t>(group.ranks().size());
        cell.numbers[cells::kClients] = cell.in_flight;
        describe_timing(request_.effort, times[i], request_.keep_ranks, cell);
        context_.give(std::move(cell));
      }
    });
  }

  const Context& context_;
  const Request& request_;
  std::filesystem::path directory_;
  std::unique_ptr<ScratchDirectory> own_;
};

constexpr std::array<std::string_view, 1> kImplementations = {"library"};
constexpr std::array<FamilyParameter, 1> kParameters = {kDirectoryParameter};

}  // namespace

const Family kStorageMetadataFamily = {
    "storage_metadata",
    "what create, stat, open, close and unlink take, in a directory of each client's own and in one of all",
    "",
    kImplementations,
    kParameters,
    1,
    [](const Context& context, const Request& request) { MetadataMeasurement(context, request).run(); }};

}  // namespace plumbline::bench
