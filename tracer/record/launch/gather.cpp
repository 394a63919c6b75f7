#include "tracer/record/launch/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "tracer/record/launch/srun.hpp"

namespace plumbline::record {
namespace {

using OptionNames = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, OptionNames words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Environment variables under which a launcher runs on other nodes without being told so on its command line.
constexpr std::array kAllocations{"SLURM_JOB_NODELIST",
                                  "PBS_NODEFILE",
                                  "LSB_HOSTS",
                                  "LSB_DJOB_HOSTFILE",
                                  "COBALT_NODEFILE",
                                  "HYDRA_HOST_FILE",
                                  "OMPI_MCA_orte_default_hostfile"};

std::string_view without_dashes(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return word.substr(0, word.find('='));
}

bool names_hosts(Launcher launcher, std::string_view word) {
  if (!word.starts_with('-')) return false;
  const std::string_view option = without_dashes(word);
  if (launcher == Launcher::kOpenMpi)
    return is_one_of(option, {"H", "host", "hostfile", "machinefile", "default-hostfile", "rankfile", "rf"});
  return is_one_of(option, {"f", "hostfile", "machinefile", "machine", "machines", "machinelist", "host", "hosts",
                            "hostlist", "configfile", "rmk"});
}

// How many words follow an option of Hydra (MPICH 4.0.2, src/pm/hydra/ui/mpich/utils.c, match_table).
std::optional<std::size_t> hydra_arguments(std::string_view option) {
  if (is_one_of(option, {"genvnone",
                         "genvall",
                         "envnone",
                         "envall",
                         "profile",
                         "prepend-rank",
                         "l",
                         "enable-x",
                         "disable-x",
                         "verbose",
                         "v",
                         "debug",
                         "print-all-exitcodes",
                         "disable-auto-cleanup",
                         "dac",
                         "enable-auto-cleanup",
                         "disable-hostname-propagation",
                         "enable-hostname-propagation",
                         "pmi-port",
                         "skip-launch-node"}))
    return 0;
  if (is_one_of(option, {"genvlist",
                         "f",
                         "hostfile",
                         "machinefile",
                         "machine",
                         "machines",
                         "machinelist",
                         "host",
                         "hosts",
                         "hostlist",
                         "ppn",
                         "output-from",
                         "outfile",
                         "errfile",
                         "outfile-pattern",
                         "errfile-pattern",
                         "prepend-pattern",
                         "wdir",
                         "envlist",
                         "n",
                         "np",
                         "launcher",
                         "launcher-exec",
                         "bootstrap",
                         "bootstrap-exec",
                         "rmk",
                         "topolib",
                         "binding",
                         "bind-to",
                         "map-by",
                         "membind",
                         "demux",
                         "iface",
                         "nameserver",
                         "order-nodes",
                         "localhost",
                         "usize",
                         "gpus-per-proc",
                         "g"}))
    return 1;
  if (is_one_of(option, {"genv", "env"})) return 2;
  return {};
}

// Index of the program of Hydra's application that begins at `word`.
std::optional<std::size_t> hydra_program(const Command& command, std::size_t word) {
  while (word < command.size() && command[word].starts_with('-')) {
    const auto arguments = hydra_arguments(without_dashes(command[word]));
    if (!arguments) return {};
    const bool has_value = command[word].find('=') != std::string::npos;  // -option=value
    std::size_t following = *arguments - (has_value && *arguments > 0 ? 1 : 0);
    const bool names_and_sets = *arguments == 2 && word + 1 < command.size() &&
                                command[word + 1].find('=') != std::string::npos;  // -genv NAME=VALUE
    if (names_and_sets) following = 1;
    word += 1 + following;
  }
  if (word >= command.size() || command[word] == ":") return {};
  return word;
}

std::optional<Command> hydra_with_keeper(const Command& command, const Command& keeper) {
  Command result{command[0]};
  std::size_t next = 1;
  while (next < command.size()) {
    const auto program = hydra_program(command, next);
    if (!program) return {};
    const auto at = [&](std::size_t i) { return command.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto end = static_cast<std::size_t>(std::find(at(*program), command.end(), ":") - command.begin());
    result.insert(result.end(), at(next), at(*program));
    result.insert(result.end(), keeper.begin(), keeper.end());
    result.insert(result.end(), at(*program), at(std::min(end + 1, command.size())));
    next = end + 1;
  }
  return result;
}

// Open MPI 4.1 starts programs through orte_fork_agent, a command line split at blanks.
std::optional<Command> open_mpi_with_keeper(const Command& command, const Command& keeper) {
  std::string agent = keeper[0];
  if (agent.find(' ') != std::string::npos) return {};
  const auto has_blank = [](const std::string& word) { return word.find(' ') != std::string::npos; };
  const bool coded = std::any_of(keeper.begin() + 1, keeper.end(), has_blank);
  for (std::size_t i = 1; i < keeper.size(); ++i) {
    agent += " " + (coded ? without_blanks(keeper[i]) : keeper[i]);
    if (coded && keeper[i] == "--rank") agent += fmt::format(" {}", kWithoutBlanks);
  }
  Command result{command[0], "--mca", "orte_fork_agent", agent};
  result.insert(result.end(), command.begin() + 1, command.end());
  return result;
}

}  // namespace

std::string without_blanks(const std::string& word) {
  std::string coded;
  for (const char c : word) coded += c == ' ' ? "%20" : c == '%' ? "%25" : std::string(1, c);
  return coded;
}

std::string with_blanks(const std::string& coded) {
  std::string word;
  for (std::size_t i = 0; i < coded.size(); ++i) {
    const std::string_view three = std::string_view(coded).substr(i, 3);
    if (three == "%20" || three == "%25") {
      word += three == "%20" ? ' ' : '%';
      i += 2;
    } else {
      word += coded[i];
    }
  }
  return word;
}

bool may_leave_this_node(Launcher launcher, const Command& command) {
  if (launcher == Launcher::kSingleton) return false;
  if (launcher == Launcher::kSrun) return true;
  const auto set = [](const char* name) { return std::getenv(name) != nullptr; };
  return std::any_of(kAllocations.begin(), kAllocations.end(), set) ||
         std::any_of(command.begin() + 1, command.end(),
                     [&](const std::string& word) { return names_hosts(launcher, word); });
}

std::optional<Command> with_keeper(Launcher launcher, const Command& command, const Command& keeper) {
  if (launcher == Launcher::kOpenMpi) return open_mpi_with_keeper(command, keeper);
  if (launcher == Launcher::kHydra) return hydra_with_keeper(command, keeper);
  if (launcher == Launcher::kSrun)
    return srun_with_keeper(command, keeper, SrunOptions(output_of({command[0], "--help"})));
  return {};
}

}  // namespace plumbline::record
