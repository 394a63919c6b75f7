#pragma once
// What a node puts into the queue of its cable for one other node before another one's turn comes: what it sends a
// third node waits for so much. docs/models/calibration-sender.md.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hwmodels/calibrate/observations/observations.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// A small message to a third node and back, beside data to another one, on the clock of who sends both. ns.
struct Beside {
  double alone = 0;   // nobody else being there
  double behind = 0;  // the data being under way
  double data = 0;    // from the begin of the data until an empty message has said that it has arrived
  double late = 0;    // from there until the small message was sent

  double wait() const { return behind - alone; }
  // What was still to leave when the small message was sent: it and the empty one take as long as the one that is
  // alone.
  double left() const { return data - late - alone; }
};

// How long a small message from one node to a second one waits behind data to a third, which began long before and goes
// on long after. The replay's own rule, on its own network.
class WaitBehindData {
 public:
  struct Nodes {
    std::uint32_t from = 0, data_to = 0, small_to = 0;
  };
  WaitBehindData(const Platform& platform, const Nodes& nodes);

  // With a queue of so many bytes; the mean over what is served of the packet in service. A queue of a packet and less
  // is none: they take turns.
  double ns(Bytes queue) const;

  // What a packet of the data takes of the way. ns.
  double packet_ns() const { return packet_ns_; }

  // The queue with which it is so long, the middle of those that give the same. None: with no queue of so much data is
  // it as long.
  std::optional<Bytes> queue_of(double wait_ns, Bytes data) const;

 private:
  std::uint64_t packet() const { return platform_.packets.granularity.count; }
  double ns_from(Bytes queue, Duration begin) const;
  double trip_ns(std::uint32_t to, Bytes size) const;

  const Platform& platform_;
  Nodes nodes_;
  double packet_ns_ = 0, small_ns_ = 0;
};

// By `queue`, on a platform whose ways are known. A queue of no bytes: messages to one node were not seen to hold up
// those to another. None: not known. Says in `notes` what was found and what it stands on, or why it is not known; of
// fewer than three nodes nothing.
std::optional<Parameter<Bytes>> fit_send_queue(const Observations& observations, const Platform& platform,
                                               const std::string& source, std::vector<std::string>& notes);

}  // namespace plumbline::hw::calibration
