#pragma once
// The second pass over one thread of a spool: its records, in the order of their beginnings, become events in the order
// of time. What lies inside another call (a POSIX call of an MPI-IO call, a message of a collective) goes to the
// location inside of this thread (inside_events.hpp).

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/record/inside_events.hpp"
#include "tracer/record/process.hpp"
#include "tracer/record/rma_epochs.hpp"
#include "tracer/record/words.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::record {

class ThreadEvents {
 public:
  // `write` takes the events, with times that do not decrease.
  ThreadEvents(Process& process, InsideEvents& inside, std::function<void(const archive::Event&)> write)
      : process_(process),
        world_(process.world()),
        ids_(process.world().attributes),
        inside_(inside),
        write_(std::move(write)) {}

  // Its first records have given way to newer ones; before take().
  void lacks_beginning() { lacks_beginning_ = true; }
  void take(const spool::Record& record);
  // Closes what is still open. Then last() is the time of the last event.
  void finish();
  Time last() const { return last_; }

 private:
  // A call that has been entered and not left.
  struct Frame {
    explicit Frame(const spool::Record& of);
    std::span<const std::uint64_t> payload() const;

    spool::Record record;
    Time begin;
    std::array<std::uint64_t, 6> few{};  // the payload where the record has it for now only
    std::vector<std::uint64_t> many;     // if it is longer
    const FunctionFact* function = nullptr;
    std::uint32_t region = archive::kUndefined;
    std::uint32_t mpi_file = 0;                  // that it works on
    std::uint32_t handle = archive::kUndefined;  // likewise
    std::uint64_t matching = 0;                  // of its I/O operation
    std::uint32_t target = archive::kUndefined;  // of a copy: the handle that is written to
    std::uint64_t target_matching = 0;
    bool is_inside = false;               // of another call; its events are those of inside
    std::uint64_t inner_records = 0;      // of an outermost call: those made inside of it
    std::uint32_t error = PL_ERROR_NONE;  // that it returned, or, of a call that never did, must have met
    bool has_effect = true;               // else only its times are told
  };

  void take_message(const spool::Record& record, const FunctionFact& function);
  void open(const spool::Record& record);
  void close(Frame& frame);
  void close_down_to(std::size_t depth);

  // The half of a call's events that belongs to its beginning, and to its end.
  void begin(Frame& frame);
  void end(Frame& frame, Time time);

  void enter_attributes(const Frame& frame);
  void wait_attributes(const Frame& frame, const Words& words);

  void probe_attributes(const Frame& frame, const Words& words);
  void poll_attributes(const Frame& frame, std::uint32_t folded);
  std::string text_of(const spool::Poll& poll);
  void add_run_delay(std::uint64_t ns, std::uint64_t most_ticks);
  void neighbour_attributes(const Words& words);
  void unfinished_attributes(const Frame& frame, const Words& words);
  void unfinished_receive(const Words& words, std::size_t first);
  void unfinished_on_comm(std::uint32_t id);
  void unfinished_on_file(std::uint32_t mpi_file);
  void switches_until(std::uint64_t ticks);
  void begin_late(std::uint64_t ticks);
  void mark(bool on, Time time);

  void begin_send(const Frame& frame, const Words& words);
  void begin_receive(const Frame& frame, const Words& words);
  void end_receive(std::int32_t source, std::int32_t tag, std::uint64_t bytes, std::uint32_t comm,
                   std::int32_t posted_source, std::int32_t posted_tag, Time time);
  void end_wait(const Frame& frame, const Words& words, Time time);
  void complete_send_of(const OpenRequest& both, Time time);
  void complete(std::uint64_t request, const pl_completion& completion, Time time);
  void begin_isendrecv(const Frame& frame, const Words& words);
  void begin_start(const Frame& frame, const Words& words);
  void start(const Frame& frame, std::uint32_t persistent, std::uint32_t request);
  void begin_neighbour(const Words& words);
  void describe_collective(const OpenRequest& open);
  void begin_collective(const Frame& frame, const Words& words);
  void end_collective(const Frame& frame, const Words& words, Time time);
  void begin_comm(const Frame& frame, const Words& words);
  void end_comm(const Frame& frame, const Words& words, Time time);

  void window_attributes(const Frame& frame, const Words& words);
  void begin_window(const Frame& frame, const Words& words);
  void end_window(const Words& words, Time time);
  void end_window_free(std::uint32_t window, std::uint32_t id, Time time);
  void end_window_collective(std::uint32_t window, archive::CollectiveOp op, int level, Time time);
  void begin_one_sided(const Frame& frame, const Words& words);
  void attach_layout(std::uint32_t attribute, std::uint32_t type);
  void begin_window_sync(const Frame& frame, const Words& words);
  void end_window_sync(const Frame& frame, const Words& words, Time time);
  void end_flush(std::string_view name, std::uint32_t window, std::optional<std::uint32_t> rank, Time time);
  void end_memory_sync(std::uint32_t window, Time time);
  void complete_locally(std::uint32_t window, std::optional<std::uint32_t> rank, Time time);
  void complete_operations(archive::EventKind kind, std::uint32_t window, const RmaEpochs::Operations& operations,
                           Time time);
  void end_window_group(const Frame& frame, const Words& words, Time time);
  void group_sync(std::uint32_t window, std::uint32_t group, int level, Time time);
  void end_access(std::uint32_t window, Time time);
  void end_exposure(std::uint32_t window, Time time);

  void end_file_open(const Frame& frame, const Words& words, Time time);
  void begin_file(Frame& frame, const Words& words);
  void end_file(const Frame& frame, const Words& words, Time time);
  void begin_access(Frame& frame, const Words& words);
  void end_access(const Frame& frame, const Words& words, Time time);
  void end_file_seek(const Frame& frame, const Words& words, Time time);
  void end_announcement(const Frame& frame, const Words& words, Time time);
  void end_posix_open(const Frame& frame, const Words& words, Time time);
  void begin_posix_fd(Frame& frame, const Words& words);
  void end_posix_fd(const Frame& frame, const Words& words, Time time);
  void begin_posix_access(Frame& frame, const Words& words);
  void end_posix_access(const Frame& frame, const Words& words, Time time);
  void end_posix_seek(const Frame& frame, const Words& words, Time time);

  void close_descriptor(std::int32_t fd, Time time);

  void begin_copy(Frame& frame, const Words& words);
  void end_copy(const Frame& frame, const Words& words, Time time);
  void begin_range(Frame& frame, const Words& words);
  void end_range(const Frame& frame, Time time);
  void submit(const Frame& frame, const Words& words, std::size_t first);
  void submitted(const Words& words, std::size_t first, bool failed, Time time);
  void begin_list(const Frame& frame, const Words& words);
  void end_list(const Words& words, Time time);
  void end_asynchronous(const Words& words, Time time);
  void file_attributes(const Frame& frame, const Words& words);

  void end_stream(const Frame& frame, const Words& words, Time time);
  void begin_stream_access(Frame& frame, const Words& words);
  void end_stream_access(const Frame& frame, const Words& words, Time time);
  void end_stream_seek(const Frame& frame, const Words& words, Time time);

  void hint_attributes(const Frame& frame, std::uint32_t mpi_file);
  void attach_offset(std::int64_t offset);
  archive::Event io_begin(Frame& frame, std::uint64_t bytes, Time time);
  std::uint32_t enclosing_mpi_handle() const;

  void attach(std::uint32_t attribute, std::uint64_t value);
  void attach_signed(std::uint32_t attribute, std::int64_t value);
  void attach_text(std::uint32_t attribute, std::string_view text);
  void attach_string(std::uint32_t attribute, archive::StringId text);
  // Writes the event with what has been attached, to where the innermost call is. It gets its time and attributes, and
  // is not copied: a copy of what has just been filled in waits until all of it is in the cache.
  void emit(archive::Event& event, Time time);
  void emit_outside(archive::Event& event, Time time);

  Process& process_;
  World& world_;
  const AttributeIds& ids_;
  InsideEvents& inside_;
  std::function<void(const archive::Event&)> write_;
  std::vector<Frame> stack_;
  std::vector<archive::AttributeValue> attached_;
  std::map<std::uint32_t, RmaEpochs> epochs_;  // by window, of this thread
  Time last_;
  std::uint64_t next_matching_ = std::uint64_t{1} << 32;  // above all request ids
  std::uint64_t run_delay_ns_ = 0;                        // latest reading
  bool run_delay_known_ = false;
  std::size_t next_switch_ = 0;
  bool lacks_beginning_ = false;
  Duration pending_run_delay_;
};

}  // namespace plumbline::record
