#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/output.hpp"
#include "cli/numbers.hpp"
#include "cli/paths.hpp"
#include "cli/verb.hpp"
#include "cli/workflows/predict/files.hpp"
#include "cli/workflows/predict/predict.hpp"
#include "cli/workflows/predict/text.hpp"

namespace plumbline::cli {
namespace {

struct PredictArguments {
  predict::Options options;
  bool force = false;
};

int run_predict(const PredictArguments& arguments) {
  const predict::Options& options = arguments.options;
  const Overwrite overwrite = arguments.force ? Overwrite::kYes : Overwrite::kNo;
  for (const std::filesystem::path* output : {&options.program, &options.json, &options.csv, &options.svg}) {
    if (output->empty()) continue;
    require_distinct(*output, {options.model, options.platform});
    require_writable(*output, overwrite);
  }
  const predict::Prediction prediction = predict::predict(options);
  const bool one = prediction.outcomes.size() == 1;
  fmt::print("{}", one ? predict::answer(prediction, options.details) : predict::table(prediction, options.details));
  if (!options.json.empty()) write_file(options.json, predict::json(prediction), overwrite);
  if (!options.csv.empty()) write_file(options.csv, predict::csv(prediction), overwrite);
  if (!options.svg.empty()) write_file(options.svg, predict::speed_up_svg(prediction), overwrite);
  return 0;
}

void declare_what_to_predict(CLI::App& app, predict::Options& options) {
  app.add_option("MODEL", options.model, "source with PEVPM directives in its comments, or a file of them alone")
      ->required();
  app.add_option("-p,--platform", options.platform, "platform file")->required()->type_name("FILE");
  app.add_option("-n,--ranks", options.ranks,
                 "numbers of processes: 8, 2..64 (each twice the one before), 2..54*3 (thrice), 2,6,12")
      ->required()
      ->type_name("RANKS");
  app.add_option(
         "--set", options.settings,
         "value of a constant of the model, or several: xsize=128,256; a name with a dot is of the platform, as "
         "in replay; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--per-node", options.per_node,
                 "processes on a node, one after the other; default: as few as the nodes allow")
      ->check(whole_number())
      ->check(CLI::Range(1U, 1U << 20).description(""))
      ->type_name("N");
  app.add_option("--machine", options.machine, "whose Serial times hold, where the model has those of several")
      ->type_name("NAME");
  app.add_option("--time-unit", options.time_unit, "of times that the model gives without a unit: s, ms, us, ns")
      ->type_name("UNIT");
}

void declare_how_to_predict(CLI::App& app, PredictArguments& arguments) {
  predict::Options& options = arguments.options;
  app.add_option("--seeds", options.runs, "runs where chance has a part, each with a seed of its own; default: 30")
      ->check(whole_number())
      ->check(CLI::Range(1U, 1'000'000U).description(""))
      ->type_name("N");
  app.add_option("--seed", options.seed, "of the first run")
      ->capture_default_str()
      ->check(whole_number())
      ->type_name("N");
  app.add_flag("--by-averages", options.by_averages,
               "also predict with mean and least times in place of their distributions, to show what that leaves out");
  app.add_flag("--extrapolate", options.extrapolate, "take messages that are larger than any measured one");
  app.add_flag("--details", options.details, "every directive and every race, not the first ones alone");
  app.add_option("--to-program", options.program, "write the program that is replayed: for info, replay and view")
      ->type_name("FILE");
  app.add_option("--json", options.json, "write all that was found")->type_name("FILE");
  app.add_option("--csv", options.csv, "write a line for each point of the sweep")->type_name("FILE");
  app.add_option("--svg", options.svg, "draw the speed-up over the numbers of ranks, with the ideal line")
      ->type_name("FILE");
  app.add_flag("--force", arguments.force, "replace existing output");
}

}  // namespace

Run declare_predict(CLI::App& app) {
  const auto arguments = std::make_shared<PredictArguments>();
  declare_what_to_predict(app, arguments->options);
  declare_how_to_predict(app, *arguments);
  app.footer(
      "Predicts a program from its structure alone: Loop, Runon, Message and Serial directives in the comments of its\n"
      "source say what each process does, the platform how long that takes. Where times of messages are "
      "distributions,\n"
      "every run draws from them. What is wrong with a model is told at once, with file and line.\n\n"
      "  plumbline predict jacobi.c -p cluster.xml -n 16\n"
      "  plumbline predict jacobi.c -p cluster.xml -n 2..64 --svg speedup.svg     a table and a picture\n"
      "  plumbline predict jacobi.c -p cluster.xml -n 16 --set xsize=128,256\n"
      "  plumbline predict jacobi.c -p cluster.xml -n 4 --to-program jacobi.program\n"
      "  plumbline info --operations jacobi.program                               what each process does\n\n"
      "The directives: docs/reference/model-language.md. A guide by task: docs/predict.md.");
  return [arguments] { return run_predict(*arguments); };
}

}  // namespace plumbline::cli
