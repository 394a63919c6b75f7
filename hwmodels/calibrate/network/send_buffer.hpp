#pragma once
// What the sender's side keeps of messages that wait for their receiver: a sender that is free early still has so much
// to leave. docs/models/calibration-sender.md.

#include <cstdint>
#include <string>
#include <vector>

#include "hwmodels/calibrate/structure/structure.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// From when the sender of a message is free to when its last byte has passed the way, nobody else being there; 0
// without a buffer. The replay's own rule, on its own network.
class RestOnTheWay {
 public:
  RestOnTheWay(const Platform& platform, std::uint32_t from_node, std::uint32_t to_node)
      : platform_(platform), from_(from_node), to_(to_node) {}

  Duration of(Bytes size, Bytes buffer) const;

  // The buffer with which it is so long, the middle of those that give the same. Beyond that of a message that fits:
  // the whole message.
  Bytes buffer_of(Bytes size, Duration rest) const;

 private:
  std::uint64_t first_with(Bytes size, Duration rest) const;

  const Platform& platform_;
  std::uint32_t from_, to_;
};

// Of messages between nodes, by `rest` of `overheads`, on a platform whose ways and ranges are known. Nothing where
// senders are free when the data has arrived, or where that was not measured.
Parameter<Bytes> fit_send_buffer(const Structure& structure, const Observations& observations, const Platform& platform,
                                 const std::string& source, std::vector<std::string>& notes);

}  // namespace plumbline::hw::calibration
