// What coll/libnbc of Open MPI 4.1.4 chooses: the first function of each nbc_i*.c, with coll_libnbc_*_algorithm = 0 and
// coll_libnbc_ibcast_skip_dt_decision, which are the defaults.
#include <string>

#include "base/check.hpp"
#include "base/error.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/non_blocking.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

constexpr std::uint64_t kLargeBytes = 65536;

Algorithm libnbc_named(Operation operation, std::string_view name) {
  for (const Algorithm& algorithm : algorithms_for(kOpenMpi, operation))
    if (algorithm.name == name) return algorithm;
  PLUMBLINE_CHECK(false, "no such algorithm of libnbc: " + std::string(name));
}

bool has_an_element_each(const Call& call) { return call.count >= power_of_two_below(call.ranks); }

std::string_view ireduce_name(const Call& call) {
  if (call.commutative && call.ranks > 2 && has_an_element_each(call)) return "rabenseifner";
  return call.ranks > 4 || bytes_of(call) < kLargeBytes || !call.commutative ? "binomial" : "chain";
}

std::string_view iallreduce_name(const Call& call) {
  if (call.ranks < 4 || bytes_of(call) < kLargeBytes || !call.commutative || call.in_place) return "binomial";
  return has_an_element_each(call) ? "rabenseifner" : "ring";
}

std::string_view libnbc_name(const Call& call) {
  switch (call.operation) {
    case Operation::ibarrier:
      return "dissemination";
    case Operation::ibcast:
      return call.ranks <= 4 ? "linear" : "binomial";
    case Operation::ireduce:
      return ireduce_name(call);
    case Operation::iallreduce:
      return iallreduce_name(call);
    case Operation::ialltoall:
    case Operation::ialltoallv:
    case Operation::ialltoallw:
      return call.in_place ? "inplace" : "linear";
    case Operation::ireduce_scatter:
    case Operation::ireduce_scatter_block:
      return "binomial";
    default:
      return "linear";
  }
}

bool is_total_exchange(Operation operation) {
  return operation == Operation::ialltoall || operation == Operation::ialltoallv || operation == Operation::ialltoallw;
}

}  // namespace

// Some MPI functions return early.
bool libnbc_is_empty(const Call& call) {
  switch (call.operation) {
    case Operation::ibcast:
    case Operation::ireduce:
    case Operation::iallreduce:
    case Operation::ireduce_scatter_block:
    case Operation::iscan:
      return bytes_of(call) == 0;
    case Operation::ireduce_scatter:
      return Blocks(call).total() == 0;
    default:
      return false;
  }
}

Algorithm libnbc_choice(const Call& call) { return libnbc_named(call.operation, libnbc_name(call)); }

Algorithm libnbc_effective(const Algorithm& asked, const Call& call) {
  const auto other = [&](std::string_view name) { return libnbc_named(asked.operation, name); };
  if (is_total_exchange(asked.operation) && call.in_place) return other("inplace");
  if (asked.name == "inplace") throw Error(to_string(asked), "the call is not in place", "ask for linear");
  if (asked.name == "knomial" && asked.radix < 2) return other("linear");
  if (asked.operation == Operation::iallgather && asked.name == "recursive_doubling" && !is_power_of_two(call.ranks))
    return other("linear");
  if (asked.name == "rabenseifner" && (!call.commutative || !has_an_element_each(call)))
    return other(asked.operation == Operation::ireduce ? "chain" : "ring");
  if (asked.operation == Operation::ireduce && asked.name == "rabenseifner" && call.ranks <= 2) return other("chain");
  return asked;
}

}  // namespace plumbline::replay::collectives::schedules
