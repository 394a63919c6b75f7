#include "bench/ranks/collectives/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "base/error.hpp"
#include "bench/ranks/collectives/grid.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench {
namespace {

constexpr std::uint64_t kMostDimensions = 10, kMostNeighbours = 10'000;
enum class Topology { kCartesian, kMoore, kVonNeumann, kComplete, kRing };
enum class Order { kAscending, kLastMajor, kRandom };

struct Wanted {
  Topology topology;
  Order order;
  int dimensions, finite, radius;
  bool adjacent, reorder;
};

// A family of one constructor has no parameter for it.
bool is_adjacent(const Request& request) {
  constexpr std::string_view kConstructors[] = {"adjacent", "general"};
  if (!request.words.contains(std::string(kConstructor.name))) return request.operation != "dist_graph_create";
  return choice(request, kConstructor.name, kConstructors) == 0;
}

Topology topology_of(const Request& request) {
  if (request.operation == "cart_create") return Topology::kCartesian;
  constexpr std::string_view kGraphs[] = {"moore", "von_neumann", "complete", "graph"};
  constexpr std::string_view kAll[] = {"cartesian", "moore", "von_neumann", "complete", "graph"};
  if (request.operation.starts_with("dist_graph"))
    return static_cast<Topology>(1 + choice(request, kTopology.name, kGraphs));
  return static_cast<Topology>(choice(request, kTopology.name, kAll));
}

Order order_of(const Request& request, Topology topology) {
  if (request.operation == "cart_create") return Order::kAscending;
  constexpr std::string_view kOrders[] = {"ascending", "last_major", "random"};
  const auto order = static_cast<Order>(choice(request, kNeighbourOrder.name, kOrders));
  const bool has_lists = topology != Topology::kCartesian && topology != Topology::kRing;
  if (order != Order::kAscending && !has_lists)
    throw Error(request.operation, "has 'order' of a topology whose neighbours have none",
                "that is for moore, von_neumann and complete");
  if (order == Order::kLastMajor && topology == Topology::kComplete)
    throw Error(request.operation, "has 'order' by coordinates, and all ranks have none", "ascending or random");
  return order;
}

Wanted wanted_of(const Request& request) {
  const Topology topology = topology_of(request);
  const std::uint64_t dimensions = count(request, kDimensions.name, 1), finite = count(request, kFinite.name);
  if (dimensions > kMostDimensions)
    throw Error(request.operation, fmt::format("'dimensions' is above {}", kMostDimensions));
  if (finite > dimensions)
    throw Error(request.operation, fmt::format("'finite' is {} of {} dimensions", finite, dimensions));
  std::uint64_t radius = 1;
  if (request.operation != "cart_create") radius = count(request, kRadius.name, 1);
  const bool is_shape = topology == Topology::kMoore || topology == Topology::kVonNeumann;
  if (is_shape && (radius > kMostNeighbours || count_of_moore(static_cast<int>(dimensions), static_cast<int>(radius),
                                                              kMostNeighbours) == kMostNeighbours))
    throw Error(request.operation,
                fmt::format("{} {} places or more",
                            topology == Topology::kMoore ? "the shape has" : "the shape is sought in a cube of",
                            kMostNeighbours),
                "a smaller radius, or fewer dimensions");
  return {topology,
          order_of(request, topology),
          static_cast<int>(dimensions),
          static_cast<int>(finite),
          static_cast<int>(radius),
          is_adjacent(request),
          flag(request, kReorder.name)};
}

struct Lists {
  std::vector<int> sources, destinations;
};

// The grid that others are made from: never numbered anew.
struct Grid {
  std::vector<int> lengths, periods;

  Grid(const Wanted& wanted, int ranks) : lengths(grid_lengths(ranks, wanted.dimensions)), periods(lengths.size(), 1) {
    std::fill_n(periods.begin(), wanted.finite, 0);
  }

  int create(MPI_Comm world, bool reorder, MPI_Comm* made) const {
    return MPI_Cart_create(world, static_cast<int>(lengths.size()), lengths.data(), periods.data(), reorder ? 1 : 0,
                           made);
  }
};

// Places that are not in the grid are left out.
void add_place(MPI_Comm grid, const Grid& of, const Offset& own, const Offset& offset, int sign, std::vector<int>& to) {
  Offset at = own;
  for (std::size_t i = 0; i < at.size(); ++i) {
    at[i] += sign * offset[i];
    if (of.periods[i] == 0 && (at[i] < 0 || at[i] >= of.lengths[i])) return;
  }
  int rank = 0;
  must(MPI_Cart_rank(grid, at.data(), &rank));
  to.push_back(rank);
}

// Another order on each rank, the same in each repetition of a run.
template <class Each>
void shuffle(std::vector<Each>& list, std::mt19937_64& random) {
  for (std::size_t left = list.size(); left > 1; --left) std::swap(list[left - 1], list[random() % left]);
}

Lists lists_of_shape(MPI_Comm world, const Wanted& wanted, std::mt19937_64& random) {
  const Grid grid(wanted, size_of(world));
  MPI_Comm places = MPI_COMM_NULL;
  must(grid.create(world, false, &places));
  Offset own(grid.lengths.size());
  must(MPI_Cart_coords(places, rank_in(world), wanted.dimensions, own.data()));
  const Shape shape = wanted.topology == Topology::kMoore ? Shape::kMoore : Shape::kVonNeumann;
  std::vector<Offset> offsets =
      offsets_of(shape, wanted.dimensions, wanted.radius,
                 wanted.order == Order::kLastMajor ? OffsetOrder::kLastMajor : OffsetOrder::kFirstMajor);
  if (wanted.order == Order::kRandom) shuffle(offsets, random);
  Lists lists;
  for (const Offset& offset : offsets) {
    add_place(places, grid, own, offset, 1, lists.destinations);
    add_place(places, grid, own, offset, -1, lists.sources);
  }
  MPI_Comm_free(&places);
  return lists;
}

// In random order both lists each by itself.
Lists lists_of_all(MPI_Comm world, const Wanted& wanted, std::mt19937_64& random) {
  const int size = size_of(world), rank = rank_in(world);
  Lists lists;
  for (int i = 0; i < size; ++i) {
    lists.sources.push_back((rank + i) % size);
    lists.destinations.push_back((rank - i + size) % size);
  }
  if (wanted.order == Order::kRandom) {
    shuffle(lists.sources, random);
    shuffle(lists.destinations, random);
  }
  return lists;
}

// A ring in which each rank knows the `degree` / 2 next ones on either side.
Lists lists_of_ring(MPI_Comm world, const Request& request) {
  const int size = size_of(world), rank = rank_in(world);
  const std::uint64_t degree = count(request, kDegree.name, 1);
  if (degree > kMostNeighbours) throw Error(request.operation, fmt::format("'degree' is above {}", kMostNeighbours));
  Lists lists;
  for (int i = 0; i < static_cast<int>(degree); ++i) {
    const int distance = (i / 2 + 1) % size, up = (rank + distance) % size, down = (rank - distance + size) % size;
    lists.destinations.push_back(i % 2 == 0 ? up : down);
    lists.sources.push_back(i % 2 == 0 ? down : up);
  }
  return lists;
}

Lists lists_of(const Context& context, const Request& request, const Wanted& wanted) {
  std::mt19937_64 random(context.seed + 0x9E3779B97F4A7C15ULL * static_cast<std::uint64_t>(1 + rank_in(context.world)));
  if (wanted.topology == Topology::kRing) return lists_of_ring(context.world, request);
  if (wanted.topology == Topology::kComplete) return lists_of_all(context.world, wanted, random);
  return lists_of_shape(context.world, wanted, random);
}

int create_graph(MPI_Comm world, const Lists& lists, bool adjacent, bool reorder, MPI_Comm* made) {
  const int reordering = reorder ? 1 : 0, degree = static_cast<int>(lists.destinations.size());
  if (adjacent)
    return MPI_Dist_graph_create_adjacent(world, static_cast<int>(lists.sources.size()), lists.sources.data(),
                                          MPI_UNWEIGHTED, degree, lists.destinations.data(), MPI_UNWEIGHTED,
                                          MPI_INFO_NULL, reordering, made);
  const int own = rank_in(world);
  return MPI_Dist_graph_create(world, 1, &own, &degree, lists.destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL,
                               reordering, made);
}

}  // namespace

MakeTopology plan_topology(const Context& context, const Request& request) {
  const Wanted wanted = wanted_of(request);
  const MPI_Comm world = context.world;
  if (wanted.topology == Topology::kCartesian)
    return [grid = Grid(wanted, size_of(world)), world, wanted](MPI_Comm* made) {
      return grid.create(world, wanted.reorder, made);
    };
  return [lists = lists_of(context, request, wanted), world, wanted](MPI_Comm* made) {
    return create_graph(world, lists, wanted.adjacent, wanted.reorder, made);
  };
}

Neighbourhood::Neighbourhood(const Context& context, const Request& request) {
  must(plan_topology(context, request)(&comm_));
  must(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
  int kind = MPI_UNDEFINED;
  must(MPI_Topo_test(comm_, &kind));
  if (kind == MPI_CART) {
    must(MPI_Cartdim_get(comm_, &sources_));
    sources_ *= 2;
    destinations_ = sources_;
  } else {
    int weighted = 0;
    must(MPI_Dist_graph_neighbors_count(comm_, &sources_, &destinations_, &weighted));
  }
}

Neighbourhood::~Neighbourhood() {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

}  // namespace plumbline::bench
