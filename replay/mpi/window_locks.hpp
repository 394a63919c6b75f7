#pragma once
// Locks of windows.

#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi::rma {

// Whether no lock that the call is about is still asked for.
bool is_granted(const Side& side, const Operation& op);

// Asks for the locks that the call is about.
void ask(Windows& windows, std::uint32_t window, std::uint32_t own, const Operation& op);

// Asks one rank for a lock.
void ask_peer(Windows& windows, std::uint32_t window, std::uint32_t own, std::uint32_t target, bool exclusive,
              bool checked);

// Gives the locks back that the call is about.
void release(Windows& windows, std::uint32_t window, std::uint32_t own, const Operation& op);

// Of messages without answers: what was sent before it has been carried out when this is answered.
void flush(Windows& windows, std::uint32_t window, std::uint32_t own, const Operation& op);

// A request for a lock has come.
void lock_requested(Windows& windows, const ControlMessage& control, Time at);

// A lock is given back.
void unlocked(Windows& windows, const ControlMessage& control, Time at);

// A lock is granted, by ControlMessage::from.
void granted(Windows& windows, const ControlMessage& control, Time);

}  // namespace plumbline::replay::mpi::rma
