#include "replay/engine/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "base/files/text_file.hpp"
#include "base/progress.hpp"
#include "base/quantity.hpp"
#include "cli/file_kind.hpp"
#include "cli/jobs.hpp"
#include "cli/numbers.hpp"
#include "cli/paths.hpp"
#include "cli/team.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/replay/outcome_table.hpp"
#include "cli/verbs/replay/progress_pipe.hpp"
#include "cli/verbs/replay/replay_json.hpp"
#include "cli/verbs/replay/sample_table.hpp"
#include "hwmodels/platform/settings/settings.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/engine/unmatched_operations.hpp"
#include "replay/expect/archive/expected_archive.hpp"
#include "replay/expect/archive/read_together.hpp"
#include "replay/expect/columns/times_file.hpp"
#include "replay/expect/expect.hpp"
#include "replay/expect/replay_jobs.hpp"
#include "replay/expect/samples.hpp"
#include "replay/expect/shared_lengths.hpp"
#include "replay/expect/what_if.hpp"
#include "replay/model/compile/compile.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay/report/text_failures.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::cli {
namespace {

namespace expect = replay::expect;

struct ReplayArguments {
  std::filesystem::path observed, platform, output;
  std::string compute = "recorded";
  std::vector<std::string> settings, sweeps;
  bool force = false, json = false, details = false;
  std::uint64_t seed = 1;
  std::uint32_t samples = 0, jobs = 0;
  std::filesystem::path times;
  int progress = -1;
};

double compute_factor(const std::string& text) {
  if (text == "recorded") return 1;
  if (text == "zero") return 0;
  char* end = nullptr;
  const double factor = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !(factor >= 0) || factor > 1e6)
    throw Error("--compute", fmt::format("'{}' is neither recorded, zero nor a factor", text),
                "for example --compute=0.5", ExitCode::kWrongUse);
  return factor;
}

void refuse_expected(const archive::Definitions& definitions, const std::filesystem::path& path) {
  if (replay::is_expected(definitions))
    throw Error(path.string(), "is an expected archive", "replay the observed one that it was made from");
}

// What a replay says of one recording on one platform, before it starts and when it is done. Details only on request.
struct Said {
  const replay::Program& program;
  bool details = false;
};

void print_lines(std::string_view before, const std::vector<std::string>& lines, bool details) {
  constexpr std::size_t kMost = 2;
  const std::size_t shown = details ? lines.size() : std::min(lines.size(), kMost);
  for (std::size_t i = 0; i < shown; ++i) fmt::print("  {}{}\n", before, lines[i]);
  if (shown < lines.size()) fmt::print("  {}and {} more (--details)\n", before, lines.size() - shown);
}

// Said before the replay starts: how much of the time in calls it will model. What sets the program up is apart.
void print_coverage(const Said& said, const hw::Platform& platform, const replay::CompileSummary& summary) {
  const replay::Program& program = said.program;
  if (replay::model::is_of_model(program)) {
    fmt::print("{} of the model {}: nothing was observed\n", replay::plural(program.ranks(), "rank"),
               program.property(replay::model::kModelProperty));
    return;
  }
  TimeSum total, not_judged, set_up;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (const replay::OperationTimes& time : program.rank(rank).times) total += time.end - time.begin;
  const auto left_out = replay::not_judged(program, platform);
  for (const replay::NotJudged& item : left_out) (item.set_up ? set_up : not_judged) += item.observed;
  const TimeSum in_calls = total - set_up;
  fmt::print(
      "{}: {} of the time in calls is judged; besides, {} a rank for start-up, shutdown and creation of handles\n",
      replay::plural(program.ranks(), "rank"),
      replay::percent(in_calls.ps > 0 ? (in_calls - not_judged).seconds() / in_calls.seconds() : 1),
      format(set_up.mean(std::max<std::uint64_t>(program.ranks(), 1))));
  if (said.details)
    for (const replay::NotJudged& item : left_out)
      fmt::print("  not judged: {} ({}, {})\n", item.reason, replay::plural(item.operations, "operation"),
                 format(item.observed));
  if (const std::string_view library = program.property("library");
      !platform.mpi.empty() && !library.empty() && !library.starts_with(platform.mpi))
    fmt::print("  the program ran {}, the platform was measured with {}\n", library, platform.mpi);
  if (const std::string failed = replay::failed_calls_sentence(replay::failed_calls(program)); !failed.empty())
    fmt::print("  {}; plumbline info lists them\n", failed);
  print_lines("the archive lacks ", summary.lacks, said.details);
  std::vector<std::string> remarks = summary.remarks;  // what is missing first
  std::ranges::stable_partition(remarks, [](const std::string& line) { return line.starts_with("incomplete: "); });
  print_lines("", remarks, said.details);
  std::fflush(stdout);
}

// "MPI_Allreduce: openmpi ring, openmpi rabenseifner; MPI_Barrier: .."
std::string schedules_of(const std::vector<replay::CollectiveUse>& uses) {
  std::map<std::string, std::string> by_call;
  for (const replay::CollectiveUse& use : uses) {
    std::string& algorithms = by_call[use.call];
    if (algorithms.find(use.algorithm) == std::string::npos)
      algorithms += (algorithms.empty() ? "" : ", ") + use.algorithm;
  }
  std::string text;
  for (const auto& [call, algorithms] : by_call)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", call, algorithms);
  return text;
}

// Ideally; and as configured where that is something else.
std::string schedules_of(const expect::Expectation& expectation) {
  const std::string ideal = schedules_of(expectation.collectives),
                    configured = schedules_of(expectation.configured_collectives);
  return ideal == configured ? ideal : fmt::format("ideal: {}. As configured: {}", ideal, configured);
}

// Of a form that has no replay of its own, because it is the ideal one, the uses are those of the ideal form.
std::string_view chooser(const replay::CollectiveUse& use, replay::Form form) {
  switch (use.by) {
    case replay::ChosenBy::kForced:
      return "as asked for";
    case replay::ChosenBy::kTables:
      return "by the library's tables and settings";
    case replay::ChosenBy::kBest:
      return form == replay::Form::kIdeal ? "the fastest here" : "by the library's tables and settings";
    case replay::ChosenBy::kNobody:
      break;
  }
  return "the library's algorithms are not known, or the recording does not tell enough";
}

// A line per call and algorithm, such as "MPI_Bcast  12 calls  mpich bcast binomial (by the library's tables)".
void print_collectives(replay::Form form, const std::vector<replay::CollectiveUse>& uses) {
  if (uses.empty()) return;
  fmt::print("collectives {}:\n", form == replay::Form::kIdeal ? "in the ideal form" : "as configured");
  for (const replay::CollectiveUse& use : uses)
    fmt::print("  {:<26} {:>12}  {} ({})\n", use.call, replay::plural(use.calls, "call"), use.algorithm,
               chooser(use, form));
}

// How many collectives are held against the messages that were recorded inside of them.
void print_inner(const expect::Expectation& expectation, const replay::Program& program) {
  std::uint64_t collectives = 0, by_inner = 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const KeptColumn<std::uint8_t>& of_rank = expectation.columns.ranks[rank].by_inner;
    for (std::size_t i = 0; i < of_rank.size(); ++i) {
      if (!replay::exchanges_data(program.rank(rank).operations[i].kind)) continue;
      ++collectives;
      by_inner += of_rank[i];
    }
  }
  if (by_inner > 0)
    fmt::print("{} of {} are as-run by the messages that were recorded inside\n", by_inner,
               replay::plural(collectives, "collective operation"));
  for (const replay::InnerFault& fault : expectation.inner_faults)
    fmt::print("  no as-run expectation: {} ({})\n", fault.reason, replay::plural(fault.operations, "operation"));
  for (const replay::IoRemark& remark : expectation.io_remarks)
    fmt::print("  MPI-IO as configured: {} ({})\n", remark.reason, replay::plural(remark.operations, "operation"));
}

// What limits the answer, beside what was said before the replay.
void print_limits(const expect::Expectation& expectation, const replay::Program& program) {
  const replay::ReplayResult& anchored = expectation.anchored;
  if (anchored.unanswered != nullptr) {
    std::uint64_t left_out = 0;
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      for (std::uint32_t i = 0; i < program.rank(rank).operations.size(); ++i)
        left_out += anchored.unanswered->of(rank, i) != 0 ? 1 : 0;
    fmt::print("  also not judged: {} ({})\n", replay::UnmatchedOperations::kReason,
               replay::plural(left_out, "operation"));
  }
  if (expectation.free.beyond_measured > 0)
    fmt::print("{} had more others under way than were measured, and took the time of the most that were\n",
               replay::plural(expectation.free.beyond_measured, "message"));
}

void print_model(const expect::Expectation& expectation, const replay::Program& program) {
  const replay::ReplayResult& anchored = expectation.anchored;
  fmt::print("{} messages, {} events in the anchored replay; {} replays\n", anchored.messages, anchored.events,
             expectation.runs);
  print_inner(expectation, program);
  if (anchored.late_starts > 0)
    fmt::print("the model was slower than the world before {}, by {} on average\n",
               replay::plural(anchored.late_starts, "operation"), format(anchored.lateness.mean(anchored.late_starts)));
}

std::string_view waits_for(hw::ComponentKind kind) {
  switch (kind) {
    case hw::ComponentKind::kNetwork:
      return "packet";
    case hw::ComponentKind::kServer:
      return "request";
    case hw::ComponentKind::kDevice:
      break;
  }
  return "operation";
}

void print_components(const replay::ReplayResult& free, Duration length) {
  constexpr std::size_t kMost = 5;
  const std::vector<hw::BusyComponent> busiest = hw::busiest(free.use, kMost);
  if (busiest.empty()) return;
  fmt::print("busiest components of the expected run:\n");
  for (const hw::BusyComponent& component : busiest)
    fmt::print("  {:<26} busy {:>7}, {:>9}, {} seen waiting\n", component.name,
               format_percent(length.ps == 0 ? 0 : component.use.busy.seconds() / length.seconds()),
               format(component.use.bytes), replay::plural(component.use.waiting, waits_for(component.kind)));
}

void print_told(const Said& said, const expect::Expectation& expectation) {
  const Duration length = end_of(expectation.columns.ranks) - Time{};
  if (replay::model::is_of_model(said.program))
    fmt::print("expected {} (free replay)\n", format(length));
  else
    fmt::print("observed {}, expected {} (free replay)\n", format(end_of(said.program) - Time{}), format(length));
  print_limits(expectation, said.program);
  if (!said.details) {
    fmt::print("what is not judged, algorithms of collectives, components: --details\n");
    return;
  }
  print_model(expectation, said.program);
  print_collectives(replay::Form::kIdeal, expectation.collectives);
  print_collectives(replay::Form::kAsConfigured, expectation.configured_collectives);
  print_components(expectation.free, length);
}

struct WhatIfOptions {
  std::vector<hw::Setting> settings;
  std::vector<expect::Sweep> sweeps;
};

WhatIfOptions what_if_options(const ReplayArguments& options) {
  WhatIfOptions result;
  for (const std::string& text : options.settings) result.settings.push_back(hw::parse_setting(text));
  for (const std::string& text : options.sweeps) result.sweeps.push_back(expect::parse_sweep(text));
  if (!result.sweeps.empty() && !options.output.empty())
    throw Error("--sweep", "writes no archive", "leave out -o, or ask for one value with --set", ExitCode::kWrongUse);
  if (options.samples > 0 && !result.sweeps.empty())
    throw Error("--samples", "goes with one value of everything, not with --sweep", "ask for one value with --set",
                ExitCode::kWrongUse);
  if (options.samples > 0 && !options.output.empty())
    throw Error("--samples", "writes no archive", "leave out -o", ExitCode::kWrongUse);
  const bool one_outcome = options.json && !result.settings.empty() && result.sweeps.empty() && options.samples == 0;
  if (!options.times.empty() && !one_outcome)
    throw Error("--times", "goes with --json and --set alone", "name the settings to replay with", ExitCode::kWrongUse);
  return result;
}

// What is replayed: a recording, or a program file, which has no archive.
struct Opened {
  std::optional<archive::Reader> reader;
  replay::CompileSummary summary;
  replay::Program program;

  std::filesystem::path directory(const std::filesystem::path& file) const {
    return reader ? reader->anchor().parent_path() : std::filesystem::absolute(file).parent_path();
  }
};

Opened open_observed(const ReplayArguments& options) {
  if (kind_of(options.observed) == FileKind::kProgram) {
    if (!options.output.empty())
      throw Error(options.observed.string(), "is a program file, and an expected archive is made from an observed one",
                  "leave out -o", ExitCode::kWrongUse);
    return {std::nullopt, {}, replay::Program::open(options.observed)};
  }
  require_archive(options.observed);
  std::optional<archive::Reader> reader(std::in_place, options.observed);
  refuse_expected(reader->definitions(), options.observed);
  replay::CompileSummary summary;
  replay::Program program = replay::program_of(*reader, summary, &workers(options.jobs));
  return {std::move(reader), std::move(summary), std::move(program)};
}

// Replays that the command may make, side by side.
std::size_t most_replays(const ReplayArguments& options, const WhatIfOptions& asked) {
  if (options.samples > 0) return options.samples;
  return asked.sweeps.empty() ? expect::kMostReplays : expect::combinations(asked.sweeps).size() + 1;
}

// Where it can be shared among the processes of a launcher: the program has a file, and the platform can be read again.
std::optional<expect::LengthsWanted> lengths_wanted(const ReplayArguments& options, const Opened& opened) {
  const std::filesystem::path& program = opened.reader ? opened.summary.kept : options.observed;
  if (launched_workers() == nullptr || program.empty() || !std::filesystem::is_regular_file(options.platform))
    return std::nullopt;
  return expect::LengthsWanted{program,
                               opened.program.content_key(),
                               read_text_file(options.platform, "", std::size_t{1} << 30),
                               compute_factor(options.compute),
                               {}};
}

expect::Samples samples_of(const ReplayArguments& options, const Opened& opened, const expect::WhatIf& changed,
                           std::uint32_t jobs) {
  const replay::Program& program = opened.program;
  Progress progress("replaying", expect::kThousandths);
  progress.tell_time_left();
  // Where the recording is incomplete, the first replay finds what all others leave out.
  std::optional<expect::LengthsWanted> wanted = lengths_wanted(options, opened);
  if (wanted && !replay::says_it_is_incomplete(program)) {
    const std::vector<hw::Setting> settings = what_if_options(options).settings;
    for (std::uint32_t i = 0; i < options.samples; ++i) wanted->replays.push_back({settings, options.seed + i});
    if (auto lengths =
            expect::shared_lengths(*launched_workers(), *wanted, expect::telling_team(jobs, progress).progress))
      return {options.seed, *std::move(lengths)};
  }
  return expect::sample(program, changed.platform,
                        {changed.choices, compute_factor(options.compute), options.seed, options.samples,
                         expect::telling_team(jobs, progress)});
}

// As try_out() finds them; nothing where they cannot be shared.
std::optional<expect::Outcomes> shared_outcomes(const ReplayArguments& options, const Opened& opened,
                                                const hw::Platform& given, const WhatIfOptions& asked,
                                                const std::function<void(double)>& progress) {
  std::optional<expect::LengthsWanted> wanted = lengths_wanted(options, opened);
  if (!wanted || !options.times.empty()) return std::nullopt;
  wanted->replays.push_back({{}, options.seed});
  for (std::vector<hw::Setting>& point : expect::checked_points(given, asked.settings, asked.sweeps))
    wanted->replays.push_back({std::move(point), options.seed});
  const auto lengths = expect::shared_lengths(*launched_workers(), *wanted, progress);
  if (!lengths) return std::nullopt;
  expect::Outcomes result;
  result.unchanged = lengths->front();
  const std::vector<std::vector<hw::Setting>> swept = expect::combinations(asked.sweeps);
  for (std::size_t i = 0; i < swept.size(); ++i) result.outcomes.push_back({swept[i], (*lengths)[i + 1]});
  return result;
}

expect::Outcomes outcomes_of(const ReplayArguments& options, const Opened& opened, const hw::Platform& given,
                             const WhatIfOptions& asked, std::uint32_t jobs) {
  Progress progress("replaying", expect::kThousandths);
  progress.tell_time_left();
  ProgressPipe told(options.progress);
  const Team on_terminal = expect::telling_team(jobs, progress);
  const Team team{.jobs = jobs, .progress = [&](double share) {
                    on_terminal.progress(share);
                    told.tell(share);
                  }};
  if (auto shared = shared_outcomes(options, opened, given, asked, team.progress)) return *std::move(shared);
  return expect::try_out(opened.program, given, asked.settings, asked.sweeps,
                         {compute_factor(options.compute), options.seed, !options.times.empty(), team});
}

expect::Expectation expectation_of(const ReplayArguments& options, const Opened& opened, const expect::WhatIf& changed,
                                   std::uint32_t jobs) {
  constexpr std::size_t kDeviceOperations = 65'536;  // some megabytes for each device
  Progress progress("replaying", expect::kThousandths);
  expect::ExpectOptions how{.compute = compute_factor(options.compute), .choices = changed.choices};
  how.team = expect::telling_team(jobs, progress);
  how.seed = options.seed;
  how.scratch = scratch_in(opened.directory(options.observed));
  if (!options.output.empty()) how.device_operations = kDeviceOperations;
  expect::Expectation expectation = expect::expectation_of(opened.program, changed.platform, how);
  expectation.columns.platform = expect::platform_name(options.platform, changed.platform);
  expectation.columns.source = opened.program.property("source");
  expectation.columns.schedules = schedules_of(expectation);
  return expectation;
}

int run_replays(const ReplayArguments& options) {
  compute_factor(options.compute);  // complains first
  const Overwrite overwrite = options.force ? Overwrite::kYes : Overwrite::kNo;
  const WhatIfOptions asked = what_if_options(options);
  require_distinct(options.output, {options.observed, options.platform});
  if (!options.output.empty()) archive::require_archive_output(options.output, overwrite);
  require_archive_or_program(options.observed);
  const hw::Platform given = expect::read_platform_for(asked.settings, options.platform);
  const expect::WhatIf changed = expect::what_if(given, asked.settings);
  Opened opened = open_observed(options);
  const replay::Program& program = opened.program;
  replay::place_ranks(program, changed.platform);  // complains before anything else is said
  const Said said{program, options.details};
  if (!options.json) print_coverage(said, changed.platform, opened.summary);
  const std::uint32_t jobs = expect::replay_jobs(options.jobs, most_replays(options, asked),
                                                 expect::bytes_of_replay(program, changed.platform));
  if (options.samples > 0) {
    const expect::Samples samples = samples_of(options, opened, changed, jobs);
    fmt::print("{}", options.json ? sample_json(samples) : sample_table(samples));
    return 0;
  }
  const bool tries_out_only = !asked.sweeps.empty() || (options.json && !asked.settings.empty());
  if (tries_out_only || !asked.settings.empty()) {
    const expect::Outcomes outcomes = outcomes_of(options, opened, given, asked, jobs);
    if (!options.times.empty()) replay::write_times(options.times, program, outcomes.times);
    fmt::print("{}", options.json ? outcome_json(outcomes) : outcome_table(outcomes));
  }
  if (tries_out_only) return 0;

  const expect::Expectation expectation = expectation_of(options, opened, changed, jobs);
  if (options.json)
    fmt::print("{}", replay_json(expectation, program));
  else
    print_told(said, expectation);
  if (!options.output.empty()) {
    const replay::WritersOfEvents writers{&workers(options.jobs), replay::useful_readers(*opened.reader)};
    replay::write_expected(*opened.reader, expectation.columns, expectation.free.use, options.output, overwrite,
                           writers);
    if (!options.json) fmt::print("{}\n", options.output.string());
  }
  return 0;
}

}  // namespace

Run declare_replay(CLI::App& app) {
  const auto options = std::make_shared<ReplayArguments>();
  app.add_option("OBS", options->observed, "observed archive: its directory or its .otf2 file; or a program file")
      ->required();
  app.add_option("-p,--platform", options->platform, "platform file")->required()->type_name("FILE");
  app.add_option("-o,--output", options->output, "expected archive to write, a directory")->type_name("DIR");
  app.add_option("--compute", options->compute, "compute time between calls: recorded, zero, or a factor on it")
      ->capture_default_str()
      ->type_name("recorded|zero|FACTOR");
  app.add_option("--set", options->settings,
                 "change one thing: a parameter of the platform, a hint or an algorithm; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--sweep", options->sweeps,
                 "try several values: FIRST..LAST, FIRST..LAST*FACTOR or a list; several give every combination")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  app.add_option("--seed", options->seed,
                 "of what is random: when noise takes the CPU of each rank, and the times of messages on a sampled "
                 "network")
      ->capture_default_str()
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--samples", options->samples,
                 "replay with so many seeds, from --seed on, and print mean, median and interval")
      ->check(whole_number())
      ->check(CLI::Range(expect::kLeastSamples, 1'000'000U))
      ->type_name("N");
  declare_jobs(app, options->jobs);
  app.add_flag("--json", options->json,
               "print as JSON what is expected, or the outcomes of --set, --sweep and --samples");
  app.add_option("--times", options->times,
                 "also write when each operation begins and ends with the settings of --set; with --json, for programs")
      ->type_name("FILE");
  app.add_option("--progress", options->progress,
                 "tell a program that has started this one how far it is, on that file descriptor")
      ->check(CLI::Range(3, 1'000'000).description(""))
      ->type_name("DESCRIPTOR");
  app.add_flag("--details", options->details,
               "also say what is not judged and why, which algorithms collectives take, and what the platform does");
  app.add_flag("--force", options->force, "replace existing output");
  app.footer(
      "Replays a recording on the models of a platform, anchored (each operation starts when it was observed to start) "
      "and\n"
      "free (the whole run from the start). The expected archive has the same locations and the same events in the "
      "same\n"
      "order with new times. What is not modelled is said first and keeps its observed time.\n\n"
      "  plumbline replay observed -p platform.xml\n"
      "  plumbline replay observed -p platform.xml -o expected\n"
      "  plumbline replay observed -p platform.xml --json             for programs: docs/reference/replay.md\n"
      "  plumbline replay observed -p platform.xml --compute=zero     communication and I/O alone\n"
      "  plumbline replay observed -p platform.xml --set link.n3-s0.rate=100Mbit/s --set collective.allreduce=ring\n"
      "  plumbline replay observed -p platform.xml --sweep hint.cb_nodes=1..16\n"
      "  plumbline replay observed -p platform.xml --samples 200      how much chance changes\n\n"
      "What can be set: docs/reference/settings.md.");
  return [options] { return run_replays(*options); };
}

}  // namespace plumbline::cli
