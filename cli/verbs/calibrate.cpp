#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "base/progress.hpp"
#include "base/quantity.hpp"
#include "bench/quick/options.hpp"
#include "bench/quick/quick.hpp"
#include "bench/results/campaign_file.hpp"
#include "bench/results/file.hpp"
#include "cli/numbers.hpp"
#include "cli/paths.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/calibration_report.hpp"
#include "hwmodels/calibrate/calibrate.hpp"
#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/calibrate/campaign/campaign.hpp"
#include "hwmodels/platform/network_models.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::cli {
namespace {

struct CalibrateArguments {
  bool quick = false, force = false, json = false;
  std::filesystem::path campaign, output, keep, from, nominal, add_to;
  hw::NetworkKind network = hw::NetworkKind::kStoreAndForward;
  bench::QuickOptions measure;
};

std::map<std::string, hw::NetworkKind> networks_by_word() {
  std::map<std::string, hw::NetworkKind> networks;
  for (const hw::NetworkModel& each : hw::kNetworkModels) networks.emplace(each.word, each.value);
  return networks;
}

bench::Measurements measure(const CalibrateArguments& options) {
  if (!options.from.empty()) return bench::read_measurements(options.from);
  Progress progress("measuring", 100);
  bench::QuickOptions quick = options.measure;
  progress.tell_time_left();
  quick.progress = [&](double fraction, std::string_view what) {
    progress.update(static_cast<std::uint64_t>(fraction * 100), what);
  };
  return bench::run_quick(quick);
}

std::string upper_end(const hw::MessageRange& range) { return range.upto ? "up to " + format(*range.upto) : "above"; }

void print_summary(const hw::calibration::Calibration& calibration) {
  const hw::Platform& platform = calibration.platform;
  fmt::print("{} ({})\n", platform.name, platform.mpi);
  for (std::size_t i = 0; i < platform.inside.ranges.size(); ++i) {
    const hw::MessageRange& range = platform.inside.ranges[i];
    fmt::print("  messages {:<16} {:<11} send {:>9}  receive {:>9}  latency {:>9}", upper_end(range),
               range.protocol == hw::Protocol::kEager ? "eager" : "rendezvous", format(range.send.value),
               format(range.receive.value), format(range.latency.value));
    if (i < calibration.ranges.size())
      fmt::print("  fits {} sizes within {} (median)", calibration.ranges[i].sizes,
                 format_percent(calibration.ranges[i].median_deviation));
    fmt::print("\n");
  }
  for (const hw::Node& node : platform.nodes)
    fmt::print("  memory {} on {} cores\n", format(node.memory_rate.value), node.cores);
  fmt::print("{}", storage_text(platform));
  for (const std::string& note : calibration.notes) fmt::print("  note: {}\n", note);
  for (const std::string& disturbance : calibration.disturbances) fmt::print("  disturbed: {}\n", disturbance);
}

int run_quick(const CalibrateArguments& options, Overwrite overwrite) {
  require_distinct(options.output, {options.from, options.keep});
  require_distinct(options.keep, {options.from});
  require_writable(options.output, overwrite);
  if (!options.keep.empty()) require_writable(options.keep, overwrite);
  const bench::Measurements measurements = measure(options);
  if (!options.keep.empty()) bench::write_measurements(measurements, options.keep, overwrite);
  const auto calibration = hw::calibration::calibrate(measurements);
  write_file(options.output, hw::to_xml(calibration.platform), overwrite);
  print_summary(calibration);
  fmt::print("{}\n", options.output.string());
  return 0;
}

// The platform is written whatever is found: it has the centre of each class, not the faults.
int run_campaign(const CalibrateArguments& options, Overwrite overwrite) {
  require_distinct(options.output, {options.campaign, options.nominal, options.add_to});
  require_writable(options.output, overwrite);
  hw::calibration::CampaignOptions how;
  how.network = options.network;
  if (!options.nominal.empty()) {
    how.nominal = hw::read_platform(options.nominal);
    how.nominal_name = options.nominal.string();
  }
  if (!options.add_to.empty()) {
    how.add_to = hw::read_platform(options.add_to);
    how.add_to_name = options.add_to.string();
  }
  const auto calibration = hw::calibration::calibrate(bench::read_campaign(options.campaign), how);
  write_file(options.output, hw::to_xml(calibration.platform), overwrite);
  if (options.json)
    fmt::print("{}", calibration_json(calibration, options.output));
  else
    fmt::print("{}{}\n", calibration_text(calibration), options.output.string());
  return static_cast<int>(calibration.findings.empty() ? ExitCode::kAsExpected : ExitCode::kFindings);
}

int run_calibrate(const CalibrateArguments& options) {
  const Overwrite overwrite = options.force ? Overwrite::kYes : Overwrite::kNo;
  const bool quick = options.quick || !options.from.empty();
  if (quick != options.campaign.empty())
    throw Error(
        "", quick ? "a campaign and the quick calibration exclude each other" : "there is nothing to calibrate from",
        "give the file of a campaign (plumbline bench), or --quick", ExitCode::kWrongUse);
  const bool says_network = !options.nominal.empty() || options.network != hw::NetworkKind::kStoreAndForward;
  if (quick && (says_network || options.json || !options.add_to.empty()))
    throw Error("", "--nominal, --network, --add-to and --json are for campaigns", "measure one with `plumbline bench`",
                ExitCode::kWrongUse);
  if (says_network && !options.add_to.empty())
    throw Error("", "--add-to leaves the network of its platform as it is", "leave out --nominal and --network",
                ExitCode::kWrongUse);
  return quick ? run_quick(options, overwrite) : run_campaign(options, overwrite);
}

}  // namespace

Run declare_calibrate(CLI::App& app) {
  const auto options = std::make_shared<CalibrateArguments>();
  app.add_option("CAMPAIGN", options->campaign, "what `plumbline bench` measured (HDF5)")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("CAMPAIGN.h5");
  app.add_flag("--quick", options->quick, "measure this one machine in under a minute");
  app.add_option("-o,--output", options->output, "platform file to write")->required()->type_name("FILE");
  app.add_option("--network", options->network, "model of the network: store-and-forward, loggp or sampled")
      ->transform(CLI::CheckedTransformer(networks_by_word()).description(""))
      ->type_name("MODEL");
  app.add_option(
         "--nominal", options->nominal,
         "platform with the hardware data that you have: its nodes, switches and cables are taken, and what was "
         "measured below it is a finding")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  app.add_option("--add-to", options->add_to,
                 "platform that the storage of the campaign is put into: file systems of the same paths and servers of "
                 "the same names are replaced, all else stays")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  app.add_flag("--json", options->json, "print what was found as JSON");
  app.add_option("--mpi", options->measure.mpi, "MPI to measure through; default: the first that is installed")
      ->check(CLI::IsMember({"openmpi", "mpich"}).description(""))
      ->type_name("openmpi|mpich");
  app.add_option("--directory", options->measure.directory, "directory whose storage is measured")
      ->capture_default_str()
      ->check(CLI::ExistingDirectory.description(""))
      ->type_name("DIR");
  app.add_option("--seconds", options->measure.seconds, "time to spend on measuring")
      ->capture_default_str()
      ->check(number_between(2, 45))
      ->type_name("SECONDS");
  app.add_option("--keep", options->keep, "also write the raw measurements (HDF5)")->type_name("FILE");
  app.add_option("--from", options->from, "take these raw measurements instead of measuring")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  app.add_flag("--force", options->force, "replace existing output");
  app.footer(
      "From a campaign: classes of pairs, switches, rates, latencies and packets of the network, what MPI adds, and "
      "what "
      "is\n"
      "slower than its like. The platform has the centre of each class; what stands out is reported, not fitted away "
      "(exit\n"
      "status 1). With --quick: measures messages between two ranks, memory, and the storage of a directory, of this "
      "one\n"
      "machine. Every number in the file carries its unit, its spread and where it comes from. Measure on idle "
      "machines,\n"
      "with the MPI and in the directory that the program uses. Of a campaign that measured storage alone, messages "
      "and\n"
      "network are assumed; with --add-to its storage goes into a platform that has them.\n\n"
      "  plumbline bench --example machine > machine.toml      what to measure; then\n"
      "  plumbline bench machine.toml -o machine.h5\n"
      "  plumbline calibrate machine.h5 -o platform.xml\n"
      "  plumbline calibrate machine.h5 --nominal datasheet.xml --json -o platform.xml\n"
      "  plumbline calibrate scratch.h5 --add-to platform.xml -o with-scratch.xml\n"
      "  plumbline calibrate --quick --mpi mpich --directory /scratch --keep raw.h5 -o platform.xml");
  return [options] { return run_calibrate(*options); };
}

}  // namespace plumbline::cli
