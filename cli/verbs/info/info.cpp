#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "bench/results/campaign_file.hpp"
#include "bench/results/file.hpp"
#include "cli/file_kind.hpp"
#include "cli/team.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/bench/tables.hpp"
#include "cli/verbs/info/inner_summary.hpp"
#include "cli/verbs/info/inner_text.hpp"
#include "cli/verbs/info/node_facts_text.hpp"
#include "cli/verbs/info/platform_summary.hpp"
#include "cli/verbs/info/run_summary.hpp"
#include "cli/verbs/info/server_summary.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/collectives/recorded/algorithms.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay/program/program.hpp"
#include "replay/program/text/text.hpp"
#include "replay/report/text_failures.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/record/end_state/hang.hpp"

namespace plumbline::cli {
namespace {

using replay::plural;

struct InfoArguments {
  std::filesystem::path path;
  bool operations = false, waiting = false, collectives = false, nodes = false;
  std::string inside;
};

struct CallSum {
  std::uint64_t count = 0;
  TimeSum time;
};

void print_calls(const replay::Program& program) {
  std::map<std::string, CallSum> sums;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const replay::RankProgram& part = program.rank(rank);
    for (std::size_t i = 0; i < part.operations.size(); ++i) {
      CallSum& sum = sums[std::string(program.call(part.operations[i].call))];
      ++sum.count;
      sum.time += part.times[i].end - part.times[i].begin;
    }
  }
  std::vector<std::pair<std::string, CallSum>> rows(sums.begin(), sums.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
  fmt::print("\n  {:<32} {:>10} {:>12}\n", "call", "count", "time");
  for (const auto& [name, sum] : rows) fmt::print("  {:<32} {:>10} {:>12}\n", name, sum.count, format(sum.time));
}

void print_failed_calls(const replay::Program& program) {
  constexpr std::size_t kMost = 20;
  const std::vector<replay::FailedCalls> failed = replay::failed_calls(program);
  if (failed.empty()) return;
  fmt::print("\n  {}\n", replay::failed_calls_sentence(failed));
  for (const std::string& line : replay::failed_call_lines(failed, kMost)) fmt::print("    {}\n", line);
}

void print_program(const replay::Program& program) {
  std::uint64_t operations = 0, inner = 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    operations += program.rank(rank).operations.size();
    inner += static_cast<std::uint64_t>(std::ranges::count_if(
        program.rank(rank).inner, [](const replay::InnerItem& item) { return replay::is_posix(item.kind); }));
  }
  fmt::print("program of {} on {}: {}, {} inside MPI-IO, {}, {}\n", plural(program.ranks(), "rank"),
             plural(program.nodes(), "node"), plural(operations, "operation"), plural(inner, "POSIX operation"),
             plural(program.comms(), "communicator"), plural(program.files(), "file"));
  for (const char* key : {"program", "library", "creator"})
    if (const std::string_view value = program.property(key); !value.empty()) fmt::print("  {}: {}\n", key, value);
}

// How well the clocks of several nodes are known against each other.
void print_clocks(const archive::Definitions& definitions) {
  namespace names = archive::names;
  std::map<std::string, const archive::LocationGroup*> nodes;
  for (const archive::LocationGroup& group : definitions.location_groups)
    if (group.properties.contains(names::kPropertyClockMethod))
      nodes[group.properties.at(names::kPropertyHost)] = &group;
  for (const auto& [host, group] : nodes) {
    const auto property = [&, properties = &group->properties](const char* name) {
      const auto entry = properties->find(name);
      return entry == properties->end() ? std::string("0") : entry->second;
    };
    const std::string method = property(names::kPropertyClockMethod);
    if (method != "exchanges") {
      fmt::print("  clock of {}: {}\n", host, method == "reference" ? "the reference" : "by real time only");
      continue;
    }
    fmt::print("  clock of {}: {} ns from that of {}, {} ppm, ±{} ns by {} exchanges\n", host,
               property(names::kPropertyClockOffset), property(names::kPropertyClockReference),
               property(names::kPropertyClockDrift), property(names::kPropertyClockUncertainty),
               property(names::kPropertyClockExchanges));
  }
}

// As far as the archive tells; other tools' do not.
bool all_finalized(const archive::Definitions& definitions) {
  return std::ranges::all_of(definitions.location_groups, [](const archive::LocationGroup& group) {
    const auto end = group.properties.find(archive::names::kPropertyEnd);
    return end == group.properties.end() || end->second == "finalized" || end->second == archive::names::kEndLeftOut;
  });
}

void print_archive(const std::filesystem::path& path) {
  archive::Reader reader(path);
  const archive::Definitions& definitions = reader.definitions();
  std::uint64_t events = 0;
  for (const archive::Location& location : definitions.locations) events += location.events;
  fmt::print("OTF2 archive by {}: {} locations, {} events, {}\n", definitions.creator, definitions.locations.size(),
             events, format(definitions.length));
  for (const auto& [key, value] : definitions.properties) fmt::print("  {} = {}\n", key, value);
  print_clocks(definitions);
  print_servers(reader);
  if (definitions.world_size() == 0 && has_servers(definitions)) return;  // nothing to compile
  replay::CompileSummary summary;
  const replay::Program program = replay::program_of(path, summary, &workers(0));
  print_program(program);
  fmt::print("{}", describe_inside(reader));
  fmt::print("{}", describe_nodes(reader));
  fmt::print("{}", describe_growth(definitions));
  for (const std::string& lack : summary.lacks) fmt::print("  lacks {}\n", lack);
  for (const std::string& remark : summary.remarks) fmt::print("  {}\n", remark);
  fmt::print("{}", describe_run(definitions));
  print_calls(program);
  print_failed_calls(program);
  if (!all_finalized(definitions)) fmt::print("\n{}", record::waiting_text(record::read_end_state(path)));
}

void print_measurements(const std::filesystem::path& path) {
  const bench::Measurements measurements = bench::read_measurements(path);
  const bench::Environment& environment = measurements.environment;
  fmt::print("measurements of {} ({}), {}, {} cores, load {:.2f}\n", environment.host, environment.created,
             environment.mpi, environment.cores, environment.load_before);
  for (const bench::Series& series : measurements.series)
    fmt::print("  {:<16} {:>8} samples in {}\n", series.name, series.samples.size(), series.unit);
  for (const std::string& note : measurements.notes) fmt::print("  note: {}\n", note);
}

void print_campaign(const std::filesystem::path& path) {
  const bench::Campaign campaign = bench::read_campaign(path);
  fmt::print("{}", circumstances_text(campaign));
  std::map<std::string, std::size_t> cells;
  for (const bench::Cell& cell : campaign.cells) ++cells[cell.operation + ", " + cell.implementation];
  for (const auto& [name, count] : cells) fmt::print("  {:<32} {}\n", name, plural(count, "cell"));
  fmt::print("plumbline bench show {} prints the times\n", path.string());
}

int run_info(const InfoArguments& options) {
  const FileKind kind = kind_of(options.path);
  if (!options.inside.empty()) {
    require_archive(options.path);
    archive::Reader reader(options.path);
    fmt::print("{}", inside_text(reader, inside_of(options.inside)));
    return 0;
  }
  if (options.operations || options.collectives) {
    if (kind != FileKind::kProgram) require_archive(options.path);
    replay::CompileSummary summary;
    const replay::Program program = kind == FileKind::kProgram ? replay::Program::open(options.path)
                                                               : replay::program_of(options.path, summary, &workers(0));
    if (options.operations) fmt::print("{}", replay::to_text(program));
    if (options.collectives)
      fmt::print("{}",
                 replay::collectives::recorded::algorithms_text(replay::collectives::recorded::algorithms_of(program)));
    return 0;
  }
  if (options.nodes) {
    require_archive(options.path);
    fmt::print("{}", node_facts_text(archive::Reader(options.path).definitions()));
    return 0;
  }
  if (options.waiting) {
    require_archive(options.path);
    fmt::print("{}", record::waiting_text(record::read_end_state(options.path)));
    return 0;
  }
  switch (kind) {
    case FileKind::kArchive:
      print_archive(options.path);
      break;
    case FileKind::kPlatform:
      fmt::print("{}", describe_platform(hw::read_platform(options.path)));
      break;
    case FileKind::kMeasurements:
      print_measurements(options.path);
      break;
    case FileKind::kCampaign:
      print_campaign(options.path);
      break;
    case FileKind::kUnknown:
      throw Error(options.path.string(), "is none of Plumbline's files",
                  "name an archive, a program, a platform or a measurement file");
    case FileKind::kProgram: {
      const replay::Program program = replay::Program::open(options.path);
      print_program(program);
      print_calls(program);
      print_failed_calls(program);
      break;
    }
  }
  return 0;
}

}  // namespace

Run declare_info(CLI::App& app) {
  const auto options = std::make_shared<InfoArguments>();
  app.add_option("FILE", options->path, "archive, program, platform or measurement file")->required();
  app.add_flag("--operations", options->operations, "list every operation, rank by rank, in the text form of programs");
  app.add_flag("--waiting", options->waiting,
               "only who waited for whom at the end of a recorded run, or when it was stopped");
  app.add_flag(
      "--nodes", options->nodes,
      "what was read of each node in /proc and /sys when the run began and when it ended: settings, and by how "
      "much counters have grown");
  app.add_flag("--collectives", options->collectives,
               "which algorithm the MPI library used for each collective, by the messages inside of it, and which one "
               "its own tables choose");
  app.add_option("--inside", options->inside,
                 "RANK: its calls inside of which something was recorded; RANK:CALL: everything inside of that call")
      ->type_name("RANK[:CALL]");
  app.footer(
      "Says what a file holds: of an archive its locations, properties and time per call; of a platform its figures "
      "with\n"
      "their spread.\n\n"
      "  plumbline info observed\n"
      "  plumbline info platform.xml\n"
      "  plumbline info --operations observed | less\n"
      "  plumbline info --collectives observed\n"
      "  plumbline info --nodes observed\n"
      "  plumbline info --inside 0:12 observed");
  return [options] { return run_info(*options); };
}

}  // namespace plumbline::cli
