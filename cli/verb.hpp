#pragma once
// One verb of the command: its options, declared on a CLI11 subcommand, and the function that runs when it was chosen.
// Each verb lives in a file of its own; verbs() lists them, and from that list come --help, the man pages and
// completion.

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string_view>

namespace plumbline::cli {

using Run = std::function<int()>;  // returns the exit status

// Under a launcher of MPI that has started several processes: kOnce shares its work among them (cli/team.hpp).
enum class Runs { kInEach, kOnce };

struct Verb {
  std::string_view name;
  std::string_view summary;  // one line
  Run (*declare)(CLI::App& app);
  Runs under_launcher = Runs::kInEach;
};

Run declare_record(CLI::App& app);
Run declare_assemble(CLI::App& app);
Run declare_calibrate(CLI::App& app);
Run declare_replay(CLI::App& app);
Run declare_compare(CLI::App& app);
Run declare_convert(CLI::App& app);
Run declare_info(CLI::App& app);
Run declare_explain(CLI::App& app);
Run declare_validate(CLI::App& app);
Run declare_bench(CLI::App& app);
Run declare_view(CLI::App& app);
Run declare_predict(CLI::App& app);

std::span<const Verb> verbs();

// A subcommand per verb; the function of the chosen one is stored in `chosen` when parsing succeeds.
void declare_all(CLI::App& app, Run& chosen);

}  // namespace plumbline::cli
