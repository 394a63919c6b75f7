#pragma once
// Locks of windows.

#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi::rma {

// Whether no lock that the call is about is still asked for.
bool is_granted(const Side& side, const Operation& op);

// Asks for the locks that the call is about.
void ask(Windows& windows, std::uint32_t window, std::uint32_t own, const Operation& op);

// Asks one rank for a lock, unless the own one at it is not free: MPI forbids to ask twice. Without a check nobody is
// told.
void ask_peer(Windows& windows, std::uint32_t window, std::uint32_t own, std::uint32_t target, bool exclusive,
              bool checked);

// Gives the locks back that the call is about.
void release(Windows& windows, std::uint32_t window, std::uint32_t own, const Operation& op);

// Of messages without answers: what was sent before it has been carried out when this is answered. Asks the ranks that
// the call is about and to which anything was ever sent; a local flush asks nobody.
void flush(Windows& windows, std::uint32_t window, std::uint32_t own, const Operation& op);

// A request for a lock has come. Those of a rank are granted in the order in which they come: the first, and with a
// shared one the shared ones behind it. By memory one of all waits until no rank of the window is locked exclusively.
void lock_requested(Windows& windows, const ControlMessage& control, Time at);

// A lock is given back. Whoever waited for it gets it. Unless memory does it, who gave it back gets an answer.
void unlocked(Windows& windows, const ControlMessage& control, Time at);

// A lock that was asked for is granted, by ControlMessage::from. The caller settles.
void granted(Windows& windows, const ControlMessage& control);

}  // namespace plumbline::replay::mpi::rma
