#pragma once
// The description of each part of a platform, once: its numbers in the order in which a file has them, each with its
// name and what it means. Readers, writers, settings, spreads, the schema and the pages of reference are visitors of it
// (docs/internals/extending.md):
//
//   fields(disk, [](const Field& field, auto&& value) { ... });
//
// A value is a Parameter<Duration>, Parameter<BytesPerSecond> or Parameter<Bytes>, an optional of one of the first two,
// Bytes, an optional of them, a count (uint32_t), or one of the wrappers below. What a part has besides (its name, the
// nodes that it joins) is not described here.

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "hwmodels/platform/fields/field_words.hpp"
#include "hwmodels/platform/network_models.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

// A packet must have room for a header. Files with less are refused.
inline constexpr std::uint64_t kLeastPacket = 64;  // bytes

enum class Presence {
  kRequired,  // a file without it is refused
  kWritten,   // a file may leave it out, and then the default holds; it is always written
  kOptional,  // the same, and it is written where it is not the default
};

struct Field {
  const char* name;  // of the attribute, and the last word of the setting
  const char* meaning;
  Presence presence = Presence::kRequired;
  bool is_set = true;       // whether a setting may change it
  std::uint64_t least = 0;  // of bytes, in a setting; a count begins at 1
};

// A number without a unit.
template <class T>
struct Bounded {
  T& value;
  double otherwise, least, most;
};

// A count in which 0 stands for all that there are.
template <class T>
struct CountOrAll {
  T& value;
};

// One of some words.
template <class T, class Words>
struct Worded {
  T& value;
  const Words& words;
};

// For compilers that derive none for aggregates, clang before 17.
template <class T>
Bounded(T&, double, double, double) -> Bounded<T>;
template <class T>
CountOrAll(T&) -> CountOrAll<T>;
template <class T, class Words>
Worded(T&, const Words&) -> Worded<T, Words>;

template <class T, class Part>
concept PartOf = std::same_as<std::remove_const_t<T>, Part>;

// `needs_memory`: whether messages inside of the node cross its memory.
template <PartOf<Node> Part, class Visit>
void fields(Part& node, bool needs_memory, Visit&& visit) {
  visit(Field{"cores", "number of cores", Presence::kWritten}, node.cores);
  visit(Field{"speed",
              "speed of its cores, relative to those that the recording was made on: times of computation are divided "
              "by it",
              Presence::kOptional},
        Bounded{node.speed, 1, 0.001, 1000});
  visit(Field{"memory-rate",
              "rate of all messages together that ranks of this node send each other; also of one pass over what a "
              "reduction combines. Not needed with sockets, nor in a LogGP or sampled network",
              needs_memory ? Presence::kRequired : Presence::kOptional},
        node.memory_rate);
  visit(Field{"interface-rate",
              "rate of all messages together that enter and leave this node, and of those that pass through it; "
              "required when there are edges",
              Presence::kOptional},
        node.interface_rate);
}

template <PartOf<Sockets> Part, class Visit>
void fields(Part& sockets, Visit&& visit) {
  visit(Field{"count", "number of sockets, at most `cores`", Presence::kWritten}, sockets.count);
  visit(Field{"rate", "rate of a socket, for messages that leave it or come in"}, sockets.rate);
  visit(Field{"local-rate", "rate of the same socket, for messages between two of its own ranks"}, sockets.local_rate);
  visit(Field{"latency", "latency of the link between a socket and the interconnect, in each direction"},
        sockets.latency);
  visit(Field{"link-rate", "rate of that link, in each direction"}, sockets.link_rate);
  visit(Field{"interconnect-rate", "rate of what joins the sockets with each other and with the interface"},
        sockets.interconnect_rate);
}

template <PartOf<Noise> Part, class Visit>
void fields(Part& noise, Visit&& visit) {
  visit(Field{"period", "time from one begin to the next"}, noise.period);
  visit(Field{"duration", "how long the CPU is taken away each time; shorter than the period"}, noise.duration);
}

template <PartOf<Switch> Part, class Visit>
void fields(Part& device, Visit&& visit) {
  visit(Field{"rate", "rate of the whole switch (its backplane), not of one port"}, device.rate);
}

template <PartOf<Edge> Part, class Visit>
void fields(Part& edge, Visit&& visit) {
  visit(Field{"latency", "time from one end to the other"}, edge.latency);
  visit(Field{"rate", "rate of each direction"}, edge.rate);
  visit(Field{"duplex", "`half`: both directions share the rate", Presence::kOptional},
        Worded{edge.half_duplex, kFullOrHalf});
}

template <PartOf<Packets> Part, class Visit>
void fields(Part& packets, Visit&& visit) {
  visit(Field{"granularity", "payload of a full packet, at least `64B`", Presence::kWritten, true, kLeastPacket},
        packets.granularity);
  visit(Field{"header", "bytes that are added to the first packet of each message", Presence::kWritten},
        packets.header);
  visit(Field{"send-queue",
              "how much a node has in the queue of its cable for one other node: so much goes to that node before data "
              "for others has its turn. At most a packet: there is no such queue, and packets take turns "
              "([model](../models/send-queue.md))",
              Presence::kOptional},
        packets.send_queue);
}

template <PartOf<Transport> Part, class Visit>
void fields(Part& transport, Visit&& visit) {
  visit(Field{"progress",
              "what makes a transfer that has begun go on ([progress](../models/replay-progress.md)): `in-calls`, the "
              "ranks while they are in MPI calls; `thread`, a thread of the library, which needs the CPU; `hardware`, "
              "the network interface",
              Presence::kOptional},
        Worded{transport.progress, kProgress});
  visit(Field{"ordered",
              "`yes`: there is one connection for each pair of ranks and direction, as with TCP, and messages of one "
              "rank to another leave it one after the other",
              Presence::kOptional},
        Worded{transport.ordered, kNoOrYes});
  visit(Field{"send-buffer",
              "how much of a rendezvous the sender's side keeps, as the send buffer of a socket does. The sender is "
              "free when no more than this is still to leave; with `0B` it is free when the data has arrived "
              "([model](../models/send-buffer.md))",
              Presence::kOptional},
        transport.send_buffer);
  visit(Field{"sender-free",
              "when the sender of a rendezvous is free: `arrived`, when its data has arrived, less what `send-buffer` "
              "keeps; "
              "`copied`, when the receiver has spent its `receive` on it, which it does while it is in MPI, as ranks "
              "that copy from each other's memory do ([model](../models/transport.md#copied-by-the-receiver))",
              Presence::kOptional},
        Worded{transport.sender_free, kSenderFree});
}

// What a network model does without is not required (hwmodels/platform/network_models.hpp).
template <PartOf<MessageRange> Part, class Visit>
void fields(Part& range, NetworkKind network, Visit&& visit) {
  visit(Field{"upto", "largest message of this range; the last range, and no other, has none", Presence::kOptional,
              false},
        range.upto);
  visit(Field{"protocol",
              "`eager`: the message is sent at once. `rendezvous`: a request and a clear-to-send go first, and the "
              "sender waits as `sender-free` of its transport says",
              Presence::kRequired, false},
        Worded{range.protocol, kProtocols});
  visit(Field{"send", "how long a message occupies the sending rank"}, range.send);
  visit(Field{"receive", "how long a message occupies the receiving rank"}, range.receive);
  visit(Field{"latency",
              "time that a message takes in addition to that of the network, while no rank is occupied; in a LogGP "
              "network its L. Not needed in a sampled network, which does not use it",
              model_of(network).needs_latency ? Presence::kRequired : Presence::kOptional},
        range.latency);
  visit(Field{"send-rate", "time for its bytes at this rate, in addition to `send`; without it there is none",
              Presence::kOptional},
        range.send_rate);
  visit(Field{"receive-rate", "as `send-rate`, in addition to `receive`", Presence::kOptional}, range.receive_rate);
  visit(Field{"gap",
              "its g: how long a message of one byte occupies the interface of either rank. Used by LogGP, which "
              "requires it, and by sampled networks",
              model_of(network).needs_gap ? Presence::kWritten : Presence::kOptional},
        range.gap);
  visit(Field{"gap-rate",
              "its 1/G: time for the further bytes at this rate, in addition to `gap`; without it there is "
              "none",
              Presence::kOptional},
        range.gap_rate);
}

}  // namespace plumbline::hw
