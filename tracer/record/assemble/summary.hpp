#pragma once
// What is told of an archive that was assembled.

#include <cstdint>
#include <string>
#include <vector>

namespace plumbline::record {

struct AssembleSummary {
  std::uint32_t ranks = 0;  // whose recordings were found
  std::uint32_t world_size = 0;
  std::uint32_t servers = 0;         // processes that were recorded without MPI
  std::uint32_t idle_servers = 0;    // likewise, without a call: left out
  std::uint64_t operations = 0;      // calls of the program
  std::uint64_t message_bytes = 0;   // sent point to point
  std::uint64_t io_bytes = 0;        // asked of files by the program and done
  std::uint64_t in_flight = 0;       // calls that had not returned at the end
  std::vector<std::string> remarks;  // what is missing, damaged or odd; each a sentence

  void remark(std::string text);  // the first 50 are kept
};

template <class Io>
void fields(Io& io, AssembleSummary& s) {
  io(s.ranks, s.world_size, s.servers, s.idle_servers, s.operations, s.message_bytes, s.io_bytes, s.in_flight,
     s.remarks);
}

}  // namespace plumbline::record
