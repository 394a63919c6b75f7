#include "cli/workflows/validate/expectation/expectation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/checks_throw.hpp"
#include "base/error.hpp"
#include "replay/expect/expect.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay/program/thread_level.hpp"
#include "replay/report/make_report.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::cli::validate {
namespace {

// Whether hardware and stack lost so much that it is worth asking who did.
bool loses_something(const replay::Report& report) {
  const replay::Totals& totals = report.totals;
  return totals.lost_to_stack().seconds() > report.options.threshold * totals.rank_time().seconds();
}

Judged judge(const Recorded& run, const hw::Platform& platform, const std::string& platform_name, const Team& team) {
  replay::expect::ExpectOptions how;
  how.team = team;
  how.scratch = scratch_in(std::filesystem::absolute(archive::find_anchor(run.archive)).parent_path());
  replay::expect::Expectation expectation = replay::expect::expectation_of(run.program, platform, how);
  expectation.columns.platform = platform_name;
  expectation.columns.source = run.program.property("source");
  replay::ReportOptions options;
  options.notes = run.summary.remarks;
  options.compare.observed_name = run.archive.string();
  options.compare.reference_name = platform_name;
  Judged judged{
      replay::make_report(run.program, expectation.columns, options), {}, {}, replay::has_thread_multiple(run.program)};
  judged.report.facts.observed = run.archive.string();
  judged.report.facts.reference = platform_name;
  judged.expected = end_of(expectation.columns.ranks) - Time{};
  if (platform.nodes.size() > 1 && loses_something(judged.report))
    judged.blame = blame(run.program, expectation.columns, platform);
  return judged;
}

}  // namespace

Recorded read_run(const std::filesystem::path& archive) {
  replay::CompileSummary summary;
  replay::Program program = replay::program_of(archive, summary);
  return {archive, std::move(program), std::move(summary)};
}

Judged judge_run(const Recorded& run, const hw::Platform& platform, const std::string& platform_name,
                 const Team& team) {
  const ChecksThrow of_this_run;
  try {
    return judge(run, platform, platform_name, team);
  } catch (const InternalFault& fault) {
    throw Error(
        run.archive.string(), fault.what(),
        "this is a fault of Plumbline: please report it with this recording and its platform; the other runs of "
        "the suite are judged");
  }
}

Duration observed_length(const std::filesystem::path& archive) {
  replay::CompileSummary summary;
  const replay::Program program = replay::program_of(archive, summary);
  std::optional<Time> begin;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const auto times = program.rank(rank).times;
    if (!times.empty()) begin = std::min(begin.value_or(times.front().begin), times.front().begin);
  }
  return begin ? end_of(program) - *begin : Duration{};
}

}  // namespace plumbline::cli::validate
