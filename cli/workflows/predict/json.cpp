#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/workflows/predict/figures.hpp"
#include "cli/workflows/predict/files.hpp"

namespace plumbline::cli::predict {
namespace {

using Json = nlohmann::ordered_json;

Json lines_of(const Prediction& prediction, const Lines& lines) {
  Json list = Json::array();
  const auto mean = [&](TimeSum sum) { return sum.seconds() / (static_cast<double>(lines.ranks) * lines.runs); };
  for (const auto& [place, line] : lines.by_place)
    list.push_back({{"where", fmt::format("{}:{}", prediction.preparation.model->source, place.line)},
                    {"call", line.call},
                    {"times", lines.mean_count(line)},
                    {"computing_s", mean(line.computing)},
                    {"transfer_s", mean(line.transfer)},
                    {"waiting_s", mean(line.waiting)},
                    {"imbalance_s", mean(line.imbalance)}});
  return list;
}

Json races_of(const Outcome& outcome, const replay::Program& program) {
  Json list = Json::array();
  for (const Race& race : outcome.races.found(program))
    list.push_back({{"where", race.site},
                    {"call", race.call},
                    {"receives", race.receives},
                    {"rank", race.rank},
                    {"senders", race.senders}});
  return list;
}

Json lengths_of(const Outcome& outcome) {
  Json all = Json::object();
  for (const Evaluated& evaluated : outcome.by_data) {
    Json lengths = Json::array();
    for (const Duration length : evaluated.samples.lengths) lengths.push_back(length.ps);
    all[std::string(name_of(evaluated.data))] = lengths;
  }
  return all;
}

Json point_of(const Prediction& prediction, std::size_t index) {
  const Prepared& prepared = prediction.preparation.points[index];
  const Outcome& outcome = prediction.outcomes[index];
  const Figures f = figures_of(prediction, index);
  Json constants = Json::object();
  for (const replay::model::Setting& setting : prepared.point.settings) constants[setting.name] = setting.value;
  return {{"ranks", prepared.point.ranks},
          {"nodes", prepared.nodes},
          {"per_node", prepared.per_node},
          {"constants", constants},
          {"seed", outcome.samples().seed},
          {"lengths_ps", lengths_of(outcome)},
          {"mean_s", f.mean},
          {"mean_interval_s", {f.mean_interval.low, f.mean_interval.high}},
          {"median_s", f.median},
          {"median_interval_s", {f.median_interval.low, f.median_interval.high}},
          {"speed_up", f.speed_up},
          {"efficiency", f.efficiency},
          {"computing_s", f.computing},
          {"transfer_s", f.transfer},
          {"waiting_s", f.waiting},
          {"idle_s", f.idle},
          {"imbalance_s", f.imbalance},
          {"beyond_measured", outcome.by_data.front().beyond_measured},
          {"lines", lines_of(prediction, outcome.lines)},
          {"races", races_of(outcome, prepared.program)}};
}

}  // namespace

std::string json(const Prediction& prediction) {
  Json points = Json::array();
  for (std::size_t i = 0; i < prediction.outcomes.size(); ++i) points.push_back(point_of(prediction, i));
  const Json all{{"format", "plumbline-prediction"},
                 {"version", 1},
                 {"model", prediction.preparation.model->source},
                 {"platform", prediction.preparation.platform.name},
                 {"points", points}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace plumbline::cli::predict
