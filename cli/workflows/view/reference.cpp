#include "cli/workflows/view/reference.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "cli/workflows/view/components.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/compare/pairing/pairing.hpp"
#include "replay/expect/archive/expected_archive.hpp"
#include "replay/expect/expect.hpp"
#include "replay/expect/replay_jobs.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::cli::view {
namespace {

namespace expect = replay::expect;

namespace fs = std::filesystem;

// "cluster.xml" of "cluster.xml (Open MPI 4.1.4)", where it lies beside one of the archives or where we are.
fs::path find_platform(const std::string& told, std::initializer_list<fs::path> directories) {
  const fs::path name = fs::path(told.substr(0, told.find(" ("))).filename();
  if (name.empty()) return {};
  std::error_code none;
  for (const fs::path& directory : directories)
    if (const fs::path file = directory / name; fs::is_regular_file(file, none)) return file;
  return {};
}

fs::path platform_of(const replay::Expected& expected, const Options& options, const fs::path& anchor,
                     const Observed& observed) {
  if (!options.platform.empty()) return options.platform;
  return find_platform(expected.platform, {fs::current_path(), anchor.parent_path().parent_path(),
                                           observed.anchor.parent_path().parent_path()});
}

Reference read_expected(archive::Reader& reader, const Options& options, const Observed& observed,
                        const Scratch& scratch, Workers* workers) {
  Reference reference{replay::read_expected(reader, scratch, workers)};
  replay::require_made_from(*reference.columns, observed.program, options.reference.string(),
                            options.observed.string());
  reference.components = component_histories(reader);
  reference.platform = platform_of(*reference.columns, options, reader.anchor(), observed);
  return reference;
}

Reference read_other_run(const Options& options, const Observed& observed, const Scratch& scratch, Workers* workers) {
  replay::CompileSummary summary;
  replay::Program program = replay::program_of(options.reference, summary, workers);
  Reference reference{replay::columns_of_run(
      observed.program, program,
      {.observed_name = options.observed.string(), .reference_name = options.reference.string()}, scratch)};
  reference.kind = replay::ReferenceRun::kObserved;
  reference.program = std::move(program);
  reference.platform = options.platform;
  return reference;
}

Reference read_reference(const Options& options, const Observed& observed, const Scratch& scratch, Workers* workers) {
  archive::Reader reader(options.reference);
  Reference reference = replay::is_expected(reader.definitions())
                            ? read_expected(reader, options, observed, scratch, workers)
                            : read_other_run(options, observed, scratch, workers);
  reference.anchor = fs::absolute(reader.anchor());
  reference.name = options.reference.string();
  return reference;
}

Reference replayed(const Options& options, const Observed& observed, const Scratch& scratch) {
  const hw::Platform platform = hw::read_platform(options.platform);
  Progress progress("replaying", expect::kThousandths);
  expect::ExpectOptions how;
  how.scratch = scratch;
  how.team = expect::telling_team(
      expect::replay_jobs(options.jobs, expect::kMostReplays, expect::bytes_of_replay(observed.program, platform)),
      progress);
  expect::Expectation expectation = expect::expectation_of(observed.program, platform, how);
  expectation.columns.platform = expect::platform_name(options.platform, platform);
  expectation.columns.source = observed.program.property("source");
  Reference reference{std::move(expectation.columns)};
  reference.components = component_histories(expectation.free.use);
  reference.name = options.platform.string();
  reference.platform = options.platform;
  return reference;
}

}  // namespace

Reference known_reference(const Options& options, const Observed& observed, const viewer::Opening& kept) {
  Reference reference;
  reference.kind = kept.reference;
  if (!kept.expected) return reference;
  reference.anchor = fs::absolute(archive::find_anchor(options.reference));
  reference.name = options.reference.string();
  reference.platform = kept.reference == replay::ReferenceRun::kExpected
                           ? platform_of(*kept.expected, options, reference.anchor, observed)
                           : options.platform;
  return reference;
}

Reference open_reference(const Options& options, const Observed& observed, const Scratch& scratch, Workers* workers) {
  const bool has_reference = !options.reference.empty();
  if (!has_reference && options.platform.empty()) return {};
  if (has_reference && observed.is_damaged) {
    Reference none;
    none.banners.push_back(
        fmt::format("{} is left out: it belongs to the whole recording", options.reference.string()));
    return none;
  }
  try {
    return has_reference ? read_reference(options, observed, scratch, workers) : replayed(options, observed, scratch);
  } catch (const Error& error) {
    // What was named wrongly is to be named rightly; what is damaged does not hide the recording.
    const bool exists = !has_reference || fs::exists(options.reference);
    if (options.whole || error.code() != ExitCode::kBadInput || !exists || (!has_reference && !observed.is_damaged))
      throw;
    Reference none;
    none.banners.push_back(fmt::format("{} is left out: {}",
                                       (has_reference ? options.reference : options.platform).string(),
                                       to_string(error.problems().front())));
    return none;
  }
}

}  // namespace plumbline::cli::view
