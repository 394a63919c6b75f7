#pragma once
// The second pass over one thread of a spool: its records, in the order of their beginnings, become events in the order
// of time. What lies inside another call (a POSIX call of an MPI-IO call, a message of a collective) goes to the
// location inside of this thread (inside_events.hpp).

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tracer/record/decoding_state.hpp"
#include "tracer/record/words.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::record {

class ThreadEvents {
 public:
  // `write` takes the events, with times that do not decrease.
  ThreadEvents(Process& process, InsideEvents& inside, std::function<void(const archive::Event&)> write)
      : state_(process, inside, std::move(write)) {}

  // Its first records have given way to newer ones; before take().
  void lacks_beginning() { state_.switches.lacks_beginning(); }
  void take(const spool::Record& record);
  // Closes what is still open. Then last() is the time of the last event.
  void finish();
  Time last() const { return state_.out.last(); }

 private:
  void take_message(const spool::Record& record, const FunctionFact& function);
  void open(const spool::Record& record);
  void close(OpenCall& frame);
  void close_down_to(std::size_t depth);
  void close_those_over(std::uint64_t ticks);

  // The half of a call's events that belongs to its beginning, and to its end.
  void begin(OpenCall& frame);
  void end(OpenCall& frame, Time time);

  void enter_attributes(const OpenCall& frame);
  void wait_attributes(const OpenCall& frame, const Words& words);

  void probe_attributes(const OpenCall& frame, const Words& words);
  void poll_attributes(const OpenCall& frame, std::uint32_t folded);
  std::string text_of(const spool::Poll& poll);
  void neighbour_attributes(const Words& words);
  void unfinished_attributes(const OpenCall& frame, const Words& words);
  void unfinished_receive(const Words& words, std::size_t first);
  void unfinished_on_comm(std::uint32_t id);
  void unfinished_on_file(std::uint32_t mpi_file);

  void begin_send(const OpenCall& frame, const Words& words);
  void begin_receive(const OpenCall& frame, const Words& words);
  void end_receive(std::int32_t source, std::int32_t tag, std::uint64_t bytes, std::uint32_t comm,
                   std::int32_t posted_source, std::int32_t posted_tag, Time time);
  void end_wait(const OpenCall& frame, const Words& words, Time time);
  void complete_send_of(const OpenRequest& both, Time time);
  void complete(std::uint64_t request, const pl_completion& completion, Time time);
  void begin_isendrecv(const OpenCall& frame, const Words& words);
  void begin_start(const OpenCall& frame, const Words& words);
  void start(const OpenCall& frame, std::uint32_t persistent, std::uint32_t request);
  void begin_neighbour(const Words& words);
  void describe_collective(const OpenRequest& open);
  void begin_collective(const OpenCall& frame, const Words& words);
  void end_collective(const OpenCall& frame, const Words& words, Time time);
  void begin_comm(const OpenCall& frame, const Words& words);
  void end_comm(const OpenCall& frame, const Words& words, Time time);

  void window_attributes(const OpenCall& frame, const Words& words);
  void begin_window(const OpenCall& frame, const Words& words);
  void end_window(const Words& words, Time time);
  void end_window_free(std::uint32_t window, std::uint32_t id, Time time);
  void end_window_collective(std::uint32_t window, archive::CollectiveOp op, int level, Time time);
  void begin_one_sided(const OpenCall& frame, const Words& words);
  void attach_layout(std::uint32_t attribute, std::uint32_t type);
  void begin_window_sync(const OpenCall& frame, const Words& words);
  void end_window_sync(const OpenCall& frame, const Words& words, Time time);
  void end_flush(std::string_view name, std::uint32_t window, std::optional<std::uint32_t> rank, Time time);
  void end_memory_sync(std::uint32_t window, Time time);
  void complete_locally(std::uint32_t window, std::optional<std::uint32_t> rank, Time time);
  void complete_operations(archive::EventKind kind, std::uint32_t window, const RmaEpochs::Operations& operations,
                           Time time);
  void end_window_group(const OpenCall& frame, const Words& words, Time time);
  void group_sync(std::uint32_t window, std::uint32_t group, int level, Time time);
  void end_access(std::uint32_t window, Time time);
  void end_exposure(std::uint32_t window, Time time);

  void end_file_open(const OpenCall& frame, const Words& words, Time time);
  void begin_file(OpenCall& frame, const Words& words);
  void end_file(const OpenCall& frame, const Words& words, Time time);
  void begin_access(OpenCall& frame, const Words& words);
  void end_access(const OpenCall& frame, const Words& words, Time time);
  void end_file_seek(const OpenCall& frame, const Words& words, Time time);
  void end_announcement(const OpenCall& frame, const Words& words, Time time);
  void end_posix_open(const OpenCall& frame, const Words& words, Time time);
  void begin_posix_fd(OpenCall& frame, const Words& words);
  void end_posix_fd(const OpenCall& frame, const Words& words, Time time);
  void begin_posix_access(OpenCall& frame, const Words& words);
  void end_posix_access(const OpenCall& frame, const Words& words, Time time);
  void end_posix_seek(const OpenCall& frame, const Words& words, Time time);

  void close_descriptor(std::int32_t fd, Time time);

  void begin_copy(OpenCall& frame, const Words& words);
  void end_copy(const OpenCall& frame, const Words& words, Time time);
  void begin_range(OpenCall& frame, const Words& words);
  void end_range(const OpenCall& frame, Time time);
  void submit(const OpenCall& frame, const Words& words, std::size_t first);
  void submitted(const Words& words, std::size_t first, bool failed, Time time);
  void begin_list(const OpenCall& frame, const Words& words);
  void end_list(const Words& words, Time time);
  void end_asynchronous(const Words& words, Time time);
  void file_attributes(const OpenCall& frame, const Words& words);

  void end_stream(const OpenCall& frame, const Words& words, Time time);
  void begin_stream_access(OpenCall& frame, const Words& words);
  void end_stream_access(const OpenCall& frame, const Words& words, Time time);
  void end_stream_seek(const OpenCall& frame, const Words& words, Time time);

  void hint_attributes(const OpenCall& frame, std::uint32_t mpi_file);
  void attach_offset(std::int64_t offset);
  archive::Event io_begin(OpenCall& frame, std::uint64_t bytes, Time time);
  std::uint32_t enclosing_mpi_handle() const;

  DecodingState state_;
};

}  // namespace plumbline::record
