// Messages between two ranks: there and back, one way, both ways at once; between three; between all at once.

#include <fmt/format.h>

#include <climits>
#include <memory>

#include "base/error.hpp"
#include "bench/ranks/point_to_point/transfer.hpp"
#include "bench/ranks/runtime/catalogue.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/pairs.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"
#include "bench/ranks/runtime/sizes.hpp"

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
      const int code = first_failure({receiver->prepare(), sender->send()});
      return first_failure({code, receiver->receive()});
    }
    // Ready for the next one before the answer allows it.
    const int code = first_failure({receiver->receive(), receiver->prepare()});
    return first_failure({code, sender->send()});
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

// --- One way

struct OneWay {
  std::unique_ptr<Sender> sender;
  std::unique_ptr<Receiver> receiver;

  int operator()(MPI_Comm) {
    if (sender) return sender->send();
    return first_failure({receiver->receive(), receiver->prepare()});
  }
};

OneWay make_one_way(const Messages& messages, MPI_Comm comm) {
  OneWay way;
  if (rank_in(comm) == 0) {
    way.sender = std::make_unique<Sender>(messages, 1, comm);
  } else {
    way.receiver = std::make_unique<Receiver>(messages, 0, comm);
    must(way.receiver->prepare());
  }
  return way;
}

// Only a shared clock sees one way, and only where both begin at one time the first begin is the sender's.
Effort effort_of_one_way(const Request& request) {
  Effort effort = effort_in_a_group(request);
  effort.timing = "global";
  if (effort.isolation != "window") effort.isolation = "round time";
  if (effort.isolation == "window" && send_mode(request) == SendMode::kReady)
    throw Error(request.operation, "cannot be measured in windows with Rsend",
                "nothing there tells the sender that the receiver is ready: choose the isolation \"round time\"");
  return effort;
}

void measure_one_way(const Context& context, const Request& request) {
  const Effort effort = effort_of_one_way(request);
  const auto rounds = rounds_of_pairs(request, static_cast<std::uint32_t>(size_of(context.world)));
  measure_groups(context, request, rounds, [&](MPI_Comm pair, std::uint64_t bytes, std::uint32_t at_once) {
    const Messages messages = messages_of(request, bytes, 1);
    OneWay way = together(pair, [&] { return make_one_way(messages, pair); });
    return measure_cell(pair, operation_of("one_way", way), effort, cell_in_flight(request, bytes, at_once));
  });
}

// --- Both ways at once

struct Exchange {
  MemoryArea out, in;
  int bytes = 0, partner = 0;

  int operator()(MPI_Comm comm) {
    return MPI_Sendrecv(out.next(), bytes, MPI_BYTE, partner, 0, in.next(), bytes, MPI_BYTE, partner, 0, comm,
                        MPI_STATUS_IGNORE);
  }
};

// Ranks 0 and 1, 2 and 3, and so on.
Exchange make_exchange(const Request& request, std::uint64_t bytes, MPI_Comm comm) {
  if (bytes > INT_MAX) throw Error(request.operation, "a message cannot be larger than 2^31 - 1 bytes");
  const std::uint64_t fresh = count(request, kFreshMib.name);
  return {MemoryArea(bytes, fresh), MemoryArea(bytes, fresh), static_cast<int>(bytes), rank_in(comm) ^ 1};
}

Cell measure_exchange_of(MPI_Comm comm, const Request& request, Cell cell) {
  Exchange exchange = together(comm, [&] { return make_exchange(request, cell.bytes, comm); });
  return measure_cell(comm, operation_of("exchange", exchange), effort_in_a_group(request), std::move(cell));
}

void measure_exchange(const Context& context, const Request& request) {
  const auto rounds = rounds_of_pairs(request, static_cast<std::uint32_t>(size_of(context.world)));
  measure_groups(context, request, rounds, [&](MPI_Comm pair, std::uint64_t bytes, std::uint32_t at_once) {
    return measure_exchange_of(pair, request, cell_in_flight(request, bytes, 2ULL * at_once));
  });
}

// All ranks in pairs at random, all at once: what the network is worth where nobody chose who is near to whom
// (effective bisection bandwidth: Hoefler, Schneider, Lumsdaine, "Multistage Switches are not Crossbars", CLUSTER
// 2008).
void measure_bisection(const Context& context, const Request& request) {
  const auto ranks = static_cast<std::uint32_t>(size_of(context.world));
  const std::uint64_t matchings = count(request, "matchings", 1);
  for (std::uint64_t i = 0; i < matchings; ++i) {
    Group order;
    for (const Group& pair : random_matching(ranks, context.seed ^ (0x9e3779b97f4a7c15 * (i + 1))))
      order.insert(order.end(), pair.begin(), pair.end());
    measure_groups(context, request, {{order}}, [&](MPI_Comm all, std::uint64_t bytes, std::uint32_t) {
      Cell cell = cell_in_flight(request, bytes, order.size());
      cell.numbers["matching"] = static_cast<double>(i);
      return measure_exchange_of(all, request, std::move(cell));
    });
  }
}

// --- One to two

// The first rank sends to both others, and has an answer without data from both.
struct ToTwo {
  MemoryArea area;
  int bytes = 0;
  bool sends = false, at_once = false;

  int operator()(MPI_Comm comm) {
    if (!sends) {
      const int code = MPI_Recv(area.next(), bytes, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE);
      return first_failure({code, MPI_Send(nullptr, 0, MPI_BYTE, 0, 0, comm)});
    }
    int code = MPI_SUCCESS;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    const char* data = area.next();
    for (int to = 1; to <= 2; ++to)
      code = first_failure({code, at_once ? MPI_Isend(data, bytes, MPI_BYTE, to, 0, comm, &requests[to - 1])
                                          : MPI_Send(data, bytes, MPI_BYTE, to, 0, comm)});
    code = first_failure({code, MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)});
    for (int from = 1; from <= 2; ++from)
      code = first_failure({code, MPI_Recv(nullptr, 0, MPI_BYTE, from, 0, comm, MPI_STATUS_IGNORE)});
    return code;
  }
};

ToTwo make_to_two(const Request& request, std::uint64_t bytes, MPI_Comm comm) {
  constexpr std::string_view kModes[] = {"Send", "Isend"};
  if (bytes > INT_MAX) throw Error(request.operation, "a message cannot be larger than 2^31 - 1 bytes");
  return {MemoryArea(bytes, count(request, kFreshMib.name)), static_cast<int>(bytes), rank_in(comm) == 0,
          choice(request, "send", kModes) == 1};
}

void measure_point_to_two(const Context& context, const Request& request) {
  const Effort effort = effort_in_a_group(request);
  const auto rounds = rounds_of_triplets(request, static_cast<std::uint32_t>(size_of(context.world)));
  measure_groups(context, request, rounds, [&](MPI_Comm three, std::uint64_t bytes, std::uint32_t at_once) {
    ToTwo to_two = together(three, [&] { return make_to_two(request, bytes, three); });
    return measure_cell(three, operation_of("point_to_two", to_two), effort,
                        cell_in_flight(request, bytes, 2ULL * at_once));
  });
}

constexpr FamilyParameter kRoundTripParameters[] = {
    kSendMode,
    {"back_bytes", "size of the answer; -1: as large as what it answers", "-1"},
    kWhichRanks,
    kFreshMib,
};
constexpr FamilyParameter kOneWayParameters[] = {kSendMode, kWhichRanks, kFreshMib};
constexpr FamilyParameter kExchangeParameters[] = {kWhichRanks, kFreshMib};
constexpr FamilyParameter kToTwoParameters[] = {
    {"send", "Send, one behind the other, or Isend, both at once", "Send", true},
    kWhichRanks,
    kFreshMib,
};
constexpr FamilyParameter kBisectionParameters[] = {
    {"matchings", "how often the ranks are paired anew, by the seed of the run; a cell each", "1"},
    kFreshMib,
};

constexpr Family kPointToPointFamilies[] = {
    {"round_trip", "a message there and an answer back; the time of both together", "the message there", kOnlyLibrary,
     kRoundTripParameters, 2, measure_round_trip},
    {"one_way", "a message, from the begin of sending to the end of receiving; always by the shared clock",
     "the message", kOnlyLibrary, kOneWayParameters, 2, measure_one_way},
    {"exchange", "both ranks send to each other at once (MPI_Sendrecv)", "each of the two messages", kOnlyLibrary,
     kExchangeParameters, 2, measure_exchange},
    {"point_to_two", "one rank sends to two others, and has an empty answer from both", "each of the two messages",
     kOnlyLibrary, kToTwoParameters, 3, measure_point_to_two},
    {"bisection", "all ranks in pairs at random send to each other at once; \"ranks\" of a cell are the pairs in turn",
     "each message", kOnlyLibrary, kBisectionParameters, 2, measure_bisection},
};

}  // namespace

std::span<const Family> point_to_point_families() { return kPointToPointFamilies; }

}  // namespace plumbline::bench
