#include "cli/workflows/assemble_spools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/team/resources.hpp"
#include "cli/team.hpp"
#include "replay/compare/result/wording.hpp"
#include "tracer/archive/write/writer.hpp"
#include "tracer/record/assemble/assemble.hpp"
#include "tracer/record/assemble/options.hpp"
#include "tracer/record/assemble/summary.hpp"
#include "tracer/record/clocks/clock_file.hpp"
#include "tracer/record/end_state/hang.hpp"
#include "tracer/record/launch/reasons.hpp"
#include "tracer/record/launch/runs.hpp"
#include "tracer/spool/samples.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::cli {
namespace {

using Paths = std::vector<std::filesystem::path>;

// Sharing pays from so many bytes of spools on, and with so many processes: each of them decodes its block twice
// (docs/internals/archive.md, docs/notebook/scale.md).
constexpr std::uint64_t kLeastBytes = std::uint64_t{64} << 20;
constexpr std::uint32_t kLeastProcesses = 4;

std::uint32_t processes_for(const Paths& spools, std::uint32_t asked) {
  if (asked != 0) return asked;
  std::uint64_t bytes = 0;
  for (const std::filesystem::path& spool : spools) {
    std::error_code ignored;
    if (const std::uintmax_t size = std::filesystem::file_size(spool, ignored); !ignored) bytes += size;
  }
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(usable_processors(), spools.size()));
  return bytes < kLeastBytes || most < kLeastProcesses ? 1 : most;
}

void assemble_run(const Paths& spools, record::AssembleOptions options, const std::filesystem::path& archive,
                  Overwrite overwrite, std::uint32_t jobs) {
  Progress progress("assembling", 100);
  progress.tell_time_left();
  options.progress = [&](double share) { progress.update(static_cast<std::uint64_t>(share * 100)); };
  const record::AssembleSummary summary =
      record::assemble(spools, archive, overwrite, options, workers(processes_for(spools, jobs)));
  for (const std::string& remark : summary.remarks) fmt::print(stderr, "plumbline: {}\n", remark);
  std::string who = summary.ranks == 0 ? "" : replay::plural(summary.ranks, "rank") + ", ";
  if (summary.servers != 0)
    who += fmt::format("{} process{} without MPI, ", summary.servers, summary.servers == 1 ? "" : "es");
  fmt::print(stderr, "plumbline: {}{} -> {}\n", who, replay::plural(summary.operations, "operation"), archive.string());
  if (!options.stopped_realtime_ns && summary.in_flight != 0)
    fmt::print(stderr, "plumbline: `plumbline info --waiting {}` says who waited for whom at the end\n",
               archive.string());
  if (options.stopped_realtime_ns) fmt::print(stderr, "{}", record::waiting_text(record::read_end_state(archive)));
}

template <typename Find>
Paths find_in(const Paths& directories, Find find) {
  Paths all;
  for (const std::filesystem::path& directory : directories) {
    const Paths found = find(directory);
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

// One that cannot be assembled does not keep the others from it.
void assemble_each(const std::vector<record::Run>& runs, const record::AssembleOptions& options,
                   const std::filesystem::path& archive, Overwrite overwrite, std::uint32_t jobs) {
  std::optional<Error> first;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    try {
      fmt::print(stderr, "plumbline: run {}: {}\n", i + 1, runs[i].program);
      assemble_run(runs[i].spools, options, record::archive_of_run(archive, i), overwrite, jobs);
    } catch (const Error& error) {
      if (!first)
        first = error;
      else
        fmt::print(stderr, "plumbline: {}\n", error.what());
    }
  }
  if (first) throw *first;
}

// Nothing was recorded: the reason, if it was seen.
void require_some(const std::vector<record::Run>& runs, const Paths& directories) {
  const std::vector<record::Reason> reasons = record::find_reasons(directories);
  if (!runs.empty() || reasons.empty()) return;
  throw Error("", "no rank was recorded: " + record::reasons_text(reasons),
              "docs/reference/recording-messages.md says what can be done");
}

}  // namespace

void assemble_spools(const std::vector<std::filesystem::path>& directories, const std::filesystem::path& archive,
                     Overwrite overwrite, Names names, const std::optional<record::Stop>& stop, std::uint32_t jobs) {
  const std::vector<record::Run> runs = record::find_runs(find_in(directories, spool::find_spools));
  require_some(runs, directories);
  record::AssembleOptions options;
  options.anonymize = names == Names::kPseudonyms;
  options.exchanges = find_in(directories, record::find_exchanges);
  options.samples = find_in(directories, spool::find_samples);
  if (stop) options.stopped_realtime_ns = stop->realtime_ns;
  if (runs.size() < 2) return assemble_run(runs.empty() ? Paths{} : runs[0].spools, options, archive, overwrite, jobs);
  for (std::size_t i = 0; i < runs.size(); ++i)
    archive::require_archive_output(record::archive_of_run(archive, i), overwrite);
  fmt::print(stderr, "plumbline: {} MPI programs were run, each becomes an archive\n", runs.size());
  assemble_each(runs, options, archive, overwrite, jobs);
}

}  // namespace plumbline::cli
