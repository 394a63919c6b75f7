#pragma once
// The rendezvous: request to send, clear to send, data, and who of the two has to be in MPI for each.

#include "replay/mpi/engine.hpp"

namespace plumbline::replay::mpi {

// Whether the receiver has taken the request to send; else it will when it looks next.
bool knows_of(const Engine& engine, const Message& message);

// The rank is to go on with a rendezvous: now if it is in MPI or somebody does it for it, else when it looks next.
void react(Engine& engine, std::uint32_t rank, std::uint32_t request, Time now);

// The next operation begins when it was observed to, as what this costs the CPU was part of the call that was observed.
// The rank may be ahead of the simulated time, in a POSIX call.
void react_in_stay(Engine& engine, std::uint32_t rank, std::uint32_t request, Time now);

// Beside what the rank computes, behind what it did in its last call; the rank gets that much less of the CPU.
void react_by_thread(Engine& engine, std::uint32_t rank, std::uint32_t request, Time now);

// Does what waited for the rank of the request to be in MPI.
void do_todo(Engine& engine, std::uint32_t id);

// The receiver answers a request to send.
void clear_to_send(Engine& engine, std::uint32_t id, Time now);

// The payload of a rendezvous is there. With the data the sender is free, unless the receiver copies it.
void data_arrived(Engine& engine, std::uint32_t id, Time now, std::uint32_t sequence);

// The data has arrived or been copied, or all of it but what is buffered has left.
void free_sender(Engine& engine, std::uint32_t id, Time now);

}  // namespace plumbline::replay::mpi
