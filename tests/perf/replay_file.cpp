// Replays a program file on a platform, free and as configured, and prints how long the run is; with `use` as
// `plumbline replay` does it: free and ideally, with the use of components. For comparisons of whole processes:
// replay_file PROGRAM PLATFORM [use]

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/engine/replay.hpp"

int main(int argc, char** argv) {
  using namespace plumbline;
  const bool use = argc == 4 && argv[3] == std::string_view("use");
  if (argc != 3 && !use) {
    fmt::print(stderr, "usage: replay_file PROGRAM PLATFORM [use]\n");
    return 2;
  }
  try {
    const replay::Program program = replay::Program::open(argv[1]);
    const hw::Platform platform = hw::read_platform(argv[2]);
    const replay::Form form = use ? replay::Form::kIdeal : replay::Form::kAsConfigured;
    const replay::ReplayResult result = replay::replay(
        program, platform, {.mode = replay::Mode::kFree, .form = form, .record_use = use, .keep_times = use});
    fmt::print("{} messages, {} events, {:.6f} s simulated\n", result.messages, result.events,
               static_cast<double>((result.end - Time{}).ps) * 1e-12);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
  return EXIT_SUCCESS;
}
