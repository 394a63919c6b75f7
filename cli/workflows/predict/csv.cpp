#include <fmt/format.h>

#include <array>

#include "base/text/csv_field.hpp"
#include "cli/workflows/predict/figures.hpp"
#include "cli/workflows/predict/files.hpp"

namespace plumbline::cli::predict {
namespace {

constexpr std::array<std::string_view, 4> kAverages = {"", "means_nxp_s", "means_2x1_s", "least_2x1_s"};

}  // namespace

std::string csv(const Prediction& prediction) {
  std::string text = "ranks,nodes,per_node";
  for (const std::string& name : prediction.preparation.sweeps.constants) text += "," + csv_field(name);
  text +=
      ",runs,mean_s,mean_low_s,mean_high_s,median_s,median_low_s,median_high_s,least_s,greatest_s,speed_up,"
      "efficiency,computing_s,transfer_s,waiting_s,idle_s,imbalance_s";
  for (std::size_t i = 1; i < prediction.outcomes.front().by_data.size(); ++i) text += fmt::format(",{}", kAverages[i]);
  text += "\n";
  for (std::size_t i = 0; i < prediction.outcomes.size(); ++i) {
    const Prepared& prepared = prediction.preparation.points[i];
    const Figures f = figures_of(prediction, i);
    text += fmt::format("{},{},{}", prepared.point.ranks, prepared.nodes, prepared.per_node);
    for (const replay::model::Setting& setting : prepared.point.settings) text += "," + csv_field(setting.value);
    text += fmt::format(",{}", f.runs);
    for (const double value :
         {f.mean, f.mean_interval.low, f.mean_interval.high, f.median, f.median_interval.low, f.median_interval.high,
          f.least, f.greatest, f.speed_up, f.efficiency, f.computing, f.transfer, f.waiting, f.idle, f.imbalance})
      text += fmt::format(",{:.12g}", value);
    for (const double mean : f.by_averages) text += fmt::format(",{:.12g}", mean);
    text += "\n";
  }
  return text;
}

}  // namespace plumbline::cli::predict
