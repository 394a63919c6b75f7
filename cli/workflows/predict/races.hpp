#pragma once
// Receives from any rank that took another message in another run: what the program does depends on chance.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "replay/mpi/matching/wildcards.hpp"
#include "replay/program/program.hpp"

namespace plumbline::cli::predict {

struct Race {
  std::string site, call;
  std::uint64_t receives = 0;       // whose sender differs between runs
  std::uint32_t rank = 0;           // the first of them
  std::set<std::uint32_t> senders;  // of that one
};

class Races {
 public:
  void add_run(std::vector<std::vector<replay::mpi::WildcardMatch>> wildcards);  // ReplayResult::wildcards
  std::vector<Race> found(const replay::Program& program) const;                 // by directive

 private:
  using Operation = std::pair<std::uint32_t, std::uint32_t>;  // rank, operation
  std::vector<std::vector<replay::mpi::WildcardMatch>> first_;
  std::map<Operation, std::set<std::uint32_t>> differing_;
  std::uint32_t runs_ = 0;
};

}  // namespace plumbline::cli::predict
