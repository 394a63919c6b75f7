#pragma once
// The store-and-forward network: messages are cut into packets; each component serves one packet at a time, round robin
// over the pairs of nodes that have packets waiting; a pair may have a bounded amount of service time on its way to the
// next component (its window), so that nothing is lost and no pair stops another. Formulas: docs/models.md.

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/topology.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::hw {

struct Notification {
  enum class Kind : std::uint8_t {
    kSent,       // the last packet begins its service in the first component of the route
    kDelivered,  // the last packet has left the last component of the route
    // Of piecewise messages only, before the above:
    kPacketTaken,      // a packet begins its service in the first component
    kPacketDelivered,  // a packet has left the last component
  };
  Kind kind = Kind::kSent;
  std::uint32_t message = 0;
  Bytes bytes;  // payload of the packet

  bool operator==(const Notification&) const = default;
};

struct SendOptions {
  bool piecewise = false;          // each packet is notified
  std::optional<Bytes> available;  // of the payload at the start, the rest by provide(); absent: all
};

// Its events carry the component numbers of the topology (0 .. components().size() - 1); whoever shares the queue uses
// numbers from components().size() on.
class StoreAndForward {
 public:
  StoreAndForward(Topology& topology, const Packets& packets);

  // Begins a message at `now`. `message` comes back in the notifications and decides nothing. Simultaneous messages are
  // ordered by (source_rank, sequence), a combination that no other message under way may have.
  using Handle = std::uint32_t;  // valid until the message is delivered
  Handle send(std::uint32_t message, std::uint32_t source_node, std::uint32_t target_node, Bytes size,
              std::uint32_t source_rank, std::uint32_t sequence, Time now, sim::EventQueue& queue,
              SendOptions options = {});

  // More of the payload is there. The source makes a packet when it is full or all that is left.
  void provide(Handle message, Bytes more, Time now, sim::EventQueue& queue);

  // The interface and the memory of a node begin no service from now on, until resume(); a service goes on to its end.
  void hold(std::uint32_t node);
  void resume(std::uint32_t node, Time now, sim::EventQueue& queue);

  // Handles an event that this network pushed; appends what happened at event.at to `out`.
  void handle(const sim::Event& event, sim::EventQueue& queue, std::vector<Notification>& out);

  std::uint32_t messages_under_way() const { return messages_under_way_; }
  std::uint64_t services() const { return services_; }  // packets served, counted in every component

  // The time that a component has been serving, and the bytes that it has taken into service.
  Duration busy(ComponentId component) const { return servers_[component].busy_time; }
  Bytes served(ComponentId component) const { return servers_[component].served; }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  enum EventKind : std::uint32_t { kArrival, kServiceEnd, kResume, kFree };

  struct Server {
    BytesPerSecond rate;
    Duration latency;
    Duration window;  // a pair is blocked when this much of its service time is under way to the next component
    Bytes known_size;
    Duration known_time;         // service time of known_size: most packets have the size of the last one
    std::uint32_t turn = kNone;  // stations that wait for service, a list
    std::uint32_t turn_tail = kNone;
    bool busy = false;
    std::uint32_t node = kNone;  // whose end of routes this is
    Duration busy_time;
    Bytes served;
  };

  // What one component knows of one pair. The stations of a pair lie side by side in the order of its route.
  struct Station {
    Duration used;                // service time of packets that the next station has not taken yet
    std::uint32_t under_way = 0;  // number of those packets
    std::uint32_t component = 0;
    std::uint32_t head = kNone, tail = kNone;  // waiting packets
    std::uint32_t next_turn = kNone;           // next in the list of the server
    bool queued = false;                       // in that list
    bool blocked = false;
    bool first = false, last = false;  // of the route
  };

  struct Packet {
    Bytes size;             // with header
    Duration service;       // in the last component that took it
    std::uint32_t message;  // index into messages_
    std::uint32_t station;
    std::uint32_t next;  // in the station's list, or in the free list
    std::uint32_t number : 31;
    std::uint32_t last : 1;
  };

  struct Message {
    Bytes left;       // not yet in packets
    Bytes available;  // of what is left
    std::uint32_t id = 0;
    std::uint32_t source_rank = 0, sequence = 0;
    std::uint32_t station = 0, packets = 0;  // where it begins; packets made
    bool piecewise = false;
    bool starved = false;  // the next packet waits for provide()
    std::uint32_t next_free = kNone;
  };

  struct Step {  // what is constant while one event is handled
    Time now;
    sim::EventQueue& queue;
    std::vector<Notification>& out;
  };

  std::uint32_t first_station(std::uint32_t source_node, std::uint32_t target_node);
  std::uint32_t new_message();
  std::uint32_t new_packet(std::uint32_t message);
  bool next_is_available(const Message& message) const;
  void push_arrival(std::uint32_t packet, Time now, sim::EventQueue& queue);
  void free_packet(std::uint32_t packet);

  Duration service_time(Server& server, Bytes size);
  void arrive(std::uint32_t packet, const Step& step);
  void append(std::uint32_t packet);
  void queue_if_waiting(std::uint32_t station);
  bool held(const Server& server) const;
  void serve_next(std::uint32_t component, const Step& step);
  void begin_at_source(std::uint32_t packet, const Step& step);
  Bytes payload(const Packet& packet) const;
  void end_service(std::uint32_t packet, const Step& step);
  void consume(std::uint32_t packet, const Step& step);
  void release(std::uint32_t station, Duration service, const Step& step);

  Topology& topology_;
  Packets sizes_;
  std::vector<Server> servers_;
  std::vector<Station> stations_;
  std::unordered_map<std::uint64_t, std::uint32_t> pairs_;  // first station by source << 32 | target; never iterated
  std::vector<Packet> packets_;
  std::vector<Message> messages_;
  std::vector<bool> held_;  // per node
  std::uint32_t free_packets_ = kNone, free_messages_ = kNone;
  std::uint32_t messages_under_way_ = 0;
  std::uint64_t services_ = 0;
};

}  // namespace plumbline::hw
