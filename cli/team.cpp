#include "cli/team.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/team/forked.hpp"
#include "base/team/launcher_workers.hpp"
#include "base/team/resources.hpp"
#include "cli/shared_works.hpp"
#include "cli/verb.hpp"
#include "cli/version.hpp"
#include "tracer/record/launch/launch.hpp"

namespace plumbline::cli {
namespace {

Workers* of_launcher = nullptr;  // while run_with_team() runs a verb: verbs are functions without arguments

struct Known {
  explicit Known(Workers& workers) { of_launcher = &workers; }
  ~Known() { of_launcher = nullptr; }
};

bool runs_once(std::string_view name) {
  const auto verb = std::ranges::find(verbs(), name, &Verb::name);
  return verb != verbs().end() && verb->under_launcher == Runs::kOnce;
}

std::filesystem::path library_directory() {
  if (const char* asked = std::getenv("PLUMBLINE_PRELOAD_DIR")) return asked;
  return (std::filesystem::path(record::this_program()).parent_path() / "../lib/plumbline").lexically_normal();
}

}  // namespace

int run_with_team(std::span<const char* const> command_line, const std::function<int()>& run) {
  if (command_line.size() < 2 || !runs_once(command_line[1])) return run();
  const auto launched = launcher_processes([](const char* name) { return std::getenv(name); });
  if (!launched) return run();
  return with_launcher(*launched,
                       {.libraries = library_directory(),
                        .version = version_number(),
                        .command = fmt::format("{}", fmt::join(command_line.subspan(1), " "))},
                       shared_works(), [&](Workers& workers) {
                         const Known known(workers);
                         return run();
                       });
}

Workers* launched_workers() { return of_launcher; }

Workers& workers(std::uint32_t jobs) {
  if (of_launcher != nullptr) return *of_launcher;
  static std::optional<ForkedWorkers> forked;
  // Of a verb that runs in each process of a launcher, the others take the other processors.
  const bool has_others = launcher_processes([](const char* name) { return std::getenv(name); }).has_value();
  return forked.emplace(jobs != 0 ? jobs : has_others ? 1 : usable_processors());
}

}  // namespace plumbline::cli
