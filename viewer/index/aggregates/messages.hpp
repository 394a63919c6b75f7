#pragma once
// The messages of a view, to draw as arrows.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "viewer/index/matches/matches.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

struct Message {
  OperationId from, to;
  Time sent, received;  // begin of the send; end of the receive, or of the wait for it
  std::uint64_t bytes = 0;
  std::int32_t tag = 0;
};

// All from one rank to another.
struct MessageBundle {
  std::uint32_t from = 0, to = 0;
  std::uint64_t count = 0, bytes = 0;
  Time first_sent, last_received;
};

struct Messages {
  std::uint64_t total = 0;
  std::vector<Message> messages;       // by sender; nothing where there are more than `most`
  std::vector<MessageBundle> bundles;  // instead, most bytes first, at most `most`
};

// Those whose send or receive is an operation of one of `ranks`, ascending, that lies in the range at least in part,
// and whose other end is in the recording.
Messages messages_of(const Runs& runs, const Matches& matches, TimeRange range, std::span<const std::uint32_t> ranks,
                     std::size_t most);

}  // namespace plumbline::viewer
