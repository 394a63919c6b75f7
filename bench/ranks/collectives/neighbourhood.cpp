// Neighbourhood collectives, on a grid of ranks or on a graph of them; blocking, and beside computing. What is timed is
// timed on the ranks as they were numbered before: those of the topology may have other numbers.

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "base/error.hpp"
#include "bench/ranks/collectives/neighbours.hpp"
#include "bench/ranks/runtime/catalogue.hpp"
#include "bench/ranks/runtime/memory_area.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/overlap.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"
#include "bench/ranks/runtime/sizes.hpp"

namespace plumbline::bench {
namespace {

struct NeighbourCall {
  MPI_Comm comm = MPI_COMM_NULL;
  int bytes = 0;
  std::vector<int> counts, places;  // as many as the longer one of both lists of neighbours
  std::vector<MPI_Aint> byte_places;
  std::vector<MPI_Datatype> types;
  MemoryArea send, receive;
};

using NeighbourFunction = int (*)(NeighbourCall& call, char* send, char* receive, MPI_Request* request);

int neighbour_allgather(NeighbourCall& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ineighbor_allgather(from, c.bytes, MPI_BYTE, to, c.bytes, MPI_BYTE, c.comm, r)
           : MPI_Neighbor_allgather(from, c.bytes, MPI_BYTE, to, c.bytes, MPI_BYTE, c.comm);
}

int neighbour_allgatherv(NeighbourCall& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ineighbor_allgatherv(from, c.bytes, MPI_BYTE, to, c.counts.data(), c.places.data(), MPI_BYTE, c.comm,
                                      r)
           : MPI_Neighbor_allgatherv(from, c.bytes, MPI_BYTE, to, c.counts.data(), c.places.data(), MPI_BYTE, c.comm);
}

int neighbour_alltoall(NeighbourCall& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ineighbor_alltoall(from, c.bytes, MPI_BYTE, to, c.bytes, MPI_BYTE, c.comm, r)
           : MPI_Neighbor_alltoall(from, c.bytes, MPI_BYTE, to, c.bytes, MPI_BYTE, c.comm);
}

int neighbour_alltoallv(NeighbourCall& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ineighbor_alltoallv(from, c.counts.data(), c.places.data(), MPI_BYTE, to, c.counts.data(),
                                     c.places.data(), MPI_BYTE, c.comm, r)
           : MPI_Neighbor_alltoallv(from, c.counts.data(), c.places.data(), MPI_BYTE, to, c.counts.data(),
                                    c.places.data(), MPI_BYTE, c.comm);
}

int neighbour_alltoallw(NeighbourCall& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ineighbor_alltoallw(from, c.counts.data(), c.byte_places.data(), c.types.data(), to, c.counts.data(),
                                     c.byte_places.data(), c.types.data(), c.comm, r)
           : MPI_Neighbor_alltoallw(from, c.counts.data(), c.byte_places.data(), c.types.data(), to, c.counts.data(),
                                    c.byte_places.data(), c.types.data(), c.comm);
}

struct NeighbourKind {
  std::string_view name;
  NeighbourFunction function;
  bool sends_one;  // the same to all
};

constexpr NeighbourKind kKinds[] = {{"neighbor_allgather", neighbour_allgather, true},
                                    {"neighbor_allgatherv", neighbour_allgatherv, true},
                                    {"neighbor_alltoall", neighbour_alltoall, false},
                                    {"neighbor_alltoallv", neighbour_alltoallv, false},
                                    {"neighbor_alltoallw", neighbour_alltoallw, false}};

const NeighbourKind& kind_of_neighbours(std::string_view name) {
  return *std::ranges::find(kKinds, name, &NeighbourKind::name);
}

NeighbourCall make_call(const NeighbourKind& kind, const Request& request, std::uint64_t bytes,
                        const Neighbourhood& near) {
  const auto sources = static_cast<std::uint64_t>(near.sources()),
             destinations = static_cast<std::uint64_t>(near.destinations()), longer = std::max(sources, destinations);
  if (bytes * longer > INT_MAX || bytes > INT_MAX)
    throw Error(request.operation, fmt::format("{} bytes are more than MPI counts here", bytes),
                "measure smaller sizes");
  const std::uint64_t fresh = count(request, kFreshMib.name);
  NeighbourCall call;
  call.comm = near.comm();
  call.bytes = static_cast<int>(bytes);
  call.counts.assign(longer, call.bytes);
  call.types.assign(longer, MPI_BYTE);
  for (int i = 0; i < static_cast<int>(longer); ++i) {
    call.places.push_back(i * call.bytes);
    call.byte_places.push_back(i * MPI_Aint{call.bytes});
  }
  call.send = MemoryArea(kind.sends_one ? bytes : bytes * destinations, fresh);
  call.receive = MemoryArea(bytes * sources, fresh);
  return call;
}

void measure_blocking(const Context& context, const Request& request) {
  if (request.effort.timing == "acknowledged")
    throw Error(request.operation, "cannot be timed by acknowledgements", "that is for broadcasts and scatters");
  const NeighbourKind& kind = kind_of_neighbours(request.operation);
  const Neighbourhood near(context, request);
  for_each_size(context, request, [&](std::uint64_t bytes) {
    NeighbourCall call = together(context.world, [&] { return make_call(kind, request, bytes, near); });
    auto body = [&](MPI_Comm) { return kind.function(call, call.send.next(), call.receive.next(), nullptr); };
    const Cell cell =
        measure_cell(context.world, operation_of(kind.name.data(), body), request.effort, cell_of(request, bytes));
    context.give(cell);
    return median_time(cell);
  });
}

void measure_beside_computing(const Context& context, const Request& request) {
  const NeighbourKind& kind = kind_of_neighbours(std::string_view(request.operation).substr(1));
  const Neighbourhood near(context, request);
  for_each_size(context, request, [&](std::uint64_t bytes) {
    NeighbourCall call = together(context.world, [&] { return make_call(kind, request, bytes, near); });
    return measure_overlap(context, context.world, request, cell_of(request, bytes), [&](MPI_Request* handle) {
      return kind.function(call, call.send.next(), call.receive.next(), handle);
    });
  });
}

constexpr FamilyParameter kNeighbourParameters[] = {kTopology,    kDimensions, kFinite, kRadius,  kNeighbourOrder,
                                                    kConstructor, kReorder,    kDegree, kFreshMib};
constexpr FamilyParameter kParametersBeside[] = {kTopology,       kDimensions,  kFinite,  kRadius,
                                                 kNeighbourOrder, kConstructor, kReorder, kDegree,
                                                 kFreshMib,       kTests,       kCompute};

constexpr std::string_view kSame = "each rank has one block for all of its neighbours",
                           kEach = "each rank has a block for each of its neighbours",
                           kBeside = "one that does not block: alone, beside computing, and computing alone",
                           kBlock = "one block";

constexpr Family blocking(std::string_view name, std::string_view summary) {
  return {name, summary, kBlock, kOnlyLibrary, kNeighbourParameters, 1, measure_blocking};
}

constexpr Family beside_computing(std::string_view name) {
  return {name, kBeside, kBlock, kOnlyLibrary, kParametersBeside, 1, measure_beside_computing, kPhasesOfOverlap};
}

constexpr Family kNeighbourFamilies[] = {
    blocking("neighbor_allgather", kSame),    blocking("neighbor_allgatherv", kSame),
    blocking("neighbor_alltoall", kEach),     blocking("neighbor_alltoallv", kEach),
    blocking("neighbor_alltoallw", kEach),    beside_computing("ineighbor_allgather"),
    beside_computing("ineighbor_allgatherv"), beside_computing("ineighbor_alltoall"),
    beside_computing("ineighbor_alltoallv"),  beside_computing("ineighbor_alltoallw"),
};

}  // namespace

std::span<const Family> neighbourhood_families() { return kNeighbourFamilies; }

}  // namespace plumbline::bench
