#include "tracer/record/thread_events.hpp"

#include <algorithm>

#include "tracer/record/failed_calls.hpp"

namespace plumbline::record {

using archive::Event;
using archive::EventKind;
using archive::kUndefined;

namespace {

bool is_of_message(std::uint32_t layout) { return layout == PL_LAYOUT_INNER_MESSAGE || layout == PL_LAYOUT_INNER_END; }

std::vector<std::uint64_t> collectives_of(const OpenCall& call, const Process& process) {
  return started_collectives(*call.function, Words(call.payload()), process.facts());
}

// Whether recording goes on is told at the time of each switch, whichever call it lies in.
auto marks(DecodingState& t) {
  return [&t](bool on, std::optional<std::uint64_t> ticks) {
    Event event;
    event.kind = EventKind::kMeasurementOnOff;
    event.offset = on ? 1 : 0;
    t.out.emit_outside(event, ticks ? t.process.time(*ticks) : Time{});
  };
}

}  // namespace

void ThreadEvents::take(const spool::Record& record) {
  Process& process = state_.process;
  if (record.function == PL_DEF_RUN_DELAY) {
    const std::uint64_t gap = record.end > record.begin ? record.end - record.begin : 0;
    return state_.run_delay.read(spool::decode<pl_def_run_delay_payload>(record.payload).waited_ns,
                                 process.duration(gap));
  }
  if (record.function >= PL_DEFINITIONS) return;
  const FunctionFact& function = *process.function(record.function).fact;
  if (state_.switches.awaits_first() && !is_of_inside(function.layout))
    state_.switches.begin_late(record.begin, marks(state_));
  close_those_over(record.begin);
  const std::optional<std::uint64_t>& window_end = process.facts().window_end;
  if (state_.calls.empty() && window_end && record.begin >= *window_end) return;
  if (is_of_message(function.layout)) return take_message(record, function);
  state_.switches.reach(record.begin, marks(state_));
  open(record);
}

// The outermost call that has ended by then, and all inside of it.
void ThreadEvents::close_those_over(std::uint64_t ticks) {
  for (std::size_t depth = 0; depth < state_.calls.size(); ++depth) {
    const spool::Record& outer = state_.calls[depth].record;
    if (outer.done && outer.end <= ticks) return close_down_to(depth);
  }
}

// The ends of messages are known from the first pass.
void ThreadEvents::take_message(const spool::Record& record, const FunctionFact& function) {
  state_.run_delay.take();  // read after a gap inside of the call in progress
  const bool in_call = !state_.calls.empty() && !state_.calls.front().is_inside;
  if (in_call) ++state_.calls.front().inner_records;
  if (function.layout == PL_LAYOUT_INNER_END) return;
  std::vector<std::uint64_t> started;
  if (in_call) started = collectives_of(state_.calls.front(), state_.process);
  state_.inside.post(record, function.name.find("send") != std::string::npos, started);
}

void ThreadEvents::finish() {
  close_down_to(0);
  state_.inside.finish();
  state_.switches.finish(marks(state_));
}

void ThreadEvents::close_down_to(std::size_t depth) {
  std::vector<OpenCall>& calls = state_.calls;
  while (calls.size() > depth) {
    close(calls.back());
    calls.pop_back();
    state_.out.set_inside(!calls.empty() && calls.back().is_inside);
  }
}

void ThreadEvents::open(const spool::Record& record) {
  Process& process = state_.process;
  if (!state_.calls.empty()) ++state_.calls.front().inner_records;
  OpenCall& call = state_.calls.emplace_back(record);
  const FunctionUse& use = process.function(record.function);
  const bool is_of_library = use.fact->layout == PL_LAYOUT_INNER_CALL;
  call.function = use.fact;
  call.begin = process.time(record.begin);
  call.region = is_of_library ? process.inner_call_region(call.as<pl_inner_call_payload>().function) : use.region;
  call.is_inside = state_.calls.size() > 1 || is_of_library;
  call.error = record.done ? record.error : refusal_of(*use.fact, Words(call.payload()), process.facts());
  call.has_effect = call.error == PL_ERROR_NONE || has_effect_in_spite_of(call.error, use.fact->layout);
  state_.out.set_inside(call.is_inside);
  if (!call.is_inside) {
    ++process.tally.operations;
    state_.inside.begin_call(call.region, call.begin);
  }
  enter_attributes(call);
  call.record.polls = nullptr;  // it is there for now only
  Event event;
  event.kind = EventKind::kEnter;
  event.region = call.region;
  state_.out.emit(event, call.begin);
  if (call.has_effect) begin(call);
}

void ThreadEvents::close(OpenCall& call) {
  Process& process = state_.process;
  const bool done = call.record.done;
  const Time time = done ? process.time(call.record.end) : process.last_time();
  if (done && call.has_effect) end(call, time);
  if (call.error != PL_ERROR_NONE) state_.out.attach_text(state_.ids.error_class, name_of_error(call.error));
  if (!done) {
    state_.out.attach(state_.ids.unfinished, 1);
    if (call.function->layout != PL_LAYOUT_INNER_CALL) process.tally.unfinished.push_back(call.function->name);
  }
  if (!call.is_inside && call.inner_records != 0) state_.out.attach(state_.ids.inner_records, call.inner_records);
  Event event;
  event.kind = EventKind::kLeave;
  event.region = call.region;
  state_.out.emit(event, time);
  if (!call.is_inside)
    state_.inside.end_call(time, !done, call.has_effect ? collectives_of(call, process) : std::vector<std::uint64_t>{});
}

void ThreadEvents::enter_attributes(const OpenCall& frame) {
  const Words words(frame.payload());
  if (const spool::PollRun* run = frame.record.polls; run != nullptr && run->run_delay_ns != 0)
    state_.run_delay.read(run->run_delay_ns, state_.process.duration(run->long_gaps));
  if (const auto site = state_.process.site(frame.record.site)) state_.out.attach_string(state_.ids.site, *site);
  if (const Duration delay = state_.run_delay.take(); delay > Duration{})
    state_.out.attach(state_.ids.run_delay, static_cast<std::uint64_t>(delay.ps));
  if (!frame.has_effect) return;
  if (frame.function->layout == PL_LAYOUT_NONE) poll_attributes(frame, 0);
  if (frame.function->layout == PL_LAYOUT_WAIT) wait_attributes(frame, words);
  if (frame.function->layout == PL_LAYOUT_PROBE) probe_attributes(frame, words);
  if (frame.function->layout == PL_LAYOUT_NEIGHBOUR) neighbour_attributes(words);
  if (frame.function->layout == PL_LAYOUT_INNER_CALL && words.high(0) != 0) unfinished_on_comm(words.high(0));
  window_attributes(frame, words);
  file_attributes(frame, words);
  if (!frame.record.done) unfinished_attributes(frame, words);
}

void ThreadEvents::probe_attributes(const OpenCall& frame, const Words& words) {
  state_.out.attach_signed(state_.ids.posted_source, words.low_signed(0));
  state_.out.attach_signed(state_.ids.posted_tag, words.high_signed(0));
  if (const std::uint32_t comm = state_.process.comm(words.low(2)); comm != kUndefined)
    state_.out.attach(state_.ids.comm, comm);
  poll_attributes(frame, words.high(4));
}

void ThreadEvents::begin(OpenCall& frame) {
  const Words words(frame.payload());
  switch (frame.function->layout) {
    case PL_LAYOUT_SEND:
    case PL_LAYOUT_SENDRECV:
      return begin_send(frame, words);
    case PL_LAYOUT_RECV:
      return begin_receive(frame, words);
    case PL_LAYOUT_ISENDRECV:
      return begin_isendrecv(frame, words);
    case PL_LAYOUT_START:
      return begin_start(frame, words);
    case PL_LAYOUT_NEIGHBOUR:
      return begin_neighbour(words);
    case PL_LAYOUT_COLLECTIVE:
      return begin_collective(frame, words);
    case PL_LAYOUT_COMM:
      return begin_comm(frame, words);
    case PL_LAYOUT_WIN:
      return begin_window(frame, words);
    case PL_LAYOUT_WIN_SYNC:
      return begin_window_sync(frame, words);
    case PL_LAYOUT_RMA:
      return begin_one_sided(frame, words);
    case PL_LAYOUT_FILE_OPEN:
      if (frame.record.done && words.has(3) && words.high(2) == 0) {
        frame.mpi_file = words.low(2);
        frame.handle = state_.process.mpi_handle(frame.mpi_file);  // POSIX calls inside refer to it
      }
      return;
    case PL_LAYOUT_FILE:
    case PL_LAYOUT_FILE_VIEW:
    case PL_LAYOUT_FILE_SEEK:
      return begin_file(frame, words);
    case PL_LAYOUT_FILE_ACCESS:
      return begin_access(frame, words);
    case PL_LAYOUT_POSIX_FD:
      return begin_posix_fd(frame, words);
    case PL_LAYOUT_POSIX_ACCESS:
      return begin_posix_access(frame, words);
    case PL_LAYOUT_POSIX_COPY:
      return begin_copy(frame, words);
    case PL_LAYOUT_POSIX_RANGE:
      return begin_range(frame, words);
    case PL_LAYOUT_POSIX_AIO:
      return submit(frame, words, 0);
    case PL_LAYOUT_POSIX_AIO_LIST:
      return begin_list(frame, words);
    case PL_LAYOUT_POSIX_STREAM_ACCESS:
      return begin_stream_access(frame, words);
    default:
      return;
  }
}

void ThreadEvents::end(OpenCall& frame, Time time) {
  const Words words(frame.payload());
  switch (frame.function->layout) {
    case PL_LAYOUT_RECV:
      if (words.high(2) != 0) return;  // non-blocking: received when it is waited for
      return end_receive(words.low_signed(3), words.high_signed(3), words[1], words.low(2), words.low_signed(0),
                         words.high_signed(0), time);
    case PL_LAYOUT_SENDRECV:
      return end_receive(words.low_signed(5), words.high_signed(5), words[4], words.low(2), words.low_signed(3),
                         words.high_signed(3), time);
    case PL_LAYOUT_PROBE:
      if (words.low(4) == 0) return;
      state_.out.attach_signed(state_.ids.found_source, words.low_signed(3));
      state_.out.attach_signed(state_.ids.found_tag, words.high_signed(3));
      return;
    case PL_LAYOUT_WAIT:
      return end_wait(frame, words, time);
    case PL_LAYOUT_COLLECTIVE:
      return end_collective(frame, words, time);
    case PL_LAYOUT_COMM:
      return end_comm(frame, words, time);
    case PL_LAYOUT_WIN:
      return end_window(words, time);
    case PL_LAYOUT_WIN_SYNC:
      return end_window_sync(frame, words, time);
    case PL_LAYOUT_WIN_GROUP:
      return end_window_group(frame, words, time);
    case PL_LAYOUT_WIN_TEST:
      if (words.low(1) != 0) end_exposure(state_.process.window(words.low(0)), time);
      return;
    case PL_LAYOUT_FILE_OPEN:
      return end_file_open(frame, words, time);
    case PL_LAYOUT_FILE:
      return end_file(frame, words, time);
    case PL_LAYOUT_FILE_VIEW:
      return hint_attributes(frame, words.low(0));
    case PL_LAYOUT_FILE_SEEK:
      return end_file_seek(frame, words, time);
    case PL_LAYOUT_FILE_ACCESS:
      return end_access(frame, words, time);
    case PL_LAYOUT_POSIX_OPEN:
      return frame.function->name == "(open at start)" ? end_announcement(frame, words, time)
                                                       : end_posix_open(frame, words, time);
    case PL_LAYOUT_POSIX_STREAM_OPEN:
      return end_posix_open(frame, words, time);
    case PL_LAYOUT_POSIX_FD:
      return end_posix_fd(frame, words, time);
    case PL_LAYOUT_POSIX_ACCESS:
      return end_posix_access(frame, words, time);
    case PL_LAYOUT_POSIX_SEEK:
      return end_posix_seek(frame, words, time);
    case PL_LAYOUT_POSIX_COPY:
      return end_copy(frame, words, time);
    case PL_LAYOUT_POSIX_RANGE:
      return end_range(frame, time);
    case PL_LAYOUT_POSIX_CLOSE_RANGE:
      if (words.i64(1) < 0) return;
      for (const std::int32_t fd : state_.process.descriptors(words.low(0), words.high(0))) close_descriptor(fd, time);
      return;
    case PL_LAYOUT_POSIX_AIO:
      return submitted(words, 0, words.i64(4) < 0, time);
    case PL_LAYOUT_POSIX_AIO_LIST:
      return end_list(words, time);
    case PL_LAYOUT_POSIX_AIO_END:
      return end_asynchronous(words, time);
    case PL_LAYOUT_POSIX_STREAM:
      return end_stream(frame, words, time);
    case PL_LAYOUT_POSIX_STREAM_ACCESS:
      return end_stream_access(frame, words, time);
    case PL_LAYOUT_POSIX_STREAM_SEEK:
      return end_stream_seek(frame, words, time);
    default:
      return;
  }
}

// A file that was open when recording began or went on: wherever its position is. It may be one that we know.
void ThreadEvents::end_announcement(const OpenCall& frame, const Words& words, Time time) {
  const std::int64_t fd = words.i64(1);
  if (!words.has(2) || fd < 0 || fd > INT32_MAX) return;
  OpenFile* known = state_.process.known(static_cast<std::int32_t>(fd), words.low(0));
  if (known == nullptr) {
    end_posix_open(frame, words, time);
    known = &state_.process.file(static_cast<std::int32_t>(fd), frame.record.begin);
  }
  known->position.reset();
}

std::uint32_t ThreadEvents::enclosing_mpi_handle() const {
  for (std::size_t i = state_.calls.size(); i != 0; --i)
    if (state_.calls[i - 1].mpi_file != 0) return state_.calls[i - 1].handle;
  return kUndefined;
}

}  // namespace plumbline::record
