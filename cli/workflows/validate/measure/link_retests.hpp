#pragma once
// Whether a node's cable is slow by itself: messages between the node and another one, beside the same of a node that
// nobody suspects.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/workflows/validate/session/session.hpp"
#include "cli/workflows/validate/session/twins.hpp"

namespace plumbline::cli::validate {

// "n7" of "link n7-s0" or "link n7-s0, from n7", where that is one of the hosts; "": it is the cable of none.
std::string host_of_link(std::string_view component, const std::vector<std::string>& hosts);

// The cell that shows it best, as a re-test: seconds of one repetition with the suspect and with its twin, by round. It
// persists where one cell takes a tenth more with the suspect in every round. Nothing where no cell is in all of them.
std::optional<replay::validate::Retest> judge_rounds(const std::vector<std::vector<CellTime>>& suspect,
                                                     const std::vector<std::vector<CellTime>>& twin,
                                                     const std::string& pair);

// By how much a cable is said to take longer than expected, in evidence.
replay::validate::Datum latency_beyond_expected(double seconds);

// Whether such a re-test speaks for the diagnosis: it persists, and of a latency that is told in evidence the cable
// adds a quarter or more to each way of a ping-pong, in every round. What is less may be one rank's processor.
bool speaks_for(const replay::validate::Retest& retest, const replay::validate::Diagnosis& diagnosis);

// Measures it, twice in turn. Nothing where it cannot be: fewer than three hosts, ranks that a launcher of the user's
// places, no cable of a host, or ranks that fail, which is noted.
std::optional<replay::validate::Retest> retest_of_link(Session& session, const Mpi& mpi, const std::string& component);

}  // namespace plumbline::cli::validate
