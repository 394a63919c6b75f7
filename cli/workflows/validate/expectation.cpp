#include "cli/workflows/validate/expectation.hpp"

#include <algorithm>
#include <optional>

#include "base/checks_throw.hpp"
#include "base/error.hpp"
#include "cli/workflows/expect.hpp"
#include "replay/program/compile.hpp"
#include "tracer/archive/reader.hpp"

namespace plumbline::cli::validate {
namespace {

// Whether hardware and stack lost so much that it is worth asking who did.
bool loses_something(const replay::Report& report) {
  const replay::Totals& totals = report.totals;
  return totals.lost_to_stack().seconds() > report.options.threshold * totals.rank_time().seconds();
}

Judged judge(const std::filesystem::path& archive, const hw::Platform& platform, const std::string& platform_name) {
  archive::Reader reader(archive);
  replay::CompileSummary summary;
  const replay::Program program = replay::program_of(reader, summary);
  ExpectOptions how;
  how.scratch = scratch_in(reader.anchor().parent_path());
  Expectation expectation = expect(program, platform, how);
  expectation.columns.platform = platform_name;
  expectation.columns.source = program.property("source");
  replay::ReportOptions options;
  options.notes = summary.remarks;
  options.compare.observed_name = archive.string();
  options.compare.reference_name = platform_name;
  Judged judged{replay::make_report(program, expectation.columns, options), {}, {}};
  judged.report.facts.observed = archive.string();
  judged.report.facts.reference = platform_name;
  judged.expected = end_of(expectation.columns.ranks) - Time{};
  if (platform.nodes.size() > 1 && loses_something(judged.report))
    judged.blame = blame(program, expectation.columns, platform);
  return judged;
}

}  // namespace

Judged judge_run(const std::filesystem::path& archive, const hw::Platform& platform, const std::string& platform_name) {
  const ChecksThrow of_this_run;
  try {
    return judge(archive, platform, platform_name);
  } catch (const InternalFault& fault) {
    throw Error(
        archive.string(), fault.what(),
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
