#pragma once
// What witnesses look at.

#include <map>
#include <string>
#include <vector>

#include "base/node/consumers.hpp"
#include "base/node/facts.hpp"
#include "base/node/interruptions.hpp"
#include "replay/validate/preflight/control_variables.hpp"

namespace plumbline::replay::validate {

struct NodeWitness {
  std::string host;
  node::Facts settings;                         // read_settings()
  std::map<std::string, double> growth = {};    // of read_counters(), while the suite ran
  std::vector<std::string> affinities = {};     // of the ranks on it, each as "0-3,8"
  std::vector<node::Consumer> consumers = {};   // processes of others that used a processor before and after the suite
  std::vector<node::Interruptions> noise = {};  // timed before and after the suite
};

struct WitnessInput {
  std::vector<NodeWitness> nodes;          // each node once
  std::vector<ControlVariable> variables;  // of each MPI once; those of its first rank
  bool is_apart = false;                   // each rank has a node for itself, so that no message is a local one
};

}  // namespace plumbline::replay::validate
