#pragma once
// Which operation of which rank each operation had to do with: messages, requests and collective calls.
//
// The n-th send of a channel (communicator, sender, receiver, tag) belongs to its n-th receive (MPI 4.0, 3.5: messages
// do not overtake). A wildcard receive belongs to the channel of its recorded match. Receives that nobody completed
// take what is left. The n-th collective call of a rank on a communicator, file or window belongs to the n-th of the
// others there.

#include <cstdint>
#include <span>
#include <vector>

#include "base/memory/kept_column.hpp"
#include "replay/program/program.hpp"
#include "viewer/index/runs/operation_id.hpp"

namespace plumbline::viewer {

enum class SeriesOf : std::uint8_t { kComm, kFile, kWindow };

// All collective calls on one communicator, window, or file opened on a communicator; instance n is the n-th call of
// each of its ranks.
struct Series {
  SeriesOf of = SeriesOf::kComm;
  std::uint32_t comm = replay::kNone;
  std::uint32_t object = 0;          // file or window; 0 of a communicator
  std::vector<std::uint32_t> ranks;  // that made calls, ascending
  std::vector<std::uint32_t> first;  // by place in `ranks`, and one more: its calls begin here in `calls`
  KeptColumn<std::uint32_t> calls;   // operations, ascending on each rank

  std::span<const std::uint32_t> calls_of(std::size_t place) const {
    return std::span<const std::uint32_t>(calls).subspan(first[place], first[place + 1] - first[place]);
  }
};

struct Instance {
  std::uint32_t series = 0, number = 0;
};

// A request: where it was started, and the wait that completed it. Or, of a sendrecv, the receive of what it sent.
struct Link {
  std::uint32_t operation = 0;
  OperationId to;
};

struct RankMatches {
  // One entry per operation; not there where nothing is known, or nobody else is involved.
  //   send: the receive; receive, probe, sendrecv: the send of what it received (or would)
  //   wait: the start, on the same rank, of the request whose other end came last
  //   collective of all ranks: the last of its instance to begin, which may be itself; with neighbours: the last of
  //   those that it receives from
  //   start, complete of windows: the last post, wait: the last complete, of its group
  KeptColumn<OperationId> partner;
  KeptColumn<Link> sent_to;    // of sendrecv, ascending
  KeptColumn<Link> completed;  // of starts, ascending
};

struct Matches {
  std::vector<RankMatches> ranks;
  std::vector<Series> series;
  std::uint64_t unmatched = 0;               // sends and receives whose other end is not in the recording
  std::vector<OperationId> without_partner;  // the operations that make these, ascending, each once

  OperationId partner(OperationId id) const { return ranks[id.rank].partner[id.operation]; }
};

// The receive of what this operation sent; not there where it sent nothing.
OperationId receiver_of(const replay::Program& program, const Matches& matches, OperationId id);
// The wait that completed what it started.
OperationId completion_of(const Matches& matches, OperationId start);

// The calls of an instance, in order of rank.
std::vector<OperationId> calls_of(const Matches& matches, Instance instance);

// Its time hangs on all ranks of a communicator: collectives on communicators, files and windows.
bool is_gathering(const replay::Operation& operation);

}  // namespace plumbline::viewer
