#include "replay/collectives/schedules/algorithms.hpp"

#include "base/error.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/non_blocking.hpp"
#include "replay/collectives/schedules/tables.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

Schedule nothing(const Algorithm&, const Call&, std::uint32_t) { return {}; }

// coll/self, for communicators of one rank; non-blocking calls are libnbc's there too.
std::vector<Entry> self_entries() {
  std::vector<Entry> entries;
  for (int i = 0; i <= static_cast<int>(blocking_form(kLastOperation)); ++i)
    entries.push_back({{kOpenMpi, static_cast<Operation>(i), "self"}, nothing});
  return entries;
}

std::vector<Entry> make_catalogue() {
  std::vector<Entry> all;
  for (const std::span<const Entry> family :
       {barrier_entries(), broadcast_entries(), reduce_entries(), allreduce_entries(), gather_scatter_entries(),
        allgather_entries(), alltoall_entries(), reduce_scatter_entries(), scan_entries(), composition_entries(),
        piosimhd_entries(), libnbc_tree_entries(), libnbc_linear_entries()})
    all.insert(all.end(), family.begin(), family.end());
  const std::vector<Entry> self = self_entries();
  all.insert(all.end(), self.begin(), self.end());
  return all;
}

const std::vector<Entry>& catalogue() {
  static const std::vector<Entry> entries = make_catalogue();
  return entries;
}

const Entry& entry_of(const Algorithm& algorithm) {
  for (const Entry& entry : catalogue())
    if (entry.algorithm.library == algorithm.library && entry.algorithm.operation == algorithm.operation &&
        entry.algorithm.name == algorithm.name)
      return entry;
  throw Error(to_string(algorithm), "no such algorithm", "see algorithms_for()");
}

Schedule run_rounds(const Entry& entry, const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  Schedule schedule;
  Round round;
  for (std::uint32_t index = 0; entry.round(algorithm, call, rank, index, round); ++index) {
    if (!round.posted.empty()) schedule.push_back(std::move(round));
    round = {};
  }
  return schedule;
}

}  // namespace

// The MPI function returns before it looks for an algorithm. Alone on its communicator, a rank of MPICH hands its block
// to itself (MPIDI_Self_isend), which is no message.
bool is_empty(const Algorithm& algorithm, const Call& call) {
  if (call.ranks == 1) return true;
  if (is_non_blocking(call.operation))
    return algorithm.library == kMpich ? sched_is_empty(algorithm, call) : libnbc_is_empty(call);
  switch (call.operation) {
    case Operation::barrier:
    case Operation::gatherv:
    case Operation::scatterv:
    case Operation::alltoallv:
    case Operation::alltoallw:
      return false;
    case Operation::allgatherv:
    case Operation::reduce_scatter:
      return Blocks(call).total() == 0;
    case Operation::bcast:
    case Operation::allreduce:
      return bytes_of(call) == 0 && algorithm.library != kMpich;
    default:
      return bytes_of(call) == 0;
  }
}

std::string to_string(const Algorithm& algorithm) {
  std::string text;
  for (const std::string_view word : {algorithm.library, to_string(algorithm.operation), algorithm.name}) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  std::string parameters;
  const auto add = [&](std::uint64_t value, std::string_view name) {
    if (value == 0) return;
    parameters += parameters.empty() ? " (" : ", ";
    parameters += std::string(name) + ' ' + std::to_string(value);
  };
  add(algorithm.segment_bytes, "segment bytes");
  add(algorithm.fan_out, "fan-out");
  add(algorithm.radix, "radix");
  add(algorithm.outstanding, "at once");
  return parameters.empty() ? text : text + parameters + ')';
}

std::vector<Algorithm> algorithms_for(std::string_view library, Operation operation) {
  std::vector<Algorithm> found;
  for (const Entry& entry : catalogue())
    if (entry.algorithm.library == library && entry.algorithm.operation == operation) found.push_back(entry.algorithm);
  return found;
}

bool is_called(const Algorithm& algorithm, std::string_view name) {
  if (algorithm.name == name) return true;
  constexpr std::string_view kSched = "sched_";
  return algorithm.name.starts_with(kSched) && algorithm.name.substr(kSched.size()) == name;
}

Call call_for(const Algorithm& algorithm, const Call& call) {
  Call result = call;
  if (algorithm.operation == blocking_form(call.operation)) result.operation = algorithm.operation;
  return result;
}

Schedule schedule_of(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  const Algorithm runs = effective(algorithm, call);
  if (rank >= call.ranks)
    throw Error(to_string(algorithm), "no rank " + std::to_string(rank) + " among " + std::to_string(call.ranks));
  return is_empty(runs, call) ? Schedule{} : run(runs, call, rank);
}

Schedule run(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  const Entry& entry = entry_of(algorithm);
  return entry.round != nullptr ? run_rounds(entry, algorithm, call, rank) : entry.run(algorithm, call, rank);
}

RoundFunction rounds_of(const Algorithm& algorithm) { return entry_of(algorithm).round; }

Algorithm choice_of(std::string_view library, const Call& call) {
  if (library == kOpenMpi) return openmpi_choice(call);
  if (library == kMpich) return mpich_choice(call);
  if (library == kPiosimhd) return piosimhd_choice(call);
  throw Error(std::string(library), "no tables of this MPI library", "known: openmpi, mpich, piosimhd");
}

}  // namespace plumbline::replay::collectives::schedules
