#pragma once
// Polls that are left out where runs are compared.

#include <cstdint>
#include <vector>

#include "replay/program/program.hpp"

namespace plumbline::replay {

// Tells tests and probes that found nothing: how many there are is chance, so they are never compared.
class FailedPolls {
 public:
  explicit FailedPolls(const Program& program) : program_(program) {}
  bool contains(const Operation& operation);

 private:
  const Program& program_;
  std::vector<std::int8_t> is_poll_;  // by call index; -1: not asked yet
};

}  // namespace plumbline::replay
