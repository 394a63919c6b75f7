#include <array>
#include <memory>
#include <string>

#include "cli/verb.hpp"

namespace plumbline::cli {
namespace {

constexpr std::array kVerbs{
    Verb{"record", "run a program under the tracer and write one OTF2 archive", declare_record},
    Verb{"assemble", "make the archive from spools that a recording left behind", declare_assemble, Runs::kOnce},
    Verb{"calibrate", "measure this machine and write a platform file", declare_calibrate},
    Verb{"replay", "work out how long a recorded run should have taken", declare_replay, Runs::kOnce},
    Verb{"compare", "show where a run took longer than expected, or than another run", declare_compare, Runs::kOnce},
    Verb{"view", "show a run beside what was expected of it, in the browser", declare_view},
    Verb{"convert", "write observed and expected for Perfetto, Paraver or a spreadsheet", declare_convert},
    Verb{"predict", "work out how long a program would take that is only described", declare_predict, Runs::kOnce},
    Verb{"bench", "run a campaign of measurements, show and draw its result", declare_bench},
    Verb{"validate", "measure a machine and say what is slower than it should be, and why", declare_validate},
    Verb{"explain", "say what a check of validate looks at, and how to repair what it finds", declare_explain},
    Verb{"info", "say what an archive, program, platform or measurement file holds", declare_info},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

void declare_all(CLI::App& app, Run& chosen) {
  for (const Verb& verb : kVerbs) {
    CLI::App* sub = app.add_subcommand(std::string(verb.name), std::string(verb.summary));
    sub->final_callback([&chosen, run = verb.declare(*sub)] { chosen = run; });
  }
  app.require_subcommand(1);
}

}  // namespace plumbline::cli
