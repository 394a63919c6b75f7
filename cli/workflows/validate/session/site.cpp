#include "cli/workflows/validate/session/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "base/files/text_file.hpp"
#include "base/process/program.hpp"
#include "bench/environment.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMostByDefault = 16;  // ranks on a node, unless the user says otherwise

std::uint32_t number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

std::vector<Mpi> asked_for(const Options& options) {
  std::vector<Mpi> found;
  for (const bench::Installed& each : bench::installed_mpis()) {
    const bool is_wanted = options.mpis.empty() || std::ranges::count(options.mpis, each.flavour) > 0;
    if (is_wanted && (!each.launcher.empty() || !options.launcher.empty()))
      found.push_back({each, each.ranks.parent_path() / ("plumbline-suite-" + each.flavour), {}});
  }
  for (const std::string& name : options.mpis)
    if (std::ranges::none_of(found, [&](const Mpi& mpi) { return mpi.installed.flavour == name; }))
      throw Error("--mpi",
                  fmt::format("{} is not installed, was not when Plumbline was built (no plumbline-bench-ranks-{}), or "
                              "has no launcher mpirun.{} in PATH",
                              name, name, name),
                  "install it and build again, or name the launcher with --launcher", ExitCode::kCannotRunHere);
  if (found.empty())
    throw Error("", "no MPI to validate: neither mpirun.openmpi nor mpirun.mpich is in PATH",
                "install one, or say with --launcher how ranks are started", ExitCode::kCannotRunHere);
  if (options.mpis.empty()) found.resize(1);
  return found;
}

// In a job of Slurm srun starts the ranks, unless hosts or a launcher are named. 0: this is none.
std::uint32_t ranks_of_slurm() {
  if (std::getenv("SLURM_JOB_ID") == nullptr || find_program("srun").empty()) return 0;
  return number_in_environment("SLURM_NTASKS");
}

std::vector<std::string> srun_of(const std::string& flavour, std::uint32_t ranks) {
  return {"srun", "-n", fmt::format("{}", ranks), flavour == "openmpi" ? "--mpi=pmix" : "--mpi=pmi2", "{program}"};
}

}  // namespace

std::string_view word(Level level) {
  switch (level) {
    case Level::kQuick:
      return "quick";
    case Level::kDefault:
      return "default";
    default:
      return "full";
  }
}

std::vector<std::string> parse_hosts(const std::string& text, const std::string& name, std::uint32_t& per_node) {
  std::vector<std::string> hosts;
  std::optional<std::uint32_t> least;
  Diagnostics faults;
  std::istringstream lines(text);
  std::uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string host, rest;
    if (!(words >> host)) continue;
    if (words >> rest) {
      std::uint32_t slots = 0;
      const bool is_slots = rest.starts_with("slots=") &&
                            std::from_chars(rest.data() + 6, rest.data() + rest.size(), slots).ec == std::errc{} &&
                            slots > 0;
      if (is_slots)
        least = std::min(least.value_or(slots), slots);
      else
        faults.add(fmt::format("{}:{}", name, number), fmt::format("'{}' is no number of slots", rest),
                   "write a host a line, as 'n0' or 'n0 slots=2'");
    }
    if (std::ranges::count(hosts, host) > 0)
      faults.add(fmt::format("{}:{}", name, number), fmt::format("'{}' is there twice", host), "name each host once");
    hosts.push_back(host);
  }
  if (hosts.empty() && faults.empty()) faults.add(name, "names no host", "write a host a line");
  faults.throw_if_any();
  if (per_node == 0 && least) per_node = *least;
  return hosts;
}

std::vector<std::string> notes_of_slurm() {
  const std::uint32_t nodes = number_in_environment("SLURM_JOB_NUM_NODES");
  if (std::getenv("SLURM_JOB_ID") == nullptr || nodes < 2) return {};
  return {fmt::format(
      "srun does not start the ranks, though the job of Slurm has {} nodes: it does where it is in PATH and "
      "SLURM_NTASKS is set (salloc -n). Or name the nodes with --hosts, or the launcher with --launcher",
      nodes)};
}

Site find_site(const Options& options) {
  Site site;
  site.cores = bench::describe_environment(".").cores;
  site.mpis = asked_for(options);
  site.launcher_from = "this machine";
  std::uint32_t per_node = options.per_node;
  if (!options.hosts.empty()) {
    site.hosts =
        parse_hosts(read_text_file(options.hosts, "name a file with a host a line"), options.hosts.string(), per_node);
    site.launcher_from = "--hosts " + options.hosts.string();
  }
  const bool is_named = !options.launcher.empty() || !options.hosts.empty();
  const std::uint32_t slurm = is_named ? 0 : ranks_of_slurm();
  if (!is_named && slurm == 0) site.notes = notes_of_slurm();
  for (Mpi& mpi : site.mpis) {
    bench::Layout& layout = mpi.layout;
    layout.nodes = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(site.hosts.size()));
    layout.per_node = per_node > 0 ? per_node : std::clamp(site.cores, 2U, kMostByDefault);
    layout.hosts = site.hosts;
    if (!options.launcher.empty()) {
      layout.launcher = bench::words_of(options.launcher);
      site.launcher_from = "--launcher";
    } else if (slurm > 0) {
      layout.launcher = srun_of(mpi.installed.flavour, slurm);
      layout.nodes = std::max(1U, number_in_environment("SLURM_JOB_NUM_NODES"));
      layout.per_node = std::max(1U, slurm / layout.nodes);
      site.launcher_from = "the environment of Slurm";
    }
  }
  return site;
}

bench::Launch launch_on(const Site& site, const Mpi& mpi, const std::filesystem::path& program,
                        std::vector<std::string> arguments) {
  bench::Installed with_program = mpi.installed;
  with_program.ranks = program;
  return bench::launch_of(with_program, mpi.layout, site.cores, std::move(arguments));
}

}  // namespace plumbline::cli::validate
