#include "cli/workflows/predict/predict.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "cli/workflows/predict/files.hpp"
#include "replay/stuck.hpp"

namespace plumbline::cli::predict {
namespace {

// Of a replay that cannot go on, at which point of the sweep.
[[noreturn]] void rethrow_at(const replay::Stuck& error, const Prediction& prediction, const Prepared& prepared) {
  const Problem& problem = error.problems().front();
  std::string where = prediction.preparation.model->source;
  if (prediction.preparation.points.size() > 1) where += fmt::format(" with {} processes", prepared.point.ranks);
  if (const std::string swept = swept_text(prediction.preparation.sweeps, prepared.point); !swept.empty())
    where += ", " + swept;
  std::string what = problem.what;
  if (what.starts_with("the replay cannot")) what.replace(0, std::string_view("the replay").size(), "the model");
  throw Error(where, what, "the model hangs here: give each of these an operation that answers it, or another order",
              error.code());
}

const Prepared* of_one_process(const Prediction& prediction, std::size_t point, std::size_t& index) {
  const std::vector<Prepared>& points = prediction.preparation.points;
  for (index = 0; index < points.size(); ++index)
    if (points[index].point.ranks == 1 && points[index].point.settings == points[point].point.settings)
      return &points[index];
  return nullptr;
}

}  // namespace

Prediction predict(const Options& options) {
  Prediction prediction{prepare(options), {}};
  if (!options.svg.empty()) require_drawable(prediction.preparation, options);
  Progress progress("replaying", 0);
  std::uint64_t runs = 0;
  for (const Prepared& prepared : prediction.preparation.points) {
    try {
      prediction.outcomes.push_back(
          evaluate(prediction.preparation, prepared, options, [&] { progress.update(++runs); }));
    } catch (const replay::Stuck& error) {
      rethrow_at(error, prediction, prepared);
    }
  }
  return prediction;
}

bool is_by_one_process(const Prediction& prediction, std::size_t point) {
  std::size_t index = 0;
  return of_one_process(prediction, point, index) != nullptr;
}

double speed_up(const Prediction& prediction, std::size_t point, std::size_t data) {
  const double own = mean_seconds(prediction.outcomes[point].by_data[data].samples);
  if (own <= 0) return 0;
  std::size_t index = 0;
  if (of_one_process(prediction, point, index) != nullptr)
    return mean_seconds(prediction.outcomes[index].by_data[data].samples) / own;
  return prediction.preparation.points[point].computation.seconds() / own;
}

}  // namespace plumbline::cli::predict
