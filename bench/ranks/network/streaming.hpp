#pragma once
// One rank's part in streams that begin together.

#include <cstdint>
#include <vector>

#include "bench/library/mpi_calls.hpp"

namespace plumbline::bench::network {

struct StreamShape {
  std::uint64_t bytes = 0;     // of a message
  std::uint32_t messages = 1;  // of each stream
  std::uint32_t window = 4;    // of them under way at once
};

class Streaming {
 public:
  // Ranks of comm that this one sends to, and receives from.
  Streaming(MPI_Comm comm, const std::vector<int>& to, const std::vector<int>& from, const StreamShape& shape);

  // Once, behind a barrier of all ranks: of each stream that goes out, from the begin until its receiver has said that
  // all of it is there, in seconds. Collective over comm.
  std::vector<double> run();

 private:
  struct Lane {
    int peer = 0;
    bool sends = false;
    std::uint32_t posted = 0, done = 0;
  };

  void post(std::size_t lane, std::size_t slot);
  void finished(std::size_t lane, std::size_t slot);
  MPI_Request& request(std::size_t lane, std::size_t slot) { return requests_[lane * (shape_.window + 1) + slot]; }

  MPI_Comm comm_;
  StreamShape shape_;
  std::vector<Lane> lanes_;            // those that send first
  std::vector<MPI_Request> requests_;  // [lane][window, and one for the acknowledgement]
  std::vector<char> out_, in_;         // in_: [lane that receives][window][bytes]
  std::size_t senders_ = 0;
  std::int64_t begin_ns_ = 0;
  std::vector<double> seconds_;
};

}  // namespace plumbline::bench::network
