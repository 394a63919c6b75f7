#pragma once
// Control messages: what ranks tell each other of windows, and what comes of it.

#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi::rma {

// For the engine: a control message is there. Those without a CPU at `at`, the others at the clock of their rank.
void taken(Windows& windows, std::uint32_t id, Time at);

// Sends a control message without a payload. From a rank to itself it is there at once.
void tell(Windows& windows, ControlMessage control, Time at);

// Answers who sent `to`; where memory does it, at no cost for anybody.
void answer(Windows& windows, What what, const ControlMessage& to, Time at);

// Acts on control messages that had overtaken transfers, if these have been carried out by now. Only where transfers
// are not answered (WindowWay::kQueued) is anything early.
void act_on_early(Windows& windows, std::uint32_t window, std::uint32_t own, Time at);

// By the CPU of the sender, at its clock. `at_once`: the other side has room for it, whatever its size; else it is of a
// transfer, and asks first where that is large.
void send(Windows& windows, const ControlMessage& control, std::uint64_t bytes, bool at_once);

// Without a CPU. Without latency: in shared memory there is nobody who has to notice.
void send_by_interface(Windows& windows, const ControlMessage& control, std::uint64_t bytes, Time at,
                       bool with_latency);

// A request of the rank that is complete when it has taken the control message.
std::uint32_t request_for(Windows& windows, std::uint32_t rank, const ControlMessage& control);

}  // namespace plumbline::replay::mpi::rma
