#include "cli/workflows/predict/evaluate.hpp"

#include <utility>

#include "base/check.hpp"
#include "base/team/team.hpp"
#include "cli/workflows/predict/shared_runs.hpp"

namespace plumbline::cli::predict {
namespace {

std::vector<Outcome> empty_outcomes(const Runs& runs, std::size_t points, std::uint64_t seed) {
  std::vector<Outcome> outcomes(points);
  for (Outcome& outcome : outcomes)
    for (const KindOfRuns& kind : runs.kinds()) outcome.by_data.push_back({kind.data, {seed, {}}});
  return outcomes;
}

void add(const Runs& runs, const RunPlace& place, RunOutcome run, Outcome& to) {
  Evaluated& evaluated = to.by_data[place.kind];
  if (place.run == 0) evaluated.beyond_measured = run.beyond_measured;
  evaluated.samples.lengths.push_back(run.length);
  if (run.lines.runs > 0) add(run.lines, to.lines);
  if (runs.looks(place)) to.races.add_run(std::move(run.wildcards));
}

bool is_last_of_point(const Runs& runs, const RunPlace& place) {
  return place.kind + 1 == runs.kinds().size() && place.run + 1 == runs.kinds()[place.kind].runs;
}

}  // namespace

double mean_seconds(const replay::expect::Samples& samples) {
  double sum = 0;
  for (const Duration length : samples.lengths) sum += length.seconds();
  return sum / static_cast<double>(samples.lengths.size());
}

std::vector<Outcome> evaluate(const Preparation& preparation, const Options& options, const Team& team) {
  Runs runs(preparation, options);
  std::vector<Outcome> outcomes = empty_outcomes(runs, preparation.points.size(), options.seed);
  run_tasks_for<RunOutcome>(
      team, runs.size(),
      [&](const Task& task) { return runs.outcome(task.index(), [&](double share) { task.tell(share); }); },
      [&](std::size_t index, RunOutcome run) {
        const RunPlace place = runs.place_of(index);
        add(runs, place, std::move(run), outcomes[place.point]);
        if (is_last_of_point(runs, place)) runs.forget_scratch_of(place.point);
      });
  return outcomes;
}

std::vector<Outcome> evaluate(const Preparation& preparation, const Options& options, Workers& workers,
                              const std::function<void(double share)>& progress) {
  const Runs runs(preparation, options);
  std::vector<Outcome> outcomes = empty_outcomes(runs, preparation.points.size(), options.seed);
  std::size_t taken = 0;
  share_runs(workers, preparation, options, progress, [&](std::size_t index, RunOutcome run) {
    PLUMBLINE_CHECK(index < runs.size(), "no more runs than there are");
    const RunPlace place = runs.place_of(index);
    add(runs, place, std::move(run), outcomes[place.point]);
    ++taken;
  });
  PLUMBLINE_CHECK(taken == runs.size(), "each run was made");
  return outcomes;
}

}  // namespace plumbline::cli::predict
