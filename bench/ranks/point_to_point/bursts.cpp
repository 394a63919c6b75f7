// Many messages one behind the other.

#include <memory>

#include "base/error.hpp"
#include "bench/ranks/point_to_point/transfer.hpp"
#include "bench/ranks/runtime/catalogue.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/pairs.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench {
namespace {

// The answer says that all are there; without data.
struct Burst {
  std::unique_ptr<Sender> sender;
  std::unique_ptr<Receiver> receiver;

  int operator()(MPI_Comm comm) {
    if (sender) return first_failure({sender->send(), MPI_Recv(nullptr, 0, MPI_BYTE, 1, 1, comm, MPI_STATUS_IGNORE)});
    const int code = first_failure({receiver->receive(), receiver->prepare()});
    return first_failure({code, MPI_Send(nullptr, 0, MPI_BYTE, 0, 1, comm)});
  }
};

Burst make_burst(const Messages& messages, MPI_Comm comm) {
  Burst burst;
  if (rank_in(comm) == 0) {
    burst.sender = std::make_unique<Sender>(messages, 1, comm);
  } else {
    burst.receiver = std::make_unique<Receiver>(messages, 0, comm);
    must(burst.receiver->prepare());
  }
  return burst;
}

void measure_burst(const Context& context, const Request& request) {
  if (request.effort.timing == "acknowledged")
    throw Error(request.operation, "cannot be timed by acknowledgements", "that is for broadcasts and scatters");
  Effort effort = request.effort;
  effort.root = 0;
  const std::uint64_t number_of_them = count(request, "messages", 1);
  const auto rounds = rounds_of_pairs(request, static_cast<std::uint32_t>(size_of(context.world)));
  measure_groups(context, request, rounds, [&](MPI_Comm pair, std::uint64_t bytes, std::uint32_t at_once) {
    const Messages messages = messages_of(request, bytes, number_of_them);
    Burst burst = together(pair, [&] { return make_burst(messages, pair); });
    Cell cell = cell_of(request, bytes);
    cell.in_flight = static_cast<std::uint32_t>(number_of_them * at_once);
    return measure_cell(pair, operation_of("burst", burst), effort, std::move(cell));
  });
}

constexpr FamilyParameter kBurstParameters[] = {
    {"messages", "how many", "16"},
    kSendMode,
    kWhichRanks,
    kFreshMib,
};

constexpr Family kBurstFamilies[] = {
    {"burst", "messages one behind the other, and one empty answer when all are there", "each message", kOnlyLibrary,
     kBurstParameters, 2, measure_burst},
};

}  // namespace

std::span<const Family> burst_families() { return kBurstFamilies; }

}  // namespace plumbline::bench
