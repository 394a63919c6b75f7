#include "bench/choose/by_ours.hpp"

#include <algorithm>
#include <climits>
#include <memory>
#include <optional>

namespace plumbline::bench::choose {
namespace {

using algorithms::Bytes;

bool is_built_in(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  must(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  return combiner == MPI_COMBINER_NAMED;
}

struct TypeSize {
  explicit TypeSize(MPI_Datatype type) {
    MPI_Count size = 0;
    MPI_Aint first = 0, distance = 0;
    must(MPI_Type_size_x(type, &size));
    must(MPI_Type_get_extent(type, &first, &distance));
    bytes = static_cast<std::size_t>(size);
    extent = distance;
  }
  std::size_t bytes = 0;
  MPI_Aint extent = 0;
};

bool lies_in_bytes(MPI_Datatype type) {
  const TypeSize size(type);
  return is_built_in(type) && static_cast<MPI_Aint>(size.bytes) == size.extent;
}

// A buffer of the program as bytes: where it lies, or a copy.
class Bytewise {
 public:
  Bytewise(const void* buffer, int blocks, int count, MPI_Datatype type)
      : buffer_(static_cast<std::byte*>(const_cast<void*>(buffer))),
        elements_(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(count)),
        type_(type),
        size_(type) {
    if (!lies_in_bytes(type)) copy_ = std::make_unique_for_overwrite<std::byte[]>(elements_ * size_.bytes);
  }

  Bytes bytes() const { return {copy_ ? copy_.get() : buffer_, elements_ * size_.bytes}; }

  void pack() const {
    in_pieces([&](std::byte* there, std::byte* here, int count, int bytes) {
      int position = 0;
      must(MPI_Pack(there, count, type_, here, bytes, &position, MPI_COMM_SELF));
    });
  }
  void unpack() const {
    in_pieces([&](std::byte* there, std::byte* here, int count, int bytes) {
      int position = 0;
      must(MPI_Unpack(here, bytes, &position, there, count, type_, MPI_COMM_SELF));
    });
  }

 private:
  // MPI counts packed bytes in int.
  template <class Act>
  void in_pieces(Act act) const {
    if (!copy_ || size_.bytes == 0) return;
    const std::size_t most = std::max<std::size_t>(INT_MAX / size_.bytes, 1);
    for (std::size_t at = 0; at < elements_; at += most) {
      const std::size_t count = std::min(most, elements_ - at);
      act(buffer_ + static_cast<MPI_Aint>(at) * size_.extent, copy_.get() + at * size_.bytes, static_cast<int>(count),
          static_cast<int>(count * size_.bytes));
    }
  }

  std::byte* buffer_;
  std::size_t elements_;
  MPI_Datatype type_;
  TypeSize size_;
  std::unique_ptr<std::byte[]> copy_;
};

// Which of its buffers the caller has, in blocks of the counts, and which of them has something in it.
struct Use {
  int send_blocks = 0, receive_blocks = 0;  // 0: not there
  bool fills_receive = false;               // before the call: bcast's root, and in place
};

Use use_of(const Arguments& a, int rank, int size) {
  const bool is_root = rank == a.root, in_place = is_in_place(a.send);
  switch (a.collective) {
    case PLUMBLINE_BCAST:
      return {0, 1, is_root};
    case PLUMBLINE_SCATTER:
      return {is_root ? size : 0, is_in_place(a.receive) ? 0 : 1};
    case PLUMBLINE_GATHER:
      return {in_place ? 0 : 1, is_root ? size : 0, in_place};
    case PLUMBLINE_ALLGATHER:
      return {in_place ? 0 : 1, size, in_place};
    case PLUMBLINE_ALLTOALL:
      return {size, size};
    case PLUMBLINE_REDUCE:
      return {in_place ? 0 : 1, is_root ? 1 : 0, in_place};
    case PLUMBLINE_ALLREDUCE:
    case PLUMBLINE_SCAN:
      return {in_place ? 0 : 1, 1, in_place};
    case PLUMBLINE_REDUCE_SCATTER_BLOCK:
      return {size, 1};
  }
  return {};
}

// The own block, or all, of the other buffer.
Bytes part_in_place(const Arguments& a, Bytes other, int rank, int size) {
  if (is_reduction(a.collective)) return other;
  const std::size_t block = other.size() / static_cast<std::size_t>(size);
  return other.subspan(static_cast<std::size_t>(rank) * block, block);
}

}  // namespace

bool can_be_ours(const Arguments& a) {
  if (is_in_place(a.send) && (a.collective == PLUMBLINE_ALLTOALL || a.collective == PLUMBLINE_REDUCE_SCATTER_BLOCK))
    return false;
  if (!is_reduction(a.collective)) return true;
  int commutes = 0;
  must(MPI_Op_commutative(a.op, &commutes));
  return commutes != 0 && lies_in_bytes(a.receive_type);
}

void call(const algorithms::Implementation& implementation, const Arguments& a, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  const Use use = use_of(a, rank, size);
  std::optional<Bytewise> send, receive;
  if (use.send_blocks > 0) {
    if (is_reduction(a.collective))
      send.emplace(a.send, use.send_blocks, a.receive_count, a.receive_type);
    else
      send.emplace(a.send, use.send_blocks, a.send_count, a.send_type);
    send->pack();
  }
  if (use.receive_blocks > 0) {
    receive.emplace(a.receive, use.receive_blocks, a.receive_count, a.receive_type);
    if (use.fills_receive) receive->pack();
  }
  algorithms::Call bytewise;
  bytewise.comm = comm;
  bytewise.root = a.root;
  bytewise.type = a.receive_type;
  bytewise.op = a.op;
  if (send) bytewise.send = send->bytes();
  if (receive) bytewise.receive = receive->bytes();
  if (is_in_place(a.send)) bytewise.send = part_in_place(a, bytewise.receive, rank, size);
  if (is_in_place(a.receive)) bytewise.receive = part_in_place(a, send->bytes(), rank, size);
  implementation.function(bytewise);
  const bool only_read = a.collective == PLUMBLINE_BCAST && rank == a.root;
  if (receive && !only_read) receive->unpack();
}

}  // namespace plumbline::bench::choose
