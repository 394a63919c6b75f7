#include "cli/workflows/predict/shared_runs.hpp"

#include <string>
#include <string_view>

#include "base/team/bytes.hpp"

namespace plumbline::cli::predict {

// What decides about the runs. What is written is process 0's.
template <class Io>
void fields(Io& io, Options& options) {
  io(options.model, options.platform, options.from, options.folded, options.folded_source, options.ranks,
     options.settings, options.machine, options.time_unit, options.per_node, options.recorded_per_node, options.runs,
     options.seed, options.extrapolate, options.by_averages);
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

std::vector<RunOutcome> shared_runs(Workers& workers, const Options& options,
                                    const std::function<void(double share)>& progress) {
  const std::string bytes = workers.run_telling(kRuns, to_bytes(options), progress);
  ByteReader in(bytes);
  std::vector<RunOutcome> made;
  while (!in.at_end()) in(made.emplace_back());
  return made;
}

}  // namespace plumbline::cli::predict
