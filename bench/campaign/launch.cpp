#include "bench/campaign/launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <map>

#include "base/process/program.hpp"
#include "bench/results/campaign.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;

fs::path directory_of_programs() {
  if (const char* given = std::getenv("PLUMBLINE_RANKS_DIR"); given != nullptr && *given != 0) return given;
  std::error_code failed;
  return (fs::read_symlink("/proc/self/exe", failed).parent_path() / "../lib/plumbline").lexically_normal();
}

// "a:2,b:2"
std::string hosts_with_slots(const Layout& layout) {
  std::string text;
  for (const std::string& host : layout.hosts)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", host, layout.per_node);
  return text;
}

std::vector<std::string> options_of_openmpi(const Layout& layout, bool bind) {
  std::vector<std::string> options{"--oversubscribe"};  // slots are cores by default, and half of our threads
  if (!layout.hosts.empty()) options.insert(options.end(), {"--host", hosts_with_slots(layout)});
  if (layout.nodes > 1) options.insert(options.end(), {"--map-by", fmt::format("ppr:{}:node", layout.per_node)});
  options.insert(options.end(), {"--bind-to", bind ? "core:overload-allowed" : "none"});
  return options;
}

std::vector<std::string> options_of_mpich(const Layout& layout, bool bind) {
  std::vector<std::string> options;
  if (!layout.hosts.empty()) options.insert(options.end(), {"-hosts", hosts_with_slots(layout)});
  if (layout.nodes > 1) options.insert(options.end(), {"-ppn", fmt::format("{}", layout.per_node)});
  options.insert(options.end(), {"-bind-to", bind ? "core" : "none"});
  return options;
}

std::vector<std::string> surroundings_of_openmpi(bool crowded) {
  std::vector<std::string> result;
  if (::geteuid() == 0) result = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
  if (crowded) result.push_back("OMPI_MCA_mpi_yield_when_idle=1");
  return result;
}

std::string filled(std::string word, const std::map<std::string, std::string>& values) {
  for (const auto& [name, value] : values) {
    const std::string placeholder = "{" + name + "}";
    for (std::size_t at = word.find(placeholder); at != std::string::npos;
         at = word.find(placeholder, at + value.size()))
      word.replace(at, placeholder.size(), value);
  }
  return word;
}

std::vector<std::string> from_line(const Installed& mpi, const Layout& layout,
                                   const std::vector<std::string>& arguments) {
  std::string hosts;
  for (const std::string& host : layout.hosts) hosts += (hosts.empty() ? "" : ",") + host;
  const std::map<std::string, std::string> values{{"ranks", fmt::format("{}", layout.ranks())},
                                                  {"nodes", fmt::format("{}", layout.nodes)},
                                                  {"per_node", fmt::format("{}", layout.per_node)},
                                                  {"hosts", hosts},
                                                  {"mpi", mpi.flavour}};
  std::vector<std::string> command;
  bool has_program = false;
  const auto add_program = [&] {
    command.push_back(mpi.ranks.string());
    command.insert(command.end(), arguments.begin(), arguments.end());
    has_program = true;
  };
  for (const std::string& word : layout.launcher) {
    if (word == "{program}")
      add_program();
    else
      command.push_back(filled(word, values));
  }
  if (!has_program) add_program();
  return command;
}

}  // namespace

std::vector<Installed> installed_mpis() {
  std::vector<Installed> result;
  for (const std::string flavour : {"openmpi", "mpich"}) {
    const fs::path ranks = directory_of_programs() / ("plumbline-bench-ranks-" + flavour);
    if (::access(ranks.c_str(), X_OK) == 0) result.push_back({flavour, find_program("mpirun." + flavour), ranks});
  }
  return result;
}

Launch launch_of(const Installed& mpi, const Layout& layout, std::uint32_t cores, std::vector<std::string> arguments) {
  if (layout.loopback) arguments.push_back(kLoopback);  // ranks see to it themselves, whatever started them
  if (!layout.threads.empty()) arguments.push_back(fmt::format("{}={}", kThreads, layout.threads));
  if (!layout.variant.empty()) arguments.push_back(fmt::format("{}={}", kVariant, layout.variant));
  const bool crowded = layout.per_node > cores;
  const bool is_openmpi = mpi.flavour == "openmpi";
  Launch launch;
  if (is_openmpi) launch.environment = surroundings_of_openmpi(crowded);
  launch.environment.insert(launch.environment.end(), layout.environment.begin(), layout.environment.end());
  if (!layout.launcher.empty()) {
    launch.command = from_line(mpi, layout, arguments);
    return launch;
  }
  const bool bind = layout.bind && !crowded;
  const std::vector<std::string> options =
      is_openmpi ? options_of_openmpi(layout, bind) : options_of_mpich(layout, bind);
  launch.command = {mpi.launcher.string()};
  launch.command.insert(launch.command.end(), options.begin(), options.end());
  launch.command.insert(launch.command.end(), {"-n", fmt::format("{}", layout.ranks()), mpi.ranks.string()});
  launch.command.insert(launch.command.end(), arguments.begin(), arguments.end());
  return launch;
}

std::vector<std::string> ending_with_us(std::vector<std::string> command) {
  const fs::path setpriv = find_program("setpriv");
  if (!setpriv.empty()) command.insert(command.begin(), {setpriv.string(), "--pdeathsig", "TERM", "--"});
  return command;
}

}  // namespace plumbline::bench
