// How long it takes to make a communicator of ranks that have neighbours.

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "bench/ranks/collectives/neighbours.hpp"
#include "bench/ranks/runtime/catalogue.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench {
namespace {

// Freeing what was made is no part of a repetition, and a library has not contexts for all repetitions at once (MPICH:
// 2048). So every 64th repetition frees those before it, in its own time: it is among the longest, and in no median.
constexpr std::size_t kMostAlive = 64;

class Creation {
 public:
  explicit Creation(MakeTopology make) : make_(std::move(make)) {}
  ~Creation() { free_all(); }
  Creation(const Creation&) = delete;
  Creation& operator=(const Creation&) = delete;

  int operator()(MPI_Comm) {
    if (alive_.size() == kMostAlive) free_all();
    MPI_Comm made = MPI_COMM_NULL;
    const int code = make_(&made);
    if (made != MPI_COMM_NULL) alive_.push_back(made);
    return code;
  }

 private:
  void free_all() {
    for (MPI_Comm& comm : alive_) MPI_Comm_free(&comm);
    alive_.clear();
  }

  MakeTopology make_;
  std::vector<MPI_Comm> alive_;
};

void measure_creation(const Context& context, const Request& request) {
  if (request.effort.timing == "acknowledged")
    throw Error(request.operation, "cannot be timed by acknowledgements", "that is for broadcasts and scatters");
  Creation creation(plan_topology(context, request));
  context.give(measure_cell(context.world, operation_of("creation", creation), request.effort, cell_of(request, 0)));
}

constexpr FamilyParameter kGraphTopology = {"topology", kTopology.summary.substr(kTopology.summary.find("moore")),
                                            "von_neumann", true};
constexpr FamilyParameter kOfGrids[] = {kDimensions, kFinite, kReorder};
constexpr FamilyParameter kOfGraphs[] = {kGraphTopology,  kDimensions, kFinite, kRadius,
                                         kNeighbourOrder, kReorder,    kDegree};

constexpr Family kTopologyFamilies[] = {
    {"cart_create", "all ranks make a communicator that is a grid (MPI_Cart_create)", "", kOnlyLibrary, kOfGrids, 1,
     measure_creation},
    {"dist_graph_create", "all ranks make a graph, each telling of its destinations (MPI_Dist_graph_create)", "",
     kOnlyLibrary, kOfGraphs, 1, measure_creation},
    {"dist_graph_create_adjacent",
     "all ranks make a graph, each telling of its sources and destinations (MPI_Dist_graph_create_adjacent)", "",
     kOnlyLibrary, kOfGraphs, 1, measure_creation},
};

}  // namespace

std::span<const Family> topology_families() { return kTopologyFamilies; }

}  // namespace plumbline::bench
