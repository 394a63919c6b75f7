// Messages between two ranks: there and back, one way, both ways at once; between three; between all at once.

#include <fmt/format.h>

#include <climits>
#include <memory>

#include "base/error.hpp"
#include "bench/ranks/catalogue.hpp"
#include "bench/ranks/operation.hpp"
#include "bench/ranks/pairs.hpp"
#include "bench/ranks/requests.hpp"
#include "bench/ranks/sizes.hpp"
#include "bench/ranks/talk.hpp"
#include "bench/ranks/transfer.hpp"

namespace plumbline::bench {
namespace {

// The first rank of a group measures: its root is the group's own.
Effort effort_in_a_group(const Request& request) {
  Effort effort = request.effort;
  if (effort.timing == "acknowledged")
    throw Error(request.operation, "cannot be timed by acknowledgements", "that is for broadcasts and scatters");
  effort.root = 0;
  return effort;
}

Cell cell_in_flight(const Request& request, std::uint64_t bytes, std::uint64_t in_flight) {
  Cell cell = cell_of(request, bytes);
  cell.in_flight = static_cast<std::uint32_t>(in_flight);
  return cell;
}

// --- There and back

struct Trip {
  std::unique_ptr<Sender> sender;
  std::unique_ptr<Receiver> receiver;
  bool begins = false;

  int operator()(MPI_Comm) {
    if (begins) {
      const int code = first_failure(receiver->prepare(), sender->send());
      return first_failure(code, receiver->receive());
    }
    // Ready for the next one before the answer allows it.
    const int code = first_failure(receiver->receive(), receiver->prepare());
    return first_failure(code, sender->send());
  }
};

Trip make_trip(const Messages& there, const Messages& back, MPI_Comm comm) {
  Trip trip;
  trip.begins = rank_in(comm) == 0;
  const int other = trip.begins ? 1 : 0;
  trip.sender = std::make_unique<Sender>(trip.begins ? there : back, other, comm);
  trip.receiver = std::make_unique<Receiver>(trip.begins ? back : there, other, comm);
  if (!trip.begins) must(trip.receiver->prepare());
  return trip;
}

void measure_round_trip(const Context& context, const Request& request) {
  const Effort effort = effort_in_a_group(request);
  const bool same_back = number(request, "back_bytes") == -1;
  const auto rounds = rounds_of_pairs(request, static_cast<std::uint32_t>(size_of(context.world)));
  measure_groups(context, request, rounds, [&](MPI_Comm pair, std::uint64_t bytes, std::uint32_t at_once) {
    const Messages there = messages_of(request, bytes, 1);
    const Messages back = messages_of(request, same_back ? bytes : count(request, "back_bytes"), 1);
    Trip trip = together(pair, [&] { return make_trip(there, back, pair); });
    return measure_cell(pair, operation_of("round_trip", trip), effort, cell_in_flight(request, bytes, at_once));
  });
}

constexpr FamilyParameter kRoundTripParameters[] = {
    kSendMode,
    {"back_bytes", "size of the answer; -1: as large as what it answers", "-1"},
    kWhichRanks,
    kFreshMib,
};

constexpr Family kFamilies[] = {
    {"round_trip", "a message there and an answer back; the time of both together", "the message there", kOnlyLibrary,
     kRoundTripParameters, 2, measure_round_trip},
};

}  // namespace

std::span<const Family> point_to_point_families() { return kFamilies; }

}  // namespace plumbline::bench
