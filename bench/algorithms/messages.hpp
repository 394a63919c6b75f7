#pragma once
// What the algorithms are made of.

#include <algorithm>
#include <vector>

#include "bench/algorithms/algorithms.hpp"

namespace plumbline::bench::algorithms {

inline constexpr int kTag = 4;

inline void send(ConstBytes data, int to, MPI_Comm comm) {
  must(MPI_Send(data.data(), static_cast<int>(data.size()), MPI_BYTE, to, kTag, comm));
}

inline void receive(Bytes data, int from, MPI_Comm comm) {
  must(MPI_Recv(data.data(), static_cast<int>(data.size()), MPI_BYTE, from, kTag, comm, MPI_STATUS_IGNORE));
}

inline void exchange(ConstBytes out, int to, Bytes in, int from, MPI_Comm comm) {
  must(MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_BYTE, to, kTag, in.data(),
                    static_cast<int>(in.size()), MPI_BYTE, from, kTag, comm, MPI_STATUS_IGNORE));
}

class Requests {
 public:
  explicit Requests(MPI_Comm comm) : comm_(comm) {}

  void send(ConstBytes data, int to) {
    must(MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_BYTE, to, kTag, comm_, &requests_.emplace_back()));
  }
  void receive(Bytes data, int from) {
    must(MPI_Irecv(data.data(), static_cast<int>(data.size()), MPI_BYTE, from, kTag, comm_, &requests_.emplace_back()));
  }
  void wait() {
    must(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
    requests_.clear();
  }

 private:
  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;
};

// A communicator as seen from one of its ranks.
struct Place {
  explicit Place(MPI_Comm of) : comm(of), rank(rank_in(of)), size(size_of(of)) {}

  // `distance` ranks on, around the end.
  int beyond(int distance) const { return ((rank + distance) % size + size) % size; }
  // Numbered from the root on.
  int relative(int root) const { return (rank - root + size) % size; }
  int absolute(int relative, int root) const { return (relative + root) % size; }

  MPI_Comm comm;
  int rank, size;
};

inline void copy(ConstBytes from, Bytes to) { std::copy(from.begin(), from.end(), to.begin()); }

// Block `index` of blocks of equal length.
template <class T>
std::span<T> block(std::span<T> all, int index, std::size_t length) {
  return all.subspan(static_cast<std::size_t>(index) * length, length);
}

// Part `index` of `parts` that differ by one element at most.
template <class T>
std::span<T> part(std::span<T> all, int index, int parts) {
  const auto border = [&](int i) { return all.size() * static_cast<std::size_t>(i) / static_cast<std::size_t>(parts); };
  return all.subspan(border(index), border(index + 1) - border(index));
}

inline void add(std::span<const double> from, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace plumbline::bench::algorithms
