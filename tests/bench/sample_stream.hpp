#pragma once
// A small run with records of every kind.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "bench/results/stream.hpp"

namespace plumbline::bench::test {

inline Run sample_run() {
  Run run;
  run.mpi = "openmpi";
  run.library = "Open MPI v4.1.4";
  run.nodes = 2;
  run.hosts = {"nöde1", "node2"};
  run.node_of = {0, 1};
  run.bindings = {"0-1,4", "0"};
  run.created = "2024-02-29T12:00:00Z";
  run.load_before = 0.25;
  run.load_after = 1.1;
  run.stolen = 1e-3;
  run.involuntary_switches = {0, 17};
  run.finished = true;
  run.socket_of = {1, kNoSocket};
  return run;
}

// 0 and 1 are of request 0, 2 is of request 2.
inline Cell sample_cell(std::uint32_t position) {
  Cell cell;
  cell.operation = position == 2 ? "file_write_at_all" : "round_trip";
  cell.implementation = "library";
  cell.bytes = position == 1 ? UINT64_MAX : position;
  cell.position = position;
  cell.began_s = 0.1 * position;
  cell.timing = "max";
  cell.isolation = "two barriers";
  cell.stop = "median";
  cell.numbers = {{"delay_ns", 0.1}, {"messages", 16}};
  cell.words = {{"file", "shared"}, {"hint.cb_nodes", "2"}};
  if (position == 1) return cell;  // without a repetition
  cell.ranks = {1, 0};
  cell.in_flight = 3;
  cell.reached = true;
  cell.clock_bound_s = 1e-7;
  cell.window_s = 5e-6;
  cell.seconds = {1e-6, 2.5e-6, 1.0 / 3};
  cell.flags = {0, 10, 0};  // 10: a line feed
  if (position == 2) cell.of_ranks = {1, 2, 3, 4, 5, 6};
  return cell;
}

inline std::string sample_stream(const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  write_run(file, sample_run());
  write_cell(file, sample_cell(0));
  write_note(file, "line\nfeed");
  write_cell(file, sample_cell(1));
  write_done(file, 0);
  write_cell(file, sample_cell(2));
  write_note(file, "request 2: ?\xff");
  write_done(file, 2);
  write_end(file, sample_run());
  std::fclose(file);
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace plumbline::bench::test
