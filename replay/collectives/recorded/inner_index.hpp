#pragma once
// The inner messages of each operation. In a program they lie in the order of posting; those of a non-blocking
// collective may be posted inside of any later call.

#include <cstdint>
#include <span>
#include <vector>

#include "replay/program/program.hpp"

namespace plumbline::replay::collectives::recorded {

struct PostedMessage {
  std::uint32_t operation = 0;  // that it belongs to
  bool is_send = false;
  const InnerMessage* message = nullptr;
};

class InnerIndex {
 public:
  explicit InnerIndex(const Program& program);  // which must live longer

  // In the order in which they were posted.
  std::span<const PostedMessage> of(std::uint32_t world_rank, std::uint32_t operation) const;
  bool empty() const;

 private:
  std::vector<std::vector<PostedMessage>> ranks_;  // by operation
};

}  // namespace plumbline::replay::collectives::recorded
