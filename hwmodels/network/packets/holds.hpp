#pragma once
// Nodes that are held, and components that tell of a packet: they begin no service meanwhile.

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// The component is an end of a route of the node: what holds the node holds it.
void add_end(State& state, std::uint32_t node, std::uint32_t component, const Round& round);

// Once more: it begins no service until let_go() has been called as often.
void hold_component(State& state, std::uint32_t component, const Round& round);

// Once less. Whether nobody holds it any more.
bool let_go(State& state, std::uint32_t component);

// As StoreAndForward::hold().
void hold(State& state, std::uint32_t node);

// As StoreAndForward::resume().
void resume(State& state, std::uint32_t node, Time now, sim::EventQueue& queue);

}  // namespace plumbline::hw::packets
