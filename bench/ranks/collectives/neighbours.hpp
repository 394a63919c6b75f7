#pragma once
// Communicators of ranks that have neighbours, by MPI's three constructors.

#include <mpi.h>

#include <functional>
#include <vector>

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

// Parameters of every family that has neighbours. The lists of a rank: of `moore` and `von_neumann` the places of the
// shape in a grid, of `complete` all ranks from its own on; sources are the inverse of the destinations, place by
// place.
inline constexpr FamilyParameter kTopology = {
    "topology",
    "cartesian: a grid, by MPI_Cart_create; moore, von_neumann: a graph of the places of a grid within a radius, in "
    "each "
    "dimension or in all together; complete: a graph in which all ranks are neighbours, each of itself too; graph: a "
    "ring with neighbours at a distance too",
    "cartesian", true};
inline constexpr FamilyParameter kDimensions = {"dimensions", "of the grid", "2"};
inline constexpr FamilyParameter kFinite = {"finite", "dimensions of the grid whose ends do not meet, the first ones",
                                            "0"};
inline constexpr FamilyParameter kRadius = {"radius", "of moore and von_neumann", "1"};
inline constexpr FamilyParameter kNeighbourOrder = {
    "order",
    "of the list of neighbours of a graph but a ring. ascending: the first coordinate changes last; complete: from the "
    "rank's own number on; last_major: the last coordinate changes last; random: another one on each rank",
    "ascending", true};
inline constexpr FamilyParameter kConstructor = {"constructor",
                                                 "of a graph. adjacent: MPI_Dist_graph_create_adjacent; general: "
                                                 "MPI_Dist_graph_create, told of its destinations alone",
                                                 "adjacent", true};
inline constexpr FamilyParameter kReorder = {"reorder", "1: the library may number the ranks anew", "0"};
inline constexpr FamilyParameter kDegree = {"degree", "neighbours in the graph that is a ring", "2"};

// Makes a communicator; errors as MPI has them. Collective over the ranks that it was planned on. Does not throw.
using MakeTopology = std::function<int(MPI_Comm* made)>;

// What a request asks for, with everything reckoned beforehand that does not belong to the constructor. Throws Error
// for what cannot be.
MakeTopology plan_topology(const Context& context, const Request& request);

// A communicator as it was planned, whose errors return.
class Neighbourhood {
 public:
  Neighbourhood(const Context& context, const Request& request);
  ~Neighbourhood();
  Neighbourhood(const Neighbourhood&) = delete;
  Neighbourhood& operator=(const Neighbourhood&) = delete;

  MPI_Comm comm() const { return comm_; }
  int sources() const { return sources_; }            // that this rank receives from; of a grid with its ends
  int destinations() const { return destinations_; }  // that it sends to

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int sources_ = 0, destinations_ = 0;
};

}  // namespace plumbline::bench
