#pragma once
// Notifications of the round in hand.

#include <vector>

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// Whether a notification is due when the packet begins its service at the source.
bool is_told(const Packet& packet, const Message& message);

// Notes what is due when the packet begins its service at the source.
void note_begin(State& state, const Packet& packet);

// A notification of the round in hand.
void note(State& state, Notification::Kind kind, const Message& message, Bytes bytes);

// Appends the notifications of the round to `out`, ordered by source rank, sequence and kind, and forgets them.
void give_notes(State& state, std::vector<Notification>& out);

}  // namespace plumbline::hw::packets
