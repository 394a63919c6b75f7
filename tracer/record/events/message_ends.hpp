#pragma once
// When a process began to send messages, and when it had received them, from the records of its calls.

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

#include "tracer/record/definitions/facts.hpp"
#include "tracer/spool/format/payload.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::record {

struct MessageEnd {
  bool is_send = false;
  std::uint32_t peer = 0;  // world rank
  std::int32_t tag = 0;
  std::uint64_t ticks = 0;  // beginning of the call that sends; end of the one that tells of the arrival
};

// The records of all threads of a process, each thread's in order.
class MessageEnds {
 public:
  MessageEnds(const ProcessFacts& facts, std::function<void(const MessageEnd&)> found)
      : facts_(facts), found_(std::move(found)) {}

  void take(const spool::Record& record);
  // False: a message was sent that cannot be described, so those after it cannot be counted.
  bool complete() const { return complete_; }

 private:
  void send(spool::Words payload, std::uint64_t ticks);
  void receive(std::uint32_t comm, std::int32_t source, std::int32_t tag, std::uint64_t ticks);
  void take_receive(const spool::Record& record);
  void start(const pl_started_payload& what, std::uint64_t ticks);
  void wait(spool::Words payload, std::uint64_t ticks);
  std::optional<std::uint32_t> world_rank(std::uint32_t comm, std::int32_t rank) const;

  const ProcessFacts& facts_;
  std::function<void(const MessageEnd&)> found_;
  std::unordered_map<std::uint32_t, std::uint32_t> posted_;  // request → communicator
  bool complete_ = true;
};

}  // namespace plumbline::record
