#pragma once
// What the pre-flight judges, and its judgement.

#include <cstdint>
#include <string>
#include <vector>

#include "base/node/facts.hpp"
#include "base/node/rank_identity.hpp"
#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

struct NodeSettings {
  std::string host;
  node::Facts facts;  // read_settings()
};

// What the user wanted; 0: as many as there are.
struct AskedFor {
  std::uint32_t ranks = 0, nodes = 0;
};

struct PreFlightInput {
  std::vector<node::RankIdentity> ranks;  // of one start under one MPI
  std::vector<NodeSettings> nodes;        // each node once
  AskedFor asked = {};
};

struct Judgement {
  std::vector<Observation> observations;
  std::vector<Diagnosis> diagnoses;  // without costs: these are read, not timed. Fatal ones first
};

}  // namespace plumbline::replay::validate
