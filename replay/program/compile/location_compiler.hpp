#pragma once
// The compiler's core: the events of one rank's location, in order, become its operations in a ProgramBuilder.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/memory/flat_table.hpp"
#include "replay/program/compile/call_walker.hpp"
#include "replay/program/compile/collective_sizes.hpp"
#include "replay/program/compile/context.hpp"
#include "replay/program/compile/inner_posix.hpp"
#include "replay/program/compile/inside_compiler.hpp"
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

class LocationCompiler {
 public:
  // The caller has begun the rank in context.builder, and ends it with request_slots() after finish(). `inside`: what
  // was recorded inside of these calls, or null; lives as long as this.
  LocationCompiler(CompileContext& context, std::uint32_t rank, TracerCost cost, const InsideOfCalls* inside = nullptr);

  // Throws Error located by archive, rank and event. An event earlier than its predecessor is moved to it and counted.
  void event(const archive::Event& event);
  void finish();
  std::uint32_t request_slots() const { return slots_.count(); }
  std::uint32_t inner_slots() const { return inner_slots_.count(); }

 private:
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

  [[noreturn]] void fail(std::string_view what) const;

  // Calls: location_compiler.cpp.
  void outside(const archive::Event& event) const;
  void begin_call(const archive::Event& event);
  void end_call(const archive::Event* leave);  // null: it never ends
  void judge(std::uint32_t operation, Duration observed, Duration cost);
  Operation decide();
  Operation decide_by_name();
  Operation start_up();
  Operation comm_create(std::uint32_t comm, std::string_view reason);
  Operation unmodelled(std::string_view reason);
  void leave_unfinished(Operation& operation);

  // Messages, requests, collectives: location_messages.cpp.
  void inside(const archive::Event& event);
  CommOfRank comm_of(const archive::Event& event);
  std::int32_t peer_of(const archive::Event& event, const CommOfRank& comm) const;
  Message message_of(const archive::Event& event);
  std::uint8_t posted_flags(const archive::Event& event) const;
  static Operation operation_of(OpKind kind, const Message& message);
  Operation message_operation();
  void post(const archive::Event& event, OpKind kind);
  Operation posted_receive(const archive::Event& event);
  Operation posted_collective(const archive::Event& event, std::uint32_t slot);
  Operation never_completed(Operation operation);
  void abandon(const Request& request);
  std::optional<Request> take_request(std::uint64_t id);
  Operation& started_by(const Request& request);
  void complete(const Request& request);
  void receive_completed(const archive::Event& event);
  void request_cancelled(const archive::Event& event);
  void convert_own_completions();
  Operation wait();
  const std::vector<std::uint64_t>& numbers(archive::StringId text, std::string_view separators = ",");
  std::uint32_t counts(const archive::Event& event, std::uint32_t attribute, std::uint32_t ranks);
  std::optional<Operation> collective_of_event(const archive::Event& event, CollectiveTail& tail);
  void collective_ended(const archive::Event& event);
  void collective_completed(const archive::Event& event);
  void comm_created(const archive::Event& event);

  // Collectives of neighbours: location_neighbours.cpp.
  void begin_neighbourhood(const archive::Event& enter);
  std::uint64_t list_neighbours(const archive::Event& enter, std::uint32_t attribute, const CommOfRank& comm,
                                std::vector<Neighbour>& list);
  void complete_unrecorded(const archive::Event& leave);

  // Probes: location_probes.cpp.
  void begin_probe(const archive::Event& enter);
  void end_probe(const archive::Event& leave);

  // Calls that failed: location_failures.cpp.
  bool refuses(const archive::Event& event);
  bool refuse(std::string_view error_class, std::string_view what);
  bool refuses_rank(const archive::Event& event, const CommOfRank& comm, std::string_view error_class);
  bool has_no_effect() const;
  void note_failure(const archive::Event* leave);
  // Polls: location_polls.cpp.
  void poll_ended(bool has_inner);
  void join_polls(std::uint32_t success);

  // One-sided communication: location_windows.cpp.
  void window_attribute(const archive::AttributeValue& value);
  WindowOfRank window_of(const archive::Event& event);
  std::int32_t rank_of_window(const archive::Event& event);
  void window_event(const archive::Event& event);
  void window_made(const archive::Event& event);
  void window_collective(const archive::Event& event);
  void window_group(const archive::Event& event);
  void window_lock(const archive::Event& event);
  void window_transfer(const archive::Event& event);
  void one_sided_completed(const archive::Event& event);
  void on_window(OpKind kind, const archive::Event& event);
  std::optional<Operation> flush();
  Operation one_sided_operation();

  // I/O: location_io.cpp.
  bool is_mpi_io(const archive::Event& event) const;
  bool is_buffered(const archive::Event& event) const;
  void keep_hints(const archive::Event& event);
  void change_hints(const archive::Event& leave);
  std::uint16_t hints_of(std::uint32_t handle) const;
  void io_event(const archive::Event& event);
  void io_begins(const archive::Event& event, OpKind kind);
  void locate(const archive::Event& event, Io& io);
  void io_completes(const archive::Event& event);
  Operation io_operation();
  void nested(const archive::Event& event);
  void inner_event(const archive::Event& event);

  // The inner stream: location_inside.cpp.
  void find_inside();
  std::uint32_t records_inside(const archive::Event* leave) const;
  bool write_inner(Time end);  // whether there was anything
  void write_inside(Time end);
  bool write_between();
  std::optional<std::uint32_t> message_of_program(const InnerItem& recorded);
  std::uint32_t operation_of_call(std::uint32_t call) const;

  CompileContext& context_;
  ProgramBuilder& builder_;
  std::uint32_t rank_;
  TracerCost cost_;
  CallWalker walker_;
  std::uint64_t events_ = 0;
  Time now_;
  Call call_;
  std::vector<Operation> posts_;                // of the call in progress
  std::vector<OwnCompletion> own_completions_;  // requests that the call in progress both started and completed
  std::vector<std::uint32_t> completed_;        // slots whose wait is still to be written
  Column<std::uint32_t> unrecorded_posts_;      // operations of MPI_Irecv calls without a record of the post
  std::size_t next_unrecorded_ = 0;
  bool has_unrecorded_collectives_ = false;
  RequestSlots slots_;
  FlatTable<Request> requests_, io_requests_, one_sided_requests_;
  FlatTable<WindowOfRank> windows_;  // by window of the archive
  FlatTable<CommOfRank> comms_;
  DescriptorPositions positions_;
  std::vector<std::pair<std::uint32_t, std::uint16_t>> open_files_;  // handles of MPI-IO, each with its hints
  InnerPosix inner_;                                                 // of the call in progress
  std::vector<std::uint64_t> counts_;                                // scratch
  std::vector<Neighbour> to_, from_;                                 // of the call in progress
  std::string reason_;                                               // why the call in progress is not judged
  const InsideOfCalls* inside_;
  std::size_t next_inside_ = 0, next_between_ = 0;  // of its calls, of what lies between them
  std::uint32_t outermost_ = 0;                     // regions entered in no other: how the inside counts calls
  // By outermost region: the operations before it. Only where there is an inside.
  Column<std::uint32_t> first_operations_;
  Column<std::uint32_t> inner_messages_;  // of the program, by message of inside; kNone: not posted
  RequestSlots inner_slots_;
  struct {
    std::uint32_t first = 0, count = 0;
  } failed_polls_;  // operations just before the next one
};

}  // namespace plumbline::replay
