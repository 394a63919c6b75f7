#pragma once
// The checks of the pre-flight, one function for each; inside of replay/validate only.

#include <string>
#include <string_view>
#include <vector>

#include "replay/validate/preflight/judgement.hpp"

namespace plumbline::replay::validate {

// Ranks of one node, by host name and boot.
struct NodeRanks {
  std::string host;
  std::vector<const node::RankIdentity*> ranks;
};

// In the order in which the ranks name them.
std::vector<NodeRanks> by_node(const std::vector<node::RankIdentity>& ranks);

void judge_world(const PreFlightInput& input, Judgement& into);
void judge_binding(const PreFlightInput& input, Judgement& into);
void judge_cores(const PreFlightInput& input, Judgement& into);
void judge_shared_memory(const PreFlightInput& input, Judgement& into);
void judge_session(const PreFlightInput& input, Judgement& into);
void judge_fast_network(const PreFlightInput& input, Judgement& into);
void judge_build(const PreFlightInput& input, Judgement& into);
void judge_uniformity(const PreFlightInput& input, Judgement& into);

// "Open MPI", "MPICH"; another flavour as it is.
std::string name_of_mpi(std::string_view flavour);

// "0, 1, 2, 3 and 60 more"
std::string some_of(const std::vector<std::string>& texts, std::size_t most = 8);

// How the title of a launch begins in which no rank came through MPI_Init.
inline constexpr std::string_view kNoneStarted = "None of ";

// A diagnosis that was read, so is certain, with an observation that it explains.
Diagnosis& add_finding(Judgement& into, std::string_view id, std::string title, std::string component,
                       std::vector<std::string> places, std::vector<Datum> rows);

}  // namespace plumbline::replay::validate
