// Neighbourhood collectives, on a grid of ranks or on a graph of them; blocking, and beside computing.

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "base/error.hpp"
#include "bench/ranks/catalogue.hpp"
#include "bench/ranks/memory_area.hpp"
#include "bench/ranks/operation.hpp"
#include "bench/ranks/overlap.hpp"
#include "bench/ranks/requests.hpp"
#include "bench/ranks/sizes.hpp"
#include "bench/ranks/talk.hpp"

namespace plumbline::bench {
namespace {

// A communicator with neighbours, which has as many to send to as to receive from.
class Neighbourhood {
 public:
  Neighbourhood(const Context& context, const Request& request) {
    constexpr std::string_view kTopologies[] = {"cartesian", "graph", "complete"};
    switch (choice(request, "topology", kTopologies)) {
      case 0:
        make_grid(context.world, request);
        break;
      case 1:
        make_graph(context.world, ring_of(context.world, request));
        break;
      default:
        make_graph(context.world, everybody_of(context.world));
    }
    must(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
  }
  ~Neighbourhood() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  Neighbourhood(const Neighbourhood&) = delete;
  Neighbourhood& operator=(const Neighbourhood&) = delete;

  MPI_Comm comm() const { return comm_; }
  int neighbours() const { return neighbours_; }

 private:
  // As near to a cube as the ranks can be (MPI_Dims_create); its ends meet.
  void make_grid(MPI_Comm world, const Request& request) {
    const int dimensions = static_cast<int>(std::min<std::uint64_t>(count(request, "dimensions", 1), 10));
    std::vector<int> lengths(static_cast<std::size_t>(dimensions)), periods(lengths.size(), 1);
    must(MPI_Dims_create(size_of(world), dimensions, lengths.data()));
    must(MPI_Cart_create(world, dimensions, lengths.data(), periods.data(), 0, &comm_));
    neighbours_ = 2 * dimensions;
  }

  // A ring in which each rank knows the `degree` / 2 next ones on either side.
  static std::vector<int> ring_of(MPI_Comm world, const Request& request) {
    const int size = size_of(world), rank = rank_in(world);
    const std::uint64_t degree = count(request, "degree", 1);
    if (degree > 10'000) throw Error(request.operation, "'degree' is above 10000");
    std::vector<int> others;
    for (int i = 0; i < static_cast<int>(degree); ++i) {
      const int distance = (i / 2 + 1) % size;
      others.push_back(((i % 2 == 0 ? rank + distance : rank - distance) + size) % size);
    }
    return others;
  }

  // All ranks, from one's own on: what a collective of all does.
  static std::vector<int> everybody_of(MPI_Comm world) {
    std::vector<int> others;
    const int size = size_of(world), rank = rank_in(world);
    for (int i = 0; i < size; ++i) others.push_back((rank + i) % size);
    return others;
  }

  void make_graph(MPI_Comm world, const std::vector<int>& others) {
    const int size = size_of(world), rank = rank_in(world);
    // Whoever one receives from sends here: the other way round the ring.
    std::vector<int> sources;
    for (const int to : others) sources.push_back((2 * rank - to + 2 * size) % size);
    neighbours_ = static_cast<int>(others.size());
    must(MPI_Dist_graph_create_adjacent(world, neighbours_, sources.data(), MPI_UNWEIGHTED, neighbours_, others.data(),
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm_));
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int neighbours_ = 0;
};

struct NeighbourCall {
  MPI_Comm comm = MPI_COMM_NULL;
  int bytes = 0;
  std::vector<int> counts, places;
  std::vector<MPI_Aint> byte_places;
  std::vector<MPI_Datatype> types;
  MemoryArea send, receive;
};

using Call = NeighbourCall;
using NeighbourFunction = int (*)(Call& call, char* send, char* receive, MPI_Request* request);

int allgather(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ineighbor_allgather(from, c.bytes, MPI_BYTE, to, c.bytes, MPI_BYTE, c.comm, r)
           : MPI_Neighbor_allgather(from, c.bytes, MPI_BYTE, to, c.bytes, MPI_BYTE, c.comm);
}

int allgatherv(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ineighbor_allgatherv(from, c.bytes, MPI_BYTE, to, c.counts.data(), c.places.data(), MPI_BYTE, c.comm,
                                      r)
           : MPI_Neighbor_allgatherv(from, c.bytes, MPI_BYTE, to, c.counts.data(), c.places.data(), MPI_BYTE, c.comm);
}

int alltoall(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ineighbor_alltoall(from, c.bytes, MPI_BYTE, to, c.bytes, MPI_BYTE, c.comm, r)
           : MPI_Neighbor_alltoall(from, c.bytes, MPI_BYTE, to, c.bytes, MPI_BYTE, c.comm);
}

int alltoallv(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ineighbor_alltoallv(from, c.counts.data(), c.places.data(), MPI_BYTE, to, c.counts.data(),
                                     c.places.data(), MPI_BYTE, c.comm, r)
           : MPI_Neighbor_alltoallv(from, c.counts.data(), c.places.data(), MPI_BYTE, to, c.counts.data(),
                                    c.places.data(), MPI_BYTE, c.comm);
}

int alltoallw(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ineighbor_alltoallw(from, c.counts.data(), c.byte_places.data(), c.types.data(), to, c.counts.data(),
                                     c.byte_places.data(), c.types.data(), c.comm, r)
           : MPI_Neighbor_alltoallw(from, c.counts.data(), c.byte_places.data(), c.types.data(), to, c.counts.data(),
                                    c.byte_places.data(), c.types.data(), c.comm);
}

struct Kind {
  std::string_view name;
  NeighbourFunction function;
  bool sends_one;  // the same to all
};

constexpr Kind kKinds[] = {{"neighbor_allgather", allgather, true},
                           {"neighbor_allgatherv", allgatherv, true},
                           {"neighbor_alltoall", alltoall, false},
                           {"neighbor_alltoallv", alltoallv, false},
                           {"neighbor_alltoallw", alltoallw, false}};

const Kind& kind_of(std::string_view name) { return *std::ranges::find(kKinds, name, &Kind::name); }

NeighbourCall make_call(const Kind& kind, const Request& request, std::uint64_t bytes, const Neighbourhood& near) {
  const auto neighbours = static_cast<std::uint64_t>(near.neighbours());
  if (bytes * neighbours > INT_MAX || bytes > INT_MAX)
    throw Error(request.operation, fmt::format("{} bytes are more than MPI counts here", bytes),
                "measure smaller sizes");
  const std::uint64_t fresh = count(request, kFreshMib.name);
  Call call;
  call.comm = near.comm();
  call.bytes = static_cast<int>(bytes);
  call.counts.assign(neighbours, call.bytes);
  call.types.assign(neighbours, MPI_BYTE);
  for (int i = 0; i < near.neighbours(); ++i) {
    call.places.push_back(i * call.bytes);
    call.byte_places.push_back(i * MPI_Aint{call.bytes});
  }
  call.send = MemoryArea(kind.sends_one ? bytes : bytes * neighbours, fresh);
  call.receive = MemoryArea(bytes * neighbours, fresh);
  return call;
}

void measure_blocking(const Context& context, const Request& request) {
  if (request.effort.timing == "acknowledged")
    throw Error(request.operation, "cannot be timed by acknowledgements", "that is for broadcasts and scatters");
  const Kind& kind = kind_of(request.operation);
  const Neighbourhood near(context, request);
  for_each_size(context, request, [&](std::uint64_t bytes) {
    Call call = together(context.world, [&] { return make_call(kind, request, bytes, near); });
    auto body = [&](MPI_Comm) { return kind.function(call, call.send.next(), call.receive.next(), nullptr); };
    const Cell cell =
        measure_cell(near.comm(), operation_of(kind.name.data(), body), request.effort, cell_of(request, bytes));
    context.give(cell);
    return median_time(cell);
  });
}

void measure_beside_computing(const Context& context, const Request& request) {
  const Kind& kind = kind_of(std::string_view(request.operation).substr(1));
  const Neighbourhood near(context, request);
  for_each_size(context, request, [&](std::uint64_t bytes) {
    Call call = together(context.world, [&] { return make_call(kind, request, bytes, near); });
    return measure_overlap(context, near.comm(), request, cell_of(request, bytes), [&](MPI_Request* handle) {
      return kind.function(call, call.send.next(), call.receive.next(), handle);
    });
  });
}

constexpr FamilyParameter kTopology = {
    "topology",
    "cartesian: a grid whose ends meet; graph: a ring with neighbours at a distance too; complete: a graph "
    "in which all ranks are neighbours, each of itself too",
    "cartesian", true};
constexpr FamilyParameter kDimensions = {"dimensions", "of the grid", "2"};
constexpr FamilyParameter kDegree = {"degree", "neighbours in the graph", "2"};
constexpr FamilyParameter kParameters[] = {kTopology, kDimensions, kDegree, kFreshMib};
constexpr FamilyParameter kParametersBeside[] = {kTopology, kDimensions, kDegree, kFreshMib, kTests, kCompute};

constexpr std::string_view kSame = "each rank has one block for all of its neighbours",
                           kEach = "each rank has a block for each of its neighbours",
                           kBeside = "one that does not block: alone, beside computing, and computing alone",
                           kBlock = "one block";

constexpr Family blocking(std::string_view name, std::string_view summary) {
  return {name, summary, kBlock, kOnlyLibrary, kParameters, 1, measure_blocking};
}

constexpr Family beside_computing(std::string_view name) {
  return {name, kBeside, kBlock, kOnlyLibrary, kParametersBeside, 1, measure_beside_computing};
}

constexpr Family kFamilies[] = {
    blocking("neighbor_allgather", kSame),    blocking("neighbor_allgatherv", kSame),
    blocking("neighbor_alltoall", kEach),     blocking("neighbor_alltoallv", kEach),
    blocking("neighbor_alltoallw", kEach),    beside_computing("ineighbor_allgather"),
    beside_computing("ineighbor_allgatherv"), beside_computing("ineighbor_alltoall"),
    beside_computing("ineighbor_alltoallv"),  beside_computing("ineighbor_alltoallw"),
};

}  // namespace

std::span<const Family> neighbourhood_families() { return kFamilies; }

}  // namespace plumbline::bench
