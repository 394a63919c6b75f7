#pragma once
// What components have done, for those who watch a run: what they have been granted, less what packets under way still
// have to come. Definitions: docs/internals/store-and-forward.md, "Use".

#include <span>

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// As StoreAndForward::uses().
std::span<const ComponentSample> uses(State& state, Time now);

}  // namespace plumbline::hw::packets
