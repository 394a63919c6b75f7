#pragma once
// Messages and their packets: from send() to the delivery.

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// As StoreAndForward::send(): the index of the new message.
std::uint32_t send(State& state, std::uint32_t message, std::uint32_t source_node, std::uint32_t target_node,
                   Bytes size, std::uint32_t source_rank, std::uint32_t sequence, Time now, sim::EventQueue& queue,
                   const SendOptions& options);

// As StoreAndForward::provide().
void provide(State& state, std::uint32_t message, Bytes more, Time now, sim::EventQueue& queue);

// Whether the source has all of the message's next packet.
bool next_is_available(const State& state, const Message& message);

// The index of a packet of which nothing is set.
std::uint32_t packet_slot(State& state);

// The index of the next packet of a message, taken from what is left of it; the first one carries the header.
std::uint32_t new_packet(State& state, std::uint32_t message);

// Bytes of a packet without the header.
Bytes payload(const State& state, const Packet& packet);

// The message is delivered: this is noted, and its record is free.
void end_message(State& state, std::uint32_t message);

}  // namespace plumbline::hw::packets
