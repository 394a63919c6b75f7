// Scans: coll_base_scan.c, coll_base_exscan.c, nbc_iscan.c and nbc_iexscan.c of Open MPI,
// (ex)scan_intra_recursive_doubling.c and i(ex)scan_intra_sched_recursive_doubling.c of MPICH. Inclusive and exclusive
// scans send the same messages.
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/posting.hpp"
#include "replay/collectives/schedules/rounds.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

Schedule scan_linear(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  rounds.combine(true);
  if (rank > 0) rounds.receive(rank - 1, bytes_of(call));
  if (rank + 1 < call.ranks) rounds.send(rank + 1, bytes_of(call));
  return rounds.take();
}

Schedule scan_recursive_doubling(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  rounds.combine(true);
  for (std::uint32_t mask = 1; mask < call.ranks; mask *= 2)
    if (const std::uint32_t peer = rank ^ mask; peer < call.ranks)
      rounds.exchange(peer, bytes_of(call), peer, bytes_of(call));
  return rounds.take();
}

constexpr Entry kScanEntries[] = {
    {{kOpenMpi, Operation::scan, "linear", 1}, scan_linear},
    {{kOpenMpi, Operation::scan, "recursive_doubling", 2}, scan_recursive_doubling},
    {{kOpenMpi, Operation::exscan, "linear", 1}, scan_linear},
    {{kOpenMpi, Operation::exscan, "recursive_doubling", 2}, scan_recursive_doubling},
    {{kMpich, Operation::scan, "recursive_doubling"}, scan_recursive_doubling},
    {{kMpich, Operation::exscan, "recursive_doubling"}, scan_recursive_doubling},
    {{kOpenMpi, Operation::iscan, "linear", 1}, scan_linear},
    {{kOpenMpi, Operation::iscan, "recursive_doubling", 2}, begins_later<sends_first<scan_recursive_doubling>>},
    {{kOpenMpi, Operation::iexscan, "linear", 1}, scan_linear},
    {{kOpenMpi, Operation::iexscan, "recursive_doubling", 2}, begins_later<sends_first<scan_recursive_doubling>>},
    {{kMpich, Operation::iscan, "sched_recursive_doubling"}, sends_first<scan_recursive_doubling>},
    {{kMpich, Operation::iexscan, "sched_recursive_doubling"}, sends_first<scan_recursive_doubling>},
};

}  // namespace

std::span<const Entry> scan_entries() { return kScanEntries; }

}  // namespace plumbline::replay::collectives::schedules
