#include "cli/workflows/validate/session/room.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/quantity.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kReserve = 8 * kMiB;  // report.html of a large validation has 2 MiB
constexpr std::uint64_t kFull = 2 * kMiB;     // a spool begins with a segment of 1 MiB

// MiB that a level writes at most at any time, by what 2 ranks wrote, and half as much again: --quick 137 to the output
// directory, 9 of spools, 175 to storage; the default 342, 19 and 501. What --full writes follows from its suite, which
// makes three times as many calls.
struct Sizes {
  std::uint64_t output, output_per_rank, spools_per_rank, storage, storage_per_rank;
};

Sizes sizes_of(Level level) {
  switch (level) {
    case Level::kQuick:
      return {16, 100, 10, 128, 64};
    case Level::kDefault:
      return {32, 240, 20, 128, 300};
    default:
      return {64, 720, 60, 128, 900};
  }
}

// The nearest directory that is there: what is to be made lies on its file system.
fs::path existing(const fs::path& path) {
  std::error_code failed;
  fs::path at = fs::absolute(path, failed);
  while (!fs::exists(at, failed) && at.has_relative_path()) at = at.parent_path();
  return at;
}

struct FileSystem {
  std::uint64_t free = 0, needed = 0;
  std::vector<const Need*> needs;
};

// By number of the device; what cannot be asked is left out.
std::map<dev_t, FileSystem> file_systems(const std::vector<Need>& needs) {
  std::map<dev_t, FileSystem> all;
  for (const Need& need : needs) {
    const fs::path place = existing(need.directory);
    struct stat status {};
    struct statvfs space {};
    if (::stat(place.c_str(), &status) != 0 || ::statvfs(place.c_str(), &space) != 0) continue;
    FileSystem& one = all[status.st_dev];
    one.free = std::uint64_t{space.f_bavail} * space.f_frsize;
    one.needed += need.bytes;
    one.needs.push_back(&need);
  }
  return all;
}

std::string mib_text(std::uint64_t bytes) { return fmt::format("{} MiB", (bytes + kMiB - 1) / kMiB); }

std::string uses_text(const FileSystem& one) {
  std::string text;
  for (const Need* need : one.needs)
    text += fmt::format("{}{} for {}", text.empty() ? "" : ", ", mib_text(need->bytes), need->what);
  return text;
}

fs::path spool_directory() {
  std::error_code failed;
  const fs::path directory = fs::temp_directory_path(failed);
  return failed ? fs::path("/tmp") : directory;
}

}  // namespace

std::vector<Need> needs_of(const Options& options, std::size_t mpis, std::uint32_t ranks, std::uint32_t per_node) {
  const Sizes sizes = sizes_of(options.level);
  const auto mib = [](std::uint64_t base, std::uint64_t each, std::uint64_t count) {
    return (base + each * count) * kMiB;
  };
  std::vector<Need> needs = {{options.directory, "the report, platforms and archives",
                              mib(sizes.output * mpis, sizes.output_per_rank * mpis, ranks)},
                             {spool_directory(), "spools (TMPDIR)", mib(0, sizes.spools_per_rank, per_node)}};
  const std::uint64_t storage = mib(sizes.storage, sizes.storage_per_rank, ranks);
  for (const fs::path& directory : options.io) needs.push_back({directory, "files of --io", storage});
  if (options.io.empty()) needs.push_back({".", "files that are measured (--io)", storage});
  return needs;
}

void require_room(const std::vector<Need>& needs) {
  Diagnostics faults;
  for (const auto& [device, one] : file_systems(needs))
    if (one.free < one.needed)
      faults.add(
          one.needs.front()->directory.string(),
          fmt::format("has {} free, and this needs {}: {}", mib_text(one.free), mib_text(one.needed), uses_text(one)),
          "free some, or name other directories with -o, --io and TMPDIR");
  faults.throw_if_any(ExitCode::kBadInput);
}

void require_some_room(const std::vector<Need>& needs) {
  for (const auto& [device, one] : file_systems(needs))
    if (one.free < kFull)
      throw Error(one.needs.front()->directory.string(),
                  fmt::format("its disk is full: {} free, with {} for the report kept back", mib_text(one.free),
                              mib_text(kReserve)),
                  fmt::format("free {}, and go on with --resume", mib_text(one.needed)), ExitCode::kCannotRunHere);
}

Reserve::Reserve(fs::path file) : file_(std::move(file)) {
  const int made = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (made < 0) return;
  const bool kept = ::posix_fallocate(made, 0, kReserve) == 0;
  ::close(made);
  if (!kept) release();
}

void Reserve::release() {
  if (!file_.empty()) ::unlink(file_.c_str());
  file_.clear();
}

}  // namespace plumbline::cli::validate
