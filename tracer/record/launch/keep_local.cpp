#include "tracer/record/launch/keep_local.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>

#include "base/error.hpp"

namespace plumbline::record {

void say_where_spools_stay(const std::filesystem::path& directory) {
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  const int note = open((directory / "said").c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (note < 0) {
    if (std::filesystem::is_directory(directory)) return;  // another rank was first
    throw Error(directory.string(), "is no directory that can be written on this node",
                "name one that can be made on every node with --spool", ExitCode::kCannotRunHere);
  }
  close(note);
  std::array<char, HOST_NAME_MAX + 1> host{};
  gethostname(host.data(), host.size() - 1);
  fmt::print(stderr, "plumbline: the spools of node {0} stay in {0}:{1}\n", host.data(), directory.string());
}

std::string how_to_bring_together(const std::vector<Run>& runs, const std::filesystem::path& directory,
                                  const std::filesystem::path& archive) {
  const auto complete = [](const Run& run) { return run.ranks == run.world_size; };
  if (!runs.empty() && std::ranges::all_of(runs, complete)) return {};
  const std::uint32_t here = runs.empty() ? 0 : runs[0].ranks, all = runs.empty() ? 0 : runs[0].world_size;
  const std::string found = all == 0 ? "no spool is" : fmt::format("{} of {} spools are", here, all);
  return fmt::format(
      "{} in {} of this node; fetch those of each other node named above, and assemble all:\n"
      "  scp -r NODE:{} NODE.spools\n"
      "  plumbline assemble {} *.spools -o {}",
      found, directory.string(), directory.string(), directory.string(), archive.string());
}

}  // namespace plumbline::record
