#include "viewer/index/lanes/fold_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumbline::viewer {
namespace {

using replay::RankPart;
using replay::Row;

// Of a recording alone: shares of the run that are told apart, as a comparison does by default.
const double kThreshold = replay::CompareOptions{}.threshold;

// One feature with its value on each rank, in picoseconds.
struct FeatureOfCall {
  Feature feature;
  std::vector<double> ps;

  bool tells_apart() const {
    const auto [least, most] = std::ranges::minmax_element(ps);
    return least != ps.end() && *most - *least >= feature.unit_ps;
  }
};

class Gatherer {
 public:
  explicit Gatherer(const Runs& runs) : runs_(runs), ranks_(runs.observed.ranks()) { badness_.resize(ranks_); }

  Features run() {
    if (runs_.comparison)
      for (const Row& row : runs_.comparison->rows) add(row);
    else
      add_times();
    return {std::move(features_), in_order_of_ranks(), std::move(badness_)};
  }

 private:
  void add(const Row& row) {
    if (row.parts.empty()) return;
    const double run = static_cast<double>(runs_.comparison->totals.run.ps);
    const double band = static_cast<double>(row.band.ps) / static_cast<double>(row.parts.size());
    const double unit = std::max({band, runs_.comparison->options.threshold * run, 1.0});
    FeatureOfCall own{{fmt::format("own in {}", row.call), unit, 0}, std::vector<double>(ranks_)};
    FeatureOfCall inherited{{fmt::format("inherited in {}", row.call), unit, 0}, std::vector<double>(ranks_)};
    for (const RankPart& part : row.parts) {
      own.ps[part.rank] = static_cast<double>(part.own.ps);
      inherited.ps[part.rank] = static_cast<double>(part.inherited.ps);
      badness_[part.rank] += own.ps[part.rank];
    }
    keep(std::move(own));
    keep(std::move(inherited));
  }

  void add_times() {
    const double unit = std::max(kThreshold * static_cast<double>(span_of(runs_.observed).length.ps), 1.0);
    std::vector<FeatureOfCall> calls;
    for (std::uint32_t call = 0; call < runs_.observed.calls(); ++call)
      calls.push_back({{fmt::format("in {}", runs_.observed.call(static_cast<std::uint16_t>(call))), unit, 0},
                       std::vector<double>(ranks_)});
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      const replay::RankProgram& own = runs_.observed.rank(rank);
      for (std::size_t i = 0; i < own.operations.size(); ++i) {
        const auto time = static_cast<double>((own.times[i].end - own.times[i].begin).ps);
        calls[own.operations[i].call].ps[rank] += time;
        badness_[rank] += time;
      }
    }
    for (FeatureOfCall& call : calls) keep(std::move(call));
  }

  void keep(FeatureOfCall candidate) {
    if (!candidate.tells_apart()) return;
    std::vector<float> values;
    for (const double ps : candidate.ps) values.push_back(static_cast<float>(ps / candidate.feature.unit_ps));
    by_feature_.push_back(values);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    candidate.feature.median = *middle;
    features_.push_back(std::move(candidate.feature));
  }

  std::vector<float> in_order_of_ranks() const {
    std::vector<float> values;
    values.reserve(ranks_ * by_feature_.size());
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
      for (const std::vector<float>& feature : by_feature_) values.push_back(feature[rank]);
    return values;
  }

  const Runs& runs_;
  const std::uint32_t ranks_;
  std::vector<Feature> features_;
  std::vector<std::vector<float>> by_feature_;
  std::vector<double> badness_;
};

}  // namespace

Features features_of(const Runs& runs) { return Gatherer(runs).run(); }

}  // namespace plumbline::viewer
