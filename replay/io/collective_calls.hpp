#pragma once
// Which accesses of the ranks of a communicator are one collective call: the n-th of each rank (MPI 4.0, 14.4.5).

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "replay/program/program.hpp"

namespace plumbline::replay::io {

class CollectiveCalls {
 public:
  // `is_one`: the data accesses to count, of those that are collective.
  CollectiveCalls(const Program& program, const std::function<bool(const RankProgram&, const Operation&)>& is_one);

  // The operation of the `member`-th rank of the communicator that is its `number`-th call there; nothing: it makes
  // fewer.
  std::optional<std::uint32_t> operation(std::uint32_t comm, std::uint32_t member, std::uint32_t number) const;

  // Which call that operation of the rank is.
  std::uint32_t number_of(std::uint32_t comm, std::uint32_t member, std::uint32_t operation) const;

  // Calls that all ranks of the communicator make.
  std::uint32_t calls(std::uint32_t comm) const;

 private:
  struct OfMember {
    std::uint32_t first = 0, number = 0;  // of operations_
  };

  std::vector<std::uint32_t> operations_;
  std::vector<std::vector<OfMember>> members_;  // by communicator; empty: no calls on it
};

}  // namespace plumbline::replay::io
