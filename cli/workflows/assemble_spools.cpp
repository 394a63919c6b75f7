#include "cli/workflows/assemble_spools.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/progress.hpp"
#include "replay/compare/wording.hpp"
#include "tracer/record/assemble.hpp"
#include "tracer/record/clock_file.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::cli {

void assemble_spools(const std::filesystem::path& directory, const std::vector<std::filesystem::path>& joined,
                     const std::filesystem::path& archive, Overwrite overwrite) {
  Progress progress("assembling", 100);
  record::AssembleOptions options;
  std::vector<std::filesystem::path> spools = spool::find_spools(directory);
  options.exchanges = record::find_exchanges(directory);
  for (const std::filesystem::path& other : joined) {
    const auto more = spool::find_spools(other), exchanges = record::find_exchanges(other);
    spools.insert(spools.end(), more.begin(), more.end());
    options.exchanges.insert(options.exchanges.end(), exchanges.begin(), exchanges.end());
  }
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.update(total == 0 ? 0 : done * 100 / total);
  };
  const record::AssembleSummary summary = record::assemble(spools, archive, overwrite, options);
  for (const std::string& remark : summary.remarks) fmt::print(stderr, "plumbline: {}\n", remark);
  std::string who = summary.ranks == 0 ? "" : replay::plural(summary.ranks, "rank") + ", ";
  if (summary.servers != 0)
    who += fmt::format("{} process{} without MPI, ", summary.servers, summary.servers == 1 ? "" : "es");
  fmt::print(stderr, "plumbline: {}{} -> {}\n", who, replay::plural(summary.operations, "operation"), archive.string());
}

}  // namespace plumbline::cli
