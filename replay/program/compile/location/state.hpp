#pragma once
// What is known of a location while its events become operations, as plain data. What is done to it: calls.hpp
// and what that includes.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/memory/flat_table.hpp"
#include "replay/program/compile/context/call_walker.hpp"
#include "replay/program/compile/context/collective_sizes.hpp"
#include "replay/program/compile/context/context.hpp"
#include "replay/program/compile/context/inner_posix.hpp"
#include "replay/program/compile/context/inside_compiler.hpp"
#include "replay/program/request_slots.hpp"

namespace plumbline::replay {

// What one record cost the traced program, and what it counted as one wait.
struct TracerCost {
  Duration inside;                      // within its own duration
  Duration outside;                     // before and after it
  Duration poll_gap = microseconds(2);  // between polls; a longer gap is computation

  // Of a call with that many recorded regions inside it.
  Duration of_call(std::uint32_t regions_inside) const { return inside + (inside + outside) * regions_inside; }
};

// That the process measured of itself; nothing where the archive does not tell.
TracerCost tracer_cost(const archive::Definitions& definitions, std::uint32_t location);

namespace compiling {

struct Request {
  std::uint32_t operation = 0;  // that started it
  std::uint32_t slot = 0;
  OpKind kind = OpKind::kIsend;
};

struct Message {
  std::uint32_t comm = kNone;  // of the program
  std::int32_t peer = kNoPeer, tag = 0;
  std::uint64_t bytes = 0;
  std::uint8_t flags = 0;
};

struct Io {
  OpKind kind = OpKind::kIoRead;
  std::uint8_t flags = 0;  // OpFlags
  std::uint32_t handle = 0;
  IoAccess access;
  std::uint64_t bytes = 0, id = archive::kNoRequest;
  bool may_start = false;  // may be completed by a later call
  bool is_complete = false;
};

// Of one-sided communication.
struct WindowOfRank {
  std::uint32_t index = kNone;  // in the program
  CommOfRank comm;
};

struct OneSided {
  Operation operation;
  std::optional<RmaTail> tail;                  // of a transfer
  std::uint64_t request = archive::kNoRequest;  // of one that ends in a wait
};

struct OwnCompletion {
  std::uint32_t operation, slot;
};

// What has been seen of the call in progress.
struct Call {
  Call() {}  // not defaulted: Call() would clear the whole of it before it sets what is not zero

  CallTraits traits;
  bool names_its_waits = false, unfinished = false, has_collective = false;
  bool waits_for_one_sided = false;  // has completed operations that are not in the program
  bool waits_for_unrecorded = false, waits_for_other_thread = false;
  bool is_nocheck = false;       // asserts that nobody has to wait
  std::uint32_t window = kNone;  // of the archive
  std::uint32_t target = kNone;  // rank in it
  std::optional<OneSided> one_sided;
  std::uint16_t name = 0;
  std::uint32_t region = 0;
  std::uint32_t site = kNone, site_text = archive::kUndefined;  // of the program, of the archive
  Time begin;
  std::uint32_t first_operation = 0;
  const InsideOfCalls::Call* inside = nullptr;  // what was recorded inside of it
  std::uint32_t created_comm = kNone;           // of the program; whose members meet
  Duration run_delay;
  Duration computed;  // between the polls that it stands for
  std::optional<Message> send, receive;
  std::optional<Io> io;
  Operation collective;
  CollectiveTail tail;
  std::optional<Operation> neighbourhood;
  std::optional<Operation> probe;
  std::string_view error_class;  // that it returned, or must have met; empty: it succeeded
};

struct LocationState {
  // `inside`: what was recorded inside of the calls, or null.
  LocationState(CompileContext& context, std::uint32_t rank, TracerCost cost, const InsideOfCalls* inside);

  CompileContext& context;
  ProgramBuilder& builder;
  std::uint32_t rank;
  TracerCost cost;
  CallWalker walker;
  std::uint64_t events = 0;
  Time now;
  Call call;
  std::vector<Operation> posts;                // of the call in progress
  std::vector<OwnCompletion> own_completions;  // requests that the call in progress both started and completed
  std::vector<std::uint32_t> completed;        // slots whose wait is still to be written
  Column<std::uint32_t> unrecorded_posts;      // operations of MPI_Irecv calls without a record of the post
  std::size_t next_unrecorded = 0;
  bool has_unrecorded_collectives = false;
  RequestSlots slots;
  FlatTable<Request> requests, io_requests, one_sided_requests;
  FlatTable<WindowOfRank> windows;  // by window of the archive
  FlatTable<CommOfRank> comms;
  DescriptorPositions positions;
  std::vector<std::pair<std::uint32_t, std::uint16_t>> open_files;  // handles of MPI-IO, each with its hints
  InnerPosix inner;                                                 // of the call in progress
  std::vector<std::uint64_t> counts;                                // scratch
  std::vector<Neighbour> to, from;                                  // of the call in progress
  std::string reason;                                               // why the call in progress is not judged
  const InsideOfCalls* inside;
  std::size_t next_inside = 0, next_between = 0;  // of its calls, of what lies between them
  std::uint32_t outermost = 0;                    // regions entered in no other: how the inside counts calls
  // By outermost region: the operations before it. Only where there is an inside.
  Column<std::uint32_t> first_operations;
  Column<std::uint32_t> inner_messages;  // of the program, by message of inside; kNone: not posted
  RequestSlots inner_slots;
  struct {
    std::uint32_t first = 0, count = 0;
  } failed_polls;  // operations just before the next one
};

inline Operation of_kind(OpKind kind) {
  Operation operation;
  operation.kind = kind;
  return operation;
}

// Throws Error located by archive, rank and event.
[[noreturn]] void fail(const LocationState& location, std::string_view what);

// An operation that is not modelled; location.reason tells why, until the call in progress is judged.
Operation unmodelled(LocationState& location, std::string_view reason);

}  // namespace compiling
}  // namespace plumbline::replay
