#pragma once
// What a rank is like, as numbers that can be compared.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

struct Feature {
  std::string name;    // "own in MPI_Send"
  double unit_ps = 1;  // what differs by less is alike
  float median = 0;    // over ranks
};

struct Features {
  std::vector<Feature> features;
  std::vector<float> values;       // by rank, then feature; in units of the feature
  std::vector<double> badness_ps;  // by rank: own excess; of a recording alone time in calls

  std::span<const float> of(std::uint32_t rank) const {
    return std::span(values).subspan(rank * features.size(), features.size());
  }
};

// Features in which no two ranks differ by a unit are left out.
Features features_of(const Runs& runs);

}  // namespace plumbline::viewer
