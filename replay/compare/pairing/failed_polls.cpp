#include "replay/compare/pairing/failed_polls.hpp"

#include <cstddef>

#include "replay/program/poll_calls.hpp"

namespace plumbline::replay {

bool FailedPolls::contains(const Operation& operation) {
  if (operation.kind != OpKind::kLocal) return false;
  if (operation.call >= is_poll_.size()) is_poll_.resize(operation.call + std::size_t{1}, -1);
  std::int8_t& known = is_poll_[operation.call];
  if (known < 0) known = is_poll(program_.call(operation.call)) ? 1 : 0;
  return known == 1;
}

}  // namespace plumbline::replay
