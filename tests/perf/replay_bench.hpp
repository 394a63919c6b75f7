#pragma once
// For benchmarks of the replay: programs of known patterns, platforms without a file, and a measurement of one replay.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "hwmodels/platform/platform.hpp"
#include "replay/engine/replay.hpp"
#include "replay/program/program.hpp"
#include "tests/perf/cpu_time.hpp"

namespace plumbline::perf {

// Writes the operations of one rank, each directly behind the one before.
class RankWriter {
 public:
  RankWriter(replay::ProgramBuilder& builder, std::uint32_t rank) : builder_(builder), rank_(rank) {}

  std::uint32_t rank() const { return rank_; }
  void compute(Duration duration) { now_ += duration; }
  void post(replay::OpKind kind, std::uint32_t peer, std::uint32_t tag, std::uint64_t bytes, std::uint32_t slot);
  void wait_all(std::uint32_t slots);  // 0 .. slots-1
  void sendrecv(std::uint32_t to, std::uint32_t from, std::uint32_t tag, std::uint64_t bytes);
  void allreduce(std::uint64_t bytes);

 private:
  void put(const replay::Operation& op, Duration duration);

  replay::ProgramBuilder& builder_;
  std::uint32_t rank_;
  Time now_;
};

// Rank r runs on node "n<r>". `write` is called for each rank in turn.
replay::Program program_of(std::uint32_t ranks, std::uint32_t request_slots,
                           const std::function<void(RankWriter&)>& write);

// The same into a file that stays.
void write_program(const std::filesystem::path& file, std::uint32_t ranks, std::uint32_t request_slots,
                   const std::function<void(RankWriter&)>& write);

// Nodes n0, n1, .. of 12.5 GB/s on one switch of 1 TB/s; cables of 1 us. Messages up to 64 KiB are eager, 0.3 us each
// to send and to receive.
hw::Platform star(std::uint32_t nodes);

// 256 of the same nodes, 16 on each of 16 leaf switches; 8 spines, to each of which every leaf has one cable of the
// same rate: oversubscribed 2:1. What goes to node d passes spine d mod 8.
hw::Platform fat_tree();

// The star's nodes without wires: L 2 us, o 0.3 us, g 0.3 us, G of 12.5 GB/s.
hw::Platform loggp(std::uint32_t nodes);

// The same without gaps, whose times are measured ones: of 30 knots each, for 5 sizes with 1, 16 and 256 in flight,
// with a long tail.
hw::Platform sampled(std::uint32_t nodes);

// Prints the best of `runs` replays in CPU seconds, and the largest anonymous memory of one more replay: what it takes
// beside the mapped program, its result included.
void measure(const std::string& name, const replay::Program& program, const hw::Platform& platform,
             const replay::ReplayOptions& options, int runs = 5);

}  // namespace plumbline::perf
