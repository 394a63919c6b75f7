#pragma once
// What the witnesses see of nodes and libraries of which only what matters is told.

#include <map>
#include <string>
#include <vector>

#include "replay/validate/witness/witness_input.hpp"

namespace plumbline::replay::validate::test {

using Values = std::map<std::string, std::string>;
using Growth = std::map<std::string, double>;

NodeWitness witness_node(const Values& settings, const Growth& growth = {}, const std::string& host = "n0");

// Of one node.
std::vector<Observation> seen_of(const Values& settings, const Growth& growth = {});

// Of the variables of one MPI, set in the environment where `set`.
std::vector<Observation> seen_of_library(const Values& variables, const std::string& mpi = "openmpi", bool set = true);

// The ids, with blanks between them.
std::string ids(const std::vector<Observation>& observations);

// The value of a row; "" where there is none.
std::string row(const Observation& observation, const std::string& name);

}  // namespace plumbline::replay::validate::test
