// What a collective costs the replay: messages per second and memory of some algorithms, and the search for the
// fastest.
//
// usage: collectives_bench [RANKS BYTES]     defaults 256 1024: BYTES of a block, or of the buffer
//
// One rank per node, on the star of replay_bench.hpp.

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/engine/collective_choice.hpp"
#include "replay/mpi/best_schedule.hpp"
#include "replay_bench.hpp"

namespace {

using namespace plumbline;
using namespace plumbline::replay;
namespace schedules = collectives::schedules;
using Kind = schedules::Operation;

double resident_mib() {
  std::ifstream status("/proc/self/statm");
  double pages = 0, resident = 0;
  status >> pages >> resident;
  return resident * 4096 / (1 << 20);
}

struct Ranks {
  std::vector<std::uint32_t> members, nodes;
  std::vector<collectives::Shape> shapes;
};

// All ranks see the same call; kind and amounts matter to the stand-in only.
Ranks ranks_of(const schedules::Call& call, Collective kind) {
  Ranks ranks;
  for (std::uint32_t rank = 0; rank < call.ranks; ++rank) {
    ranks.members.push_back(rank);
    ranks.nodes.push_back(rank);
    collectives::Shape shape;
    shape.kind = kind;
    shape.size = call.ranks;
    shape.rank = rank;
    shape.root = call.root;
    shape.sent = shape.received = call.count * call.type_bytes;
    ranks.shapes.push_back(shape);
  }
  return ranks;
}

std::uint64_t messages_of(const schedules::Algorithm& algorithm, const schedules::Call& call) {
  std::uint64_t messages = 0;
  for (std::uint32_t rank = 0; rank < call.ranks; ++rank)
    for (const schedules::Round& round : schedules::schedule_of(algorithm, call, rank))
      for (const schedules::Transfer& transfer : round.posted) messages += transfer.send ? 1 : 0;
  return messages;
}

void measure(const schedules::Call& call, std::string_view name) {
  const schedules::Algorithm algorithm = *algorithm_named(call.operation, name, schedules::kOpenMpi);
  const std::uint64_t messages = messages_of(algorithm, call);
  const Ranks ranks = ranks_of(call, Collective::kBarrier);
  BestSchedules alone(perf::star(call.ranks), ranks.nodes);
  const double memory = resident_mib(), begin = perf::cpu_seconds();
  const Duration time = alone.time_alone({&call, ranks.members, ranks.shapes}, algorithm);
  const double seconds = perf::cpu_seconds() - begin;
  fmt::print("{:<10} {:<20} {:>9} messages {:>7.3f} CPU s {:>6.2f} M messages/s {:>7.1f} MiB  simulated {:.3f} ms\n",
             to_string(call.operation), name, messages, seconds, static_cast<double>(messages) / seconds * 1e-6,
             resident_mib() - memory, time.seconds() * 1e3);
}

void search(const schedules::Call& call, Collective kind) {
  const Ranks ranks = ranks_of(call, kind);
  BestSchedules all(perf::star(call.ranks), ranks.nodes);
  const double begin = perf::cpu_seconds();
  const auto best = all.best({&call, ranks.members, ranks.shapes}, std::nullopt);
  const double seconds = perf::cpu_seconds() - begin;
  fmt::print("{:<10} fastest of {:>2}, {} left out: {:<40} {:>8} packets {:>7.3f} CPU s\n", to_string(call.operation),
             all.tried(), all.left_out(), best ? to_string(*best) : "the stand-in", all.packets(), seconds);
}

}  // namespace

int main(int argc, char** argv) {
  schedules::Call call;
  call.ranks = argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 256;
  call.count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1024;
  const std::pair<Kind, std::string_view> measured[] = {{Kind::alltoall, "linear"},
                                                        {Kind::alltoall, "pairwise"},
                                                        {Kind::allgather, "ring"},
                                                        {Kind::allreduce, "recursive_doubling"},
                                                        {Kind::bcast, "binomial"}};
  for (const auto& [operation, name] : measured) {
    call.operation = operation;
    measure(call, name);
  }
  const std::pair<Kind, Collective> searched[] = {{Kind::barrier, Collective::kBarrier},
                                                  {Kind::bcast, Collective::kBcast},
                                                  {Kind::allreduce, Collective::kAllreduce},
                                                  {Kind::reduce, Collective::kReduce}};
  for (const auto& [operation, kind] : searched) {
    call.operation = operation;
    search(call, kind);
  }
}
