#pragma once
// Programs, platforms and replays for the tests of the replay engine.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "hwmodels/platform/platform.hpp"
#include "replay/engine/replay.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::test {

// A program in the text form (docs/internals/program-text.md).
Program program_of(const std::string& text);

// Nodes n0, n1, .. on one switch. Everything at 1 GB/s; a message costs 1 µs to send, 2 µs to receive, 3 µs of latency
// between nodes; up to 1000 bytes are eager. A file system at /data: calls of 10 µs (write), 5 µs (read), 1 GB/s.
hw::Platform star(std::uint32_t nodes);

// Two of them, with one cable between and packets of 1000 bytes; an interface takes a quarter of what the cable takes.
hw::Platform one_cable();

// A star where nothing takes any time.
hw::Platform free_of_cost(std::uint32_t nodes);

// "ranks 3", each on a node of its own, then `body`.
std::string one_rank_per_node(std::uint32_t ranks, const std::string& body);
Program two_ranks(const std::string& of_first, const std::string& of_second);

ReplayResult run(const Program& program, const hw::Platform& platform, Mode mode = Mode::kFree,
                 Form form = Form::kIdeal, hw::CacheCase cache = hw::CacheCase::kCached);

inline Time ns_after_begin(std::int64_t n) { return Time{} + nanoseconds(n); }
inline Duration duration(const OperationTimes& times) { return times.end - times.begin; }

// Of the network and of file servers: the same steps, and at the end of each the same done by every component.
testing::AssertionResult same_use(const hw::UseRecord& one, const hw::UseRecord& other);

// What a replay that cannot finish says; "" when it finishes.
std::string stuck_text(const Program& program, const hw::Platform& platform);

}  // namespace plumbline::replay::test
