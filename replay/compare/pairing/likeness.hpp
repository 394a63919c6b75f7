#pragma once
// What operations of two programs have in common when they may pair (differing_runs.hpp), as a number.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "replay/program/program.hpp"

namespace plumbline::replay {

class Likenesses {
 public:
  // Both programs must outlive it.
  Likenesses(const Program& a, const Program& b);
  ~Likenesses();
  Likenesses(const Likenesses&) = delete;
  Likenesses& operator=(const Likenesses&) = delete;

  // The same for operations that agree in kind, call, place, communicator, peer and bytes; `which`: 0 for one of `a`, 1
  // for one of `b`.
  std::uint32_t of(std::size_t which, const Operation& operation);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumbline::replay
