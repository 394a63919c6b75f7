#pragma once
// Requests: what operations wait for, and what the CPU does when they are complete.

#include <span>

#include "replay/mpi/engine.hpp"

namespace plumbline::replay::mpi {

// A request of the rank that goes back to the pool when it is complete.
std::uint32_t pooled_request(Engine& engine, std::uint32_t rank);

// Completes a request without a message.
void complete_at(Engine& engine, std::uint32_t request, std::uint32_t rank, Time at);

// A request without a message, which is pending until end_other().
void begin_other(Engine& engine, std::uint32_t request, std::uint32_t rank);

// It is complete.
void end_other(Engine& engine, std::uint32_t request, Time now);

// The operation in hand of its rank waits for the request.
void wait(Engine& engine, std::uint32_t request);

// The same for all of them, in the order in which they arrived; reorders the list.
void wait(Engine& engine, std::span<std::uint32_t> requests);

// The request is pending, for that message (kNone: not yet known).
void begin(Engine& engine, std::uint32_t request, std::uint32_t message);

// The request is complete since `at`. `progress`: who goes on with the collective that it is a step of.
void complete(Engine& engine, std::uint32_t id, Time at, hw::Progress progress);

// The payload is there and the receive is posted.
void complete_receive(Engine& engine, std::uint32_t id, Time at);

// A request that nobody needs any more goes back to the pool, if it is of it.
void free_if_pooled(Engine& engine, std::uint32_t request);

// Spends what a complete request takes of its rank's CPU; its message is over.
void spend(Engine& engine, Request& request);

// The request waits for the rank to be in MPI.
void add_todo(Engine& engine, std::uint32_t rank, std::uint32_t request);

// Does what waits for the rank to be in MPI, in the order in which it came. Something must have waited for some rank
// before: Engine::deferred is not empty.
void do_all_todo(Engine& engine, std::uint32_t rank);

// The operation in hand of the rank waits for one thing less. If it is blocked and waits for nothing more, it is ready.
void one_less(Engine& engine, std::uint32_t rank);

// World rank of the collective, or reader of the control message, that a request is a step of.
std::uint32_t rank_of_step(const Engine& engine, std::uint32_t owner);

// The order of the events of their arrival, behind what is no message or not there. On LogGP the time that messages
// take together depends on the order in which they are taken, and what has arrived when a rank begins to wait depends
// on how far it is ahead of the clock.
void sort_by_arrival(const Engine& engine, std::span<std::uint32_t> requests);

// World rank whose request it is.
inline std::uint32_t rank_of(const Engine& engine, const Request& request) {
  return request.of_step ? rank_of_step(engine, request.owner) : request.owner;
}

}  // namespace plumbline::replay::mpi
