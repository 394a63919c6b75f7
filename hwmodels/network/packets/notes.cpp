#include "hwmodels/network/packets/notes.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace plumbline::hw::packets {
namespace {

// In which order the notes of one message come.
std::uint32_t place_of(Notification::Kind kind) {
  switch (kind) {
    case Notification::Kind::kPacketTaken:
      return 0;
    case Notification::Kind::kBuffered:
      return 1;
    case Notification::Kind::kSent:
      return 2;
    case Notification::Kind::kPacketDelivered:
      return 3;
    case Notification::Kind::kDelivered:
      break;
  }
  return 4;
}

}  // namespace

bool is_told(const Packet& packet, const Message& message) {
  return packet.number == message.buffers || (packet.last != 0 && message.tells_sent);
}

void note_begin(State& state, const Packet& packet) {
  const Message& message = state.messages[packet.message];
  if (packet.number == message.buffers) note(state, Notification::Kind::kBuffered, message, {});
  if (packet.last != 0 && message.tells_sent) note(state, Notification::Kind::kSent, message, {});
}

void note(State& state, Notification::Kind kind, const Message& message, Bytes bytes) {
  state.work.notes.push_back({message.order(), place_of(kind), {kind, message.id, bytes}});
}

void give_notes(State& state, std::vector<Notification>& out) {
  if (state.work.notes.size() > 1)
    std::sort(state.work.notes.begin(), state.work.notes.end(),
              [](const Note& a, const Note& b) { return std::tie(a.order, a.place) < std::tie(b.order, b.place); });
  for (const Note& each : state.work.notes) out.push_back(each.notification);
  state.work.notes.clear();
}

}  // namespace plumbline::hw::packets
