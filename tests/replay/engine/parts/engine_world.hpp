#pragma once
// What tests of the parts of the engine of messages share: a state made by hand. Numbers of support.hpp: 1 µs to send,
// 2 µs to receive; a message without bytes is there 5 µs after it has been sent, one of n thousand bytes 5 + 5 n µs
// after; what is larger than 1000 bytes is a rendezvous. Over LogGP every message is there 3 µs after it has been sent.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "replay/mpi/engine_calls.hpp"
#include "replay/mpi/engine_collectives.hpp"
#include "replay/mpi/engine_messages.hpp"
#include "replay/mpi/engine_rendezvous.hpp"
#include "replay/mpi/engine_requests.hpp"
#include "replay/mpi/engine_wildcards.hpp"
#include "tests/replay/engine/parts/parts.hpp"
#include "tests/replay/engine/support.hpp"

namespace plumbline::replay::mpi {

using test::at_us;
using test::block;
using test::handle_all;
using test::handle_before;

// Each on a node of its own, with two request slots.
inline std::string four_ranks() {
  std::string body;
  for (const char* rank : {"0", "1", "2", "3"})
    body += std::string("rank ") + rank + "\n irecv 0 tag 0 0B -> a\n irecv 0 tag 0 0B -> b\n wait a b\n";
  return test::one_rank_per_node(4, body);
}

inline hw::Platform progressing(hw::Progress progress) {
  hw::Platform platform = test::star(4);
  platform.between.progress = progress;
  return platform;
}

inline hw::Platform copying() {
  hw::Platform platform = test::star(4);
  platform.between.sender_free = hw::SenderFree::kCopied;
  return platform;
}

inline hw::Platform loggp() {
  hw::Platform platform = test::star(4);
  platform.network = hw::NetworkKind::kLogGP;
  return platform;
}

inline Channel channel(std::uint32_t source, std::uint32_t receiver, std::int32_t tag = 0) {
  return {receiver, source, 0, tag};
}

inline std::uint64_t bytes_of(const Engine& engine, std::uint32_t request) {
  return engine.messages[engine.requests[request].message].bytes;
}

inline Request::State state_of(const Engine& engine, std::uint32_t request) { return engine.requests[request].state; }

// Nobody waits for its end.
inline void send_from(Engine& engine, const Channel& channel, std::uint64_t bytes) {
  send(engine, pooled_request(engine, channel.source), channel, bytes, false);
}

inline void look(Engine& engine, std::uint32_t rank, Time at) {
  engine.rank(rank).clock = at;
  enter(engine, rank);
  progress(engine, rank);
}

class EngineParts : public testing::Test {
 protected:
  std::uint32_t slot(std::uint32_t rank, std::uint32_t number = 0) const {
    return engine_.request_of_slot(rank, number);
  }
  RankState& rank(std::uint32_t rank) { return engine_.rank(rank); }

  test::LoneEngine lone_{four_ranks(), test::star(4)};
  Engine& engine_ = lone_.engine;
};

using EngineMessages = EngineParts;
using EngineRequests = EngineParts;
using EngineRendezvous = EngineParts;
using EngineCollectives = EngineParts;
using EngineWildcards = EngineParts;
using EngineCalls = EngineParts;

}  // namespace plumbline::replay::mpi
