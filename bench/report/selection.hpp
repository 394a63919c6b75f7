#pragma once
// What of a campaign is shown: filters, and what tells one thing that was measured from another.

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::bench {

struct Selection {
  std::vector<std::string> operations = {}, implementations = {}, mpis = {};  // empty: all
  std::vector<std::uint64_t> sizes = {};

  bool takes(const Campaign& campaign, const Cell& cell) const;
};

// Cells of one subject differ in size and run alone.
struct Subject {
  std::string operation, implementation, mpi;
  std::uint32_t nodes = 1, per_node = 1;
  std::vector<std::uint32_t> ranks = {};
  std::uint32_t in_flight = 1;
  std::map<std::string, double> numbers = {};
  std::map<std::string, std::string> words = {};
  std::string timing = {}, isolation = {};

  auto operator<=>(const Subject&) const = default;
};

Subject subject_of(const Campaign& campaign, const Cell& cell);

// "bcast, binomial; openmpi, 1 x 2; messages 4; max behind barrier"
std::string full_name(const Subject& subject);

// Names as short as tells them apart, [subjects]: the operation, MPI and layout where these differ, and what differs
// from another subject of the same operation.
std::vector<std::string> short_names(const std::vector<Subject>& subjects);

}  // namespace plumbline::bench
