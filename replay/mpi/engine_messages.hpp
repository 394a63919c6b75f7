#pragma once
// Messages: posted, matched, put into the network and delivered.

#include "replay/mpi/engine.hpp"

namespace plumbline::replay::mpi {

// Posts a send at the rank's clock. `synchronous`: it ends when the receive has begun.
void send(Engine& engine, std::uint32_t request, const Channel& channel, std::uint64_t bytes, bool synchronous);

// Posts a receive at the rank's clock.
void receive(Engine& engine, std::uint32_t request, const Channel& channel, std::uint64_t bytes);

// The operation in hand waits for a message to be there.
void probe(Engine& engine, std::uint32_t rank, const Channel& channel);

// CPU time of both ends of a message.
Duration cpu_time(Engine& engine, std::uint32_t rank, std::uint32_t peer, std::uint64_t bytes);

// Events with component numbers below components() are for this. It may go on to later ones: then `event` is the last
// of them.
void handle(Engine& engine, sim::Event& event);

// Messages that nobody has received.
std::uint64_t unreceived(const Engine& engine);

// A message of the channel of which nothing else is set.
std::uint32_t new_message(Engine& engine, const Channel& channel);

// Its record is free.
void free_message(Engine& engine, std::uint32_t message);

// The rank `from` sends something at its clock.
void inject(Engine& engine, std::uint32_t message, std::uint32_t from, std::uint32_t to, std::uint64_t bytes,
            const MessageCost& cost, Bytes buffer = {});

// Its interface does, without its CPU.
void inject_by_interface(Engine& engine, std::uint32_t message, std::uint32_t from, std::uint32_t to,
                         std::uint64_t bytes, const MessageCost& cost, Time now, Bytes buffer = {});

// A message that is held is as any other from now on: arrived, or with an event at its arrival.
void release(Engine& engine, std::uint32_t id);

// A rank that may go ahead takes a message that will arrive then.
void take_ahead(Engine& engine, std::uint32_t id, Time arrival, std::uint32_t sequence);

// Whether the message may yet ask for a reaction of its receiver, which the receiver's `reactive` counts.
void expect_to_ask(Engine& engine, Message& message, bool expected);

}  // namespace plumbline::replay::mpi
