#pragma once
// The switches and edges that a fabric is made into.

#include <cstdint>
#include <string>

#include "hwmodels/platform/fabric.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

// The parts of a fabric that were made: as many as its shape needs, in the order of its numbering.
std::uint32_t switches_of(const Fabric& fabric);
std::uint32_t edges_of(const Fabric& fabric);

// Appends them to the platform, which must hold the members, and for edges the switches, of all fabrics, and sets
// first_switch and first_edge. Does not append the fabric itself.
void make_switches(Fabric& fabric, Platform& platform);
void make_edges(Fabric& fabric, Platform& platform);

// All of it. The nodes must be complete: the numbers of vertices count switches behind nodes.
void add_fabric(Platform& platform, Fabric fabric);

// "", or what is wrong with the numbers of the shape: members that do not fit, or more parts than a platform may have.
std::string fault_of_shape(const Fabric& fabric);

}  // namespace plumbline::hw
