#include "cli/workflows/predict/shared_runs.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "base/files/text_file.hpp"
#include "base/team/bytes.hpp"

namespace plumbline::cli::predict {

// What decides about the runs. What is written is process 0's.
template <class Io>
void fields(Io& io, Options& options) {
  io(options.platform, options.folded, options.folded_source, options.platform_text, options.ranks, options.settings,
     options.machine, options.time_unit, options.per_node, options.recorded_per_node, options.runs, options.seed,
     options.extrapolate, options.by_averages);
}

namespace {

std::string runs_part(Processes& processes, std::string_view argument) {
  auto options = from_bytes<Options>(argument);
  options.tells_progress = false;
  const Preparation preparation = prepare(options);
  const Runs runs(preparation, options);
  const Block own = split_by_cost(runs.costs(), processes.size())[processes.rank()];
  ByteWriter made;
  for (std::size_t i = own.begin; i < own.end; ++i)
    made(runs.outcome(i, [&](double share) {
      processes.tell((static_cast<double>(i - own.begin) + share) / static_cast<double>(own.size()));
    }));
  std::string all;
  for (const std::string& bytes : processes.gather(made.bytes())) all += bytes;
  return all;
}

}  // namespace

const SharedWork kRuns{"predict.runs", runs_part};

void share_runs(Workers& workers, const Preparation& preparation, const Options& options,
                const std::function<void(double share)>& progress,
                const std::function<void(std::size_t index, RunOutcome run)>& take) {
  Options wanted = options;
  wanted.folded = preparation.model_text;
  wanted.folded_source = preparation.model->source;
  wanted.platform_text = read_text_file(options.platform, "name a platform file");
  const std::string bytes = workers.run_telling(kRuns, to_bytes(wanted), progress);
  ByteReader in(bytes);
  for (std::size_t index = 0; !in.at_end(); ++index) {
    RunOutcome run;
    in(run);
    take(index, std::move(run));
  }
}

}  // namespace plumbline::cli::predict
