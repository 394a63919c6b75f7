#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "cli/file_kind.hpp"
#include "cli/jobs.hpp"
#include "cli/numbers.hpp"
#include "cli/paths.hpp"
#include "cli/team.hpp"
#include "cli/verb.hpp"
#include "cli/workflows/predict/files.hpp"
#include "cli/workflows/predict/predict.hpp"
#include "cli/workflows/predict/prediction.hpp"
#include "cli/workflows/predict/recording.hpp"
#include "cli/workflows/predict/text.hpp"

namespace plumbline::cli {
namespace {

struct PredictArguments {
  predict::Options options;
  bool force = false;
};

void require_outputs(const predict::Options& options, Overwrite overwrite) {
  for (const std::filesystem::path* output :
       {&options.program, &options.json, &options.csv, &options.svg, &options.to_model}) {
    if (output->empty()) continue;
    require_distinct(*output, {options.model, options.from, options.platform});
    require_writable(*output, overwrite);
  }
}

// What is nothing without a prediction.
bool asks_for_prediction(const predict::Options& options) {
  const bool writes = !options.program.empty() || !options.json.empty() || !options.csv.empty() || !options.svg.empty();
  return writes || !options.ranks.empty() || !options.settings.empty() || options.per_node != 0;
}

// A recording says how many ranks; without a platform it is folded and not predicted.
void require_complete(const predict::Options& options) {
  const bool folds = !options.from.empty();
  if (folds != options.model.empty())
    throw Error(folds ? "--from" : "MODEL", folds ? "stands in the place of MODEL" : "is missing",
                "name a model, or a recording with --from OBS", ExitCode::kWrongUse);
  if (!folds && !options.to_model.empty())
    throw Error("--to-model", "writes what a recording folds into", "name one with --from OBS", ExitCode::kWrongUse);
  if (options.platform.empty() && (!folds || asks_for_prediction(options)))
    throw Error("-p", "is missing", "name a platform file: -p platform.xml", ExitCode::kWrongUse);
  if (!folds && options.ranks.empty())
    throw Error("-n", "is missing", "say how many processes, for example -n 8 or -n 2..64", ExitCode::kWrongUse);
}

// The model goes to standard output where nothing else does.
void fold(predict::Options& options, Overwrite overwrite) {
  require_archive_or_program(options.from);
  const predict::Recording recording = predict::fold_recording(options.from, &workers(options.jobs));
  options.folded = recording.model.text;
  options.folded_source = recording.source;
  if (options.ranks.empty()) options.ranks = std::to_string(recording.model.ranks);
  options.recorded_per_node = recording.per_node;
  if (!options.to_model.empty()) write_file(options.to_model, recording.model.text, overwrite);
  const bool prints_model = options.platform.empty() && options.to_model.empty();
  if (prints_model) fmt::print("{}", recording.model.text);
  fmt::print(prints_model ? stderr : stdout, "{}", predict::fold_text(recording, options.details));
}

int run_predict(const PredictArguments& arguments) {
  predict::Options options = arguments.options;
  const Overwrite overwrite = arguments.force ? Overwrite::kYes : Overwrite::kNo;
  require_complete(options);
  require_outputs(options, overwrite);
  if (!options.from.empty()) fold(options, overwrite);
  if (options.platform.empty()) return 0;
  const predict::Prediction prediction = predict::predict(options, launched_workers());
  const bool one = prediction.outcomes.size() == 1;
  fmt::print("{}", one ? predict::answer(prediction, options.details) : predict::table(prediction, options.details));
  if (!options.json.empty()) write_file(options.json, predict::json(prediction), overwrite);
  if (!options.csv.empty()) write_file(options.csv, predict::csv(prediction), overwrite);
  if (!options.svg.empty()) write_file(options.svg, predict::speed_up_svg(prediction), overwrite);
  return 0;
}

void declare_what_to_predict(CLI::App& app, predict::Options& options) {
  app.add_option("MODEL", options.model, "source with PEVPM directives in its comments, or a file of them alone");
  app.add_option("--from", options.from, "recorded run to fold into a model, in the place of MODEL: archive or program")
      ->type_name("OBS");
  app.add_option("--to-model", options.to_model,
                 "write the model that a recording folds into; without -p and without this it is printed")
      ->type_name("FILE");
  app.add_option("-p,--platform", options.platform, "platform file")->type_name("FILE");
  app.add_option("-n,--ranks", options.ranks,
                 "numbers of processes: 8, 2..64 (each twice the one before), 2..54*3 (thrice), 2,6,12; "
                 "with --from, unless told: as many as were recorded")
      ->type_name("RANKS");
  app.add_option(
         "--set", options.settings,
         "value of a constant of the model, or several: xsize=128,256; a name with a dot is of the platform, as "
         "in replay; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--per-node", options.per_node,
                 "processes on a node, one after the other; default: as few as the nodes allow; with --from as "
                 "many as were recorded, or more where the nodes are too few")
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
  declare_jobs(app, options.jobs);
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
  arguments->options.jobs = 0;
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
      "  plumbline info --operations jacobi.program                               what each process does\n"
      "  plumbline predict --from observed --to-model observed.pevpm              a recording as a model\n"
      "  plumbline predict --from observed -p cluster.xml -n 4..64                and on more processes\n\n"
      "The directives: docs/reference/model-language.md. A guide by task: docs/predict.md.");
  return [arguments] { return run_predict(*arguments); };
}

}  // namespace plumbline::cli
