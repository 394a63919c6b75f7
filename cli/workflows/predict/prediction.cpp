#include "cli/workflows/predict/prediction.hpp"

namespace plumbline::cli::predict {
namespace {

const Prepared* of_one_process(const Prediction& prediction, std::size_t point, std::size_t& index) {
  const std::vector<Prepared>& points = prediction.preparation.points;
  for (index = 0; index < points.size(); ++index)
    if (points[index].point.ranks == 1 && points[index].point.settings == points[point].point.settings)
      return &points[index];
  return nullptr;
}

}  // namespace

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
