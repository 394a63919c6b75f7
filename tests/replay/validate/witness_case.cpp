#include "tests/replay/validate/witness_case.hpp"

#include "replay/validate/witness/witness.hpp"
#include "tests/replay/validate/preflight_job.hpp"

namespace plumbline::replay::validate::test {

NodeWitness witness_node(const Values& settings, const Growth& growth, const std::string& host) {
  return {host, facts_of(settings), growth, {}};
}

std::vector<Observation> seen_of(const Values& settings, const Growth& growth) {
  return witness({{witness_node(settings, growth)}, {}});
}

std::vector<Observation> seen_of_library(const Values& variables, const std::string& mpi, bool set) {
  WitnessInput input;
  for (const auto& [name, value] : variables) {
    const bool chosen = name == "pml.selected" || name == "device";
    const Origin origin = set && !chosen ? Origin{"environment", "OMPI_MCA_" + name, 0} : Origin{};
    input.variables.push_back({name, value, "", origin, mpi});
  }
  return witness(input);
}

std::string ids(const std::vector<Observation>& observations) {
  std::string all;
  for (const Observation& observation : observations) all += (all.empty() ? "" : " ") + observation.id;
  return all;
}

std::string row(const Observation& observation, const std::string& name) {
  for (const Datum& datum : observation.rows)
    if (datum.name == name) return datum.value;
  return "";
}

}  // namespace plumbline::replay::validate::test
