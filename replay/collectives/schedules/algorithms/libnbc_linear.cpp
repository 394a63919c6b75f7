// Non-blocking collectives of Open MPI in which ranks send to each other directly: nbc_iallgather(v).c,
// nbc_ialltoall(v, w).c, nbc_igather(v).c and nbc_iscatter(v).c of coll/libnbc. But for those in place everything is
// posted in the call.
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/posting.hpp"
#include "replay/collectives/schedules/rounds.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

bool igather_linear(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  if (index > 0) return false;
  if (rank != call.root) post_send(round, call.root, block_bytes(call, rank));
  for (std::uint32_t i = 0; rank == call.root && i < call.ranks; ++i)
    if (i != rank) post_receive(round, i, block_bytes(call, i));
  return true;
}

bool iscatter_linear(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  if (index > 0) return false;
  if (rank != call.root) post_receive(round, call.root, block_bytes(call, rank));
  for (std::uint32_t i = 0; rank == call.root && i < call.ranks; ++i)
    if (i != rank) post_send(round, i, block_bytes(call, i));
  return true;
}

bool blocks_with_all(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  if (index > 0) return false;
  for (std::uint32_t i = 0; i < call.ranks; ++i) {
    if (i == rank) continue;
    post_receive(round, i, bytes_of(call));
    post_send(round, i, bytes_of(call));
  }
  return true;
}

bool iallgatherv_linear(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  if (index > 0) return false;
  for (std::uint32_t distance = 1; distance < call.ranks; ++distance) {
    const std::uint32_t from = behind(rank, distance, call.ranks);
    post_receive(round, from, block_bytes(call, from));
    post_send(round, ahead(rank, distance, call.ranks), block_bytes(call, rank));
  }
  return true;
}

// With counts: empty blocks are left out.
bool ialltoallv_linear(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  if (index > 0) return false;
  for (std::uint32_t i = 0; i < call.ranks; ++i) {
    if (i == rank) continue;
    if (const std::uint64_t bytes = bytes_to(call, rank, i); bytes > 0) post_send(round, i, bytes);
    if (const std::uint64_t bytes = bytes_from(call, rank, i); bytes > 0) post_receive(round, i, bytes);
  }
  return true;
}

// What goes to the right is exchanged for what comes from the left, then the other way round, at growing distance; the
// block from the left is copied before. With counts empty blocks are left out.
Schedule ialltoall_inplace(const Algorithm&, const Call& call, std::uint32_t rank) {
  const bool skips_empty = blocking_form(call.operation) != Operation::alltoall;
  Rounds rounds;
  const auto post = [&](std::uint32_t to, std::uint32_t from) {
    const std::uint64_t sent = bytes_to(call, rank, to), received = bytes_from(call, rank, from);
    if (!skips_empty || sent > 0) rounds.post_send(to, sent);
    if (skips_empty && received == 0) return;
    rounds.post_receive(from, received);
    rounds.wait();
  };
  for (std::uint32_t distance = 1; distance < (call.ranks + 1) / 2; ++distance) {
    const std::uint32_t right = ahead(rank, distance, call.ranks), left = behind(rank, distance, call.ranks);
    if (bytes_from(call, rank, left) > 0) rounds.wait();
    post(right, left);
    post(left, right);
  }
  const std::uint32_t opposite = ahead(rank, call.ranks / 2, call.ranks);
  if (call.ranks % 2 == 0) {
    rounds.wait();
    post(opposite, opposite);
  }
  return rounds.take();
}

constexpr Entry kLibnbcLinearEntries[] = {
    {{kOpenMpi, Operation::igather, "linear"}, nullptr, igather_linear},
    {{kOpenMpi, Operation::igatherv, "linear"}, nullptr, igather_linear},
    {{kOpenMpi, Operation::iscatter, "linear"}, nullptr, iscatter_linear},
    {{kOpenMpi, Operation::iscatterv, "linear"}, nullptr, iscatter_linear},
    {{kOpenMpi, Operation::iallgather, "linear", 1}, nullptr, blocks_with_all},
    {{kOpenMpi, Operation::iallgatherv, "linear"}, nullptr, iallgatherv_linear},
    {{kOpenMpi, Operation::ialltoall, "linear"}, nullptr, blocks_with_all},
    {{kOpenMpi, Operation::ialltoall, "inplace"}, begins_later<ialltoall_inplace>},
    {{kOpenMpi, Operation::ialltoallv, "linear"}, nullptr, ialltoallv_linear},
    {{kOpenMpi, Operation::ialltoallv, "inplace"}, begins_later<ialltoall_inplace>},
    {{kOpenMpi, Operation::ialltoallw, "linear"}, nullptr, ialltoallv_linear},
    {{kOpenMpi, Operation::ialltoallw, "inplace"}, begins_later<ialltoall_inplace>},
};

}  // namespace

std::span<const Entry> libnbc_linear_entries() { return kLibnbcLinearEntries; }

}  // namespace plumbline::replay::collectives::schedules
