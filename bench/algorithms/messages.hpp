#pragma once
// What the algorithms are made of.

#include <algorithm>
#include <memory>
#include <vector>

#include "bench/algorithms/algorithms.hpp"

namespace plumbline::bench::algorithms {

inline constexpr int kTag = 4;

// Memory for a while; not cleared.
class Buffer {
 public:
  explicit Buffer(std::size_t size) : data_(std::make_unique_for_overwrite<std::byte[]>(size)), size_(size) {}
  operator Bytes() const { return {data_.get(), size_}; }
  operator ConstBytes() const { return {data_.get(), size_}; }
  friend void swap(Buffer& a, Buffer& b) {
    std::swap(a.data_, b.data_);
    std::swap(a.size_, b.size_);
  }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::size_t size_;
};

// A communicator as seen from one of its ranks. Both ends of a message know how long it is. Nothing is a message too.
class Place {
 public:
  explicit Place(const Call& call)
      : rank(rank_in(call.comm)), size(size_of(call.comm)), comm_(call.comm), largest_(call.largest_message) {}

  // `distance` ranks on, around the end.
  int beyond(int distance) const { return ((rank + distance) % size + size) % size; }
  // Numbered from the root on.
  int relative(int root) const { return (rank - root + size) % size; }
  int absolute(int relative, int root) const { return (relative + root) % size; }

  void send(ConstBytes data, int to) const {
    in_pieces(data,
              [&](ConstBytes piece, int count) { must(MPI_Send(piece.data(), count, MPI_BYTE, to, kTag, comm_)); });
  }
  void receive(Bytes data, int from) const {
    in_pieces(data, [&](Bytes piece, int count) {
      must(MPI_Recv(piece.data(), count, MPI_BYTE, from, kTag, comm_, MPI_STATUS_IGNORE));
    });
  }
  void exchange(ConstBytes out, int to, Bytes in, int from) const;

  const int rank, size;

 private:
  friend class Requests;
  template <class Span, class Act>
  void in_pieces(Span data, Act act) const {
    std::size_t at = 0;
    do {
      const Span piece = data.subspan(at, std::min(largest_, data.size() - at));
      act(piece, static_cast<int>(piece.size()));
      at += piece.size();
    } while (at < data.size());
  }

  MPI_Comm comm_;
  std::size_t largest_;
};

class Requests {
 public:
  explicit Requests(const Place& here) : here_(here) {}

  void send(ConstBytes data, int to) {
    here_.in_pieces(data, [&](ConstBytes piece, int count) {
      must(MPI_Isend(piece.data(), count, MPI_BYTE, to, kTag, here_.comm_, &requests_.emplace_back(MPI_REQUEST_NULL)));
    });
  }
  void receive(Bytes data, int from) {
    here_.in_pieces(data, [&](Bytes piece, int count) {
      must(
          MPI_Irecv(piece.data(), count, MPI_BYTE, from, kTag, here_.comm_, &requests_.emplace_back(MPI_REQUEST_NULL)));
    });
  }
  void wait() {
    must(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
    requests_.clear();
  }

 private:
  const Place& here_;
  std::vector<MPI_Request> requests_;
};

inline void Place::exchange(ConstBytes out, int to, Bytes in, int from) const {
  if (std::max(out.size(), in.size()) <= largest_) {
    must(MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_BYTE, to, kTag, in.data(),
                      static_cast<int>(in.size()), MPI_BYTE, from, kTag, comm_, MPI_STATUS_IGNORE));
    return;
  }
  Requests requests(*this);
  requests.receive(in, from);
  requests.send(out, to);
  requests.wait();
}

// Not where they are the same.
inline void copy(ConstBytes from, Bytes to) {
  if (from.data() != to.data()) std::copy(from.begin(), from.end(), to.begin());
}

// Block `index` of blocks of equal length; `count` of them.
template <class T>
std::span<T> block(std::span<T> all, int index, std::size_t length, int count = 1) {
  return all.subspan(static_cast<std::size_t>(index) * length, static_cast<std::size_t>(count) * length);
}

// Parts `first` to `behind`, without that one, of `parts` that differ by one element at most.
template <class T>
std::span<T> parts_of(std::span<T> all, std::size_t element, int first, int behind, int parts) {
  const std::size_t elements = all.size() / element;
  const auto border = [&](int i) {
    return elements / static_cast<std::size_t>(parts) * static_cast<std::size_t>(i) +
           elements % static_cast<std::size_t>(parts) * static_cast<std::size_t>(i) / static_cast<std::size_t>(parts);
  };
  return all.subspan(border(first) * element, (border(behind) - border(first)) * element);
}

// Of a binomial tree over relative ranks: whose blocks pass through a rank, itself first.
struct Subtree {
  Subtree(int own, int size) {
    while (mask < size && (own & mask) == 0) mask *= 2;
    blocks = std::min(mask, size - own);
  }
  int mask = 1;  // distance to the parent; of the root, to beyond the end
  int blocks = 0;
};

}  // namespace plumbline::bench::algorithms
