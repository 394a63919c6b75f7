#pragma once
// What the store-and-forward network tells of the messages that it carries, and how much of that is asked for.

#include <cstdint>
#include <optional>

#include "base/units.hpp"

namespace plumbline::hw {

struct Notification {
  enum class Kind : std::uint8_t {
    kSent,       // the last packet begins its service in the first component of the route
    kDelivered,  // the last packet has left the last component of the route
    // Of piecewise messages only, before those above:
    kPacketTaken,      // a packet begins its service in the first component
    kPacketDelivered,  // a packet has left the last component
    // Where SendOptions::buffer is not 0: no more of the payload is still to begin service in the first component.
    kBuffered,
  };
  Kind kind = Kind::kSent;
  std::uint32_t message = 0;
  Bytes bytes;  // payload of the packet

  bool operator==(const Notification&) const = default;
};

struct SendOptions {
  bool piecewise = false;  // each packet is notified
  // Of the payload at the beginning, the rest by provide(); absent: all of it.
  std::optional<Bytes> available = std::nullopt;
  bool tells_sent = true;  // kSent is notified
  Bytes buffer = {};       // kBuffered is notified; 0: not
};

struct NetworkOptions {
  bool express = true;  // advance what is alone on its way in one go; the times are the same
  // Nodes may be held, and messages sent by parts or notified by packet. Else the ends of routes give grants too.
  bool holds = true;
  bool watched = false;  // StoreAndForward::uses() will be asked for
};

}  // namespace plumbline::hw
