#pragma once
// What tests of the parts of one-sided communication share: a state made by hand. Numbers of support.hpp: 1 µs to send,
// 2 µs to receive; a message without bytes is there 5 µs after it has been sent, one of n thousand bytes 5 + 5 n µs
// after; memory takes 1 µs for a thousand bytes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "replay/mpi/engine_calls.hpp"
#include "replay/mpi/window_calls.hpp"
#include "replay/mpi/window_control.hpp"
#include "replay/mpi/window_locks.hpp"
#include "replay/mpi/window_report.hpp"
#include "replay/mpi/window_rules.hpp"
#include "replay/mpi/window_transfers.hpp"
#include "tests/replay/engine/parts/parts.hpp"
#include "tests/replay/engine/support.hpp"

namespace plumbline::replay::mpi::rma {

using test::at_us;
using test::block;
using test::handle_all;
using test::LoneWindows;

inline constexpr char kMpich[] = "MPICH 4.0.2", kOpenMpi[] = "Open MPI v4.1.4";

// Window 0 of four ranks.
inline std::string window_of(const std::string& library, const std::string& nodes, const std::string& body) {
  return "ranks 4\n" + nodes + "property library = \"" + library + "\"\nwindow 0 = comm 0 create\n" + body;
}

inline constexpr char kFourNodes[] =
    "node n0 ranks 0-0 cores 1\nnode n1 ranks 1-1 cores 1\nnode n2 ranks 2-2 cores 1\nnode n3 ranks 3-3 cores 1\n";

inline hw::Platform with_hardware() {
  hw::Platform platform = test::star(4);
  platform.between.progress = hw::Progress::kHardware;
  return platform;
}

inline LoneWindows by_messages(const std::string& body = "") {
  return LoneWindows(window_of(kMpich, kFourNodes, body), test::star(4));
}
inline LoneWindows queued(const std::string& body = "") {
  return LoneWindows(window_of(kOpenMpi, kFourNodes, body), test::star(4));
}
inline LoneWindows in_shared_memory(const std::string& body = "") {
  return LoneWindows(window_of(kOpenMpi, "node n0 ranks 0-3 cores 4\n", body), test::star(1));
}
inline LoneWindows by_interfaces(const std::string& body = "") {
  return LoneWindows(window_of(kOpenMpi, kFourNodes, body), with_hardware());
}

inline const Operation& operation(const LoneWindows& lone, std::uint32_t rank, std::uint32_t index = 0) {
  return lone.program.rank(rank).operations[index];
}

inline Side& side_of(LoneWindows& lone, std::uint32_t rank) { return side(lone.windows, 0, rank); }
inline Peer& peer_between(LoneWindows& lone, std::uint32_t rank, std::uint32_t other) {
  return peer_of(side_of(lone, rank), other);
}

inline void block_all(LoneWindows& lone) {
  for (std::uint32_t rank = 0; rank < lone.program.ranks(); ++rank) block(lone.engine, rank);
}

// The reader has taken the control message at its clock.
inline void deliver(LoneWindows& lone, const ControlMessage& control) {
  const std::uint32_t request = request_for(lone.windows, control.to, control);
  taken(lone.windows, lone.engine.requests[request].owner & ~kControlMessage, {});
}

// What is done to a lock of rank `to`.
inline ControlMessage of_lock(What what, bool exclusive, std::uint32_t from, std::uint32_t to) {
  return {.what = what, .exclusive = exclusive, .window = 0, .from = from, .to = to};
}
inline ControlMessage of_all_locks(What what, std::uint32_t from) {
  return {.what = what, .all = true, .window = 0, .from = from, .to = 0};
}

inline ControlMessage complete_of(std::uint32_t from, std::uint64_t count) {
  return {.what = What::kComplete, .window = 0, .from = from, .to = 0, .count = count};
}

}  // namespace plumbline::replay::mpi::rma
