#pragma once
// Transfers to and from windows.

#include <cstdint>
#include <span>

#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi::rma {

// Begins a transfer.
void issue(Windows& windows, std::uint32_t rank, const Operation& op);

// Begins the transfers to these ranks that were held back. The call in hand of the origin goes on behind all of them,
// when the caller settles it.
void release_held(Windows& windows, std::uint32_t window, std::uint32_t own, std::span<const std::uint32_t> targets);

// Whether the target answers; osc/pt2pt only where there is something to give.
bool is_answered(const Windows& windows, const Transfer& t);

// A transfer has come to its target.
void carry_out(Windows& windows, const ControlMessage& control, Time at);

// Its answer has come to the origin.
void came_back(Windows& windows, std::uint32_t id, Time at);

// It is over for its origin.
void finish(Windows& windows, std::uint32_t id, Time at);

}  // namespace plumbline::replay::mpi::rma
