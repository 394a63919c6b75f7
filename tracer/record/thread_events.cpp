#include "tracer/record/thread_events.hpp"

#include <algorithm>

#include "tracer/record/failed_calls.hpp"

namespace plumbline::record {

using archive::Event;
using archive::EventKind;
using archive::kUndefined;

ThreadEvents::Frame::Frame(const spool::Record& of) : record(of) {
  if (!record.unpacked) return;
  const std::size_t n = record.payload.size();
  if (n > few.size()) {
    many.assign(record.payload.begin(), record.payload.end());
    return;
  }
  for (std::size_t i = 0; i < few.size(); ++i)  // word by word, as they have just been written: see emit()
    few[i] = i < n ? record.payload[i] : 0;
}

std::span<const std::uint64_t> ThreadEvents::Frame::payload() const {
  if (!record.unpacked) return record.payload;
  return many.empty() ? std::span(few).first(record.payload.size()) : std::span(many);
}

void ThreadEvents::attach(std::uint32_t attribute, std::uint64_t value) {
  archive::AttributeValue& added = attached_.emplace_back();
  added.attribute = attribute;
  added.u64 = value;
}

void ThreadEvents::attach_signed(std::uint32_t attribute, std::int64_t value) {
  archive::AttributeValue& added = attached_.emplace_back();
  added.attribute = attribute;
  added.i64 = value;
}

void ThreadEvents::attach_string(std::uint32_t attribute, archive::StringId text) {
  archive::AttributeValue& added = attached_.emplace_back();
  added.attribute = attribute;
  added.string = text;
}

void ThreadEvents::attach_text(std::uint32_t attribute, std::string_view text) {
  if (!text.empty()) attach_string(attribute, world_.definitions.strings.intern(text));
}

void ThreadEvents::emit(Event& event, Time time) {
  if (stack_.empty() || !stack_.back().is_inside) return emit_outside(event, time);
  event.attributes = attached_;
  inside_.add(event, time);
  attached_.clear();
}

void ThreadEvents::emit_outside(Event& event, Time time) {
  last_ = std::max(last_, time);
  event.time = last_;
  event.attributes = attached_;
  write_(event);
  attached_.clear();
}

// What was waited since the last reading, but not more than the gaps that it was read after.
void ThreadEvents::add_run_delay(std::uint64_t ns, std::uint64_t most_ticks) {
  if (run_delay_known_ && ns > run_delay_ns_ && most_ticks > 0) {
    const std::uint64_t waited = std::min<std::uint64_t>(ns - run_delay_ns_, 1'000'000'000'000'000);
    pending_run_delay_ += std::min(nanoseconds(static_cast<std::int64_t>(waited)), process_.duration(most_ticks));
  }
  run_delay_ns_ = ns;
  run_delay_known_ = true;
}

void ThreadEvents::take(const spool::Record& record) {
  if (record.function == PL_DEF_RUN_DELAY)
    return add_run_delay(Words(record.payload)[0], record.end > record.begin ? record.end - record.begin : 0);
  if (record.function >= PL_DEFINITIONS) return;
  const FunctionFact& function = *process_.function(record.function).fact;
  if (lacks_beginning_ && !is_of_inside(function.layout)) begin_late(record.begin);
  for (std::size_t depth = 0; depth < stack_.size(); ++depth) {
    const spool::Record& outer = stack_[depth].record;
    if (!outer.done || outer.end > record.begin) continue;
    close_down_to(depth);
    break;
  }
  const std::optional<std::uint64_t>& window_end = process_.facts().window_end;
  if (stack_.empty() && window_end && record.begin >= *window_end) return;
  if (function.layout == PL_LAYOUT_INNER_MESSAGE || function.layout == PL_LAYOUT_INNER_END)
    return take_message(record, function);
  switches_until(record.begin);
  open(record);
}

// The ends of messages are known from the first pass.
void ThreadEvents::take_message(const spool::Record& record, const FunctionFact& function) {
  pending_run_delay_ = {};  // read after a gap inside of the call in progress
  const bool in_call = !stack_.empty() && !stack_.front().is_inside;
  if (in_call) ++stack_.front().inner_records;
  if (function.layout == PL_LAYOUT_INNER_END) return;
  std::vector<std::uint64_t> started;
  if (in_call)
    started = started_collectives(*stack_.front().function, Words(stack_.front().payload()), process_.facts());
  inside_.post(record, function.name.find("send") != std::string::npos, started);
}

void ThreadEvents::finish() {
  close_down_to(0);
  inside_.finish();
  if (lacks_beginning_) mark(false, {});
  switches_until(UINT64_MAX);
}

void ThreadEvents::mark(bool on, Time time) {
  Event event;
  event.kind = EventKind::kMeasurementOnOff;
  event.offset = on ? 1 : 0;
  emit_outside(event, time);
}

// Off from the start to its first record; what was switched meanwhile changes nothing.
void ThreadEvents::begin_late(std::uint64_t ticks) {
  lacks_beginning_ = false;
  mark(false, {});
  mark(true, process_.time(ticks));
  const std::vector<SwitchFact>& switches = process_.facts().switches;
  while (next_switch_ < switches.size() && switches[next_switch_].ticks <= ticks) ++next_switch_;
}

// Every thread has them, whichever called MPI_Pcontrol: nothing is recorded on any of them in between.
void ThreadEvents::switches_until(std::uint64_t ticks) {
  const std::vector<SwitchFact>& switches = process_.facts().switches;
  for (; next_switch_ < switches.size() && switches[next_switch_].ticks <= ticks; ++next_switch_)
    mark(switches[next_switch_].on, process_.time(switches[next_switch_].ticks));
}

void ThreadEvents::close_down_to(std::size_t depth) {
  while (stack_.size() > depth) {
    close(stack_.back());
    stack_.pop_back();
  }
}

void ThreadEvents::open(const spool::Record& record) {
  if (!stack_.empty()) ++stack_.front().inner_records;
  Frame& frame = stack_.emplace_back(record);
  const FunctionUse& use = process_.function(record.function);
  const bool is_of_library = use.fact->layout == PL_LAYOUT_INNER_CALL;
  frame.function = use.fact;
  frame.begin = process_.time(record.begin);
  frame.region = is_of_library ? process_.inner_call_region(Words(frame.payload()).low(0)) : use.region;
  frame.is_inside = stack_.size() > 1 || is_of_library;
  frame.error = record.done ? record.error : refusal_of(*use.fact, Words(frame.payload()), process_.facts());
  frame.has_effect = frame.error == PL_ERROR_NONE || has_effect_in_spite_of(frame.error, use.fact->layout);
  if (!frame.is_inside) {
    ++process_.tally.operations;
    inside_.begin_call(frame.region, frame.begin);
  }
  enter_attributes(frame);
  frame.record.polls = nullptr;  // it is there for now only
  Event event;
  event.kind = EventKind::kEnter;
  event.region = frame.region;
  emit(event, frame.begin);
  if (frame.has_effect) begin(frame);
}

void ThreadEvents::close(Frame& frame) {
  const bool done = frame.record.done;
  const Time time = done ? process_.time(frame.record.end) : process_.last_time();
  if (done && frame.has_effect) end(frame, time);
  if (frame.error != PL_ERROR_NONE) attach_text(ids_.error_class, name_of_error(frame.error));
  if (!done) {
    attach(ids_.unfinished, 1);
    if (frame.function->layout != PL_LAYOUT_INNER_CALL) process_.tally.unfinished.push_back(frame.function->name);
  }
  if (!frame.is_inside && frame.inner_records != 0) attach(ids_.inner_records, frame.inner_records);
  Event event;
  event.kind = EventKind::kLeave;
  event.region = frame.region;
  emit(event, time);
  if (!frame.is_inside)
    inside_.end_call(time, !done,
                     frame.has_effect ? started_collectives(*frame.function, Words(frame.payload()), process_.facts())
                                      : std::vector<std::uint64_t>{});
}

void ThreadEvents::enter_attributes(const Frame& frame) {
  const Words words(frame.payload());
  if (const spool::PollRun* run = frame.record.polls; run != nullptr && run->run_delay_ns != 0)
    add_run_delay(run->run_delay_ns, run->long_gaps);
  if (const auto site = process_.site(frame.record.site)) attach_string(ids_.site, *site);
  if (pending_run_delay_ > Duration{}) attach(ids_.run_delay, static_cast<std::uint64_t>(pending_run_delay_.ps));
  pending_run_delay_ = {};
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

void ThreadEvents::probe_attributes(const Frame& frame, const Words& words) {
  attach_signed(ids_.posted_source, words.low_signed(0));
  attach_signed(ids_.posted_tag, words.high_signed(0));
  if (const std::uint32_t comm = process_.comm(words.low(2)); comm != kUndefined) attach(ids_.comm, comm);
  poll_attributes(frame, words.high(4));
}

void ThreadEvents::begin(Frame& frame) {
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
        frame.handle = process_.mpi_handle(frame.mpi_file);  // POSIX calls inside refer to it
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

void ThreadEvents::end(Frame& frame, Time time) {
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
      attach_signed(ids_.found_source, words.low_signed(3));
      attach_signed(ids_.found_tag, words.high_signed(3));
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
      if (words.low(1) != 0) end_exposure(process_.window(words.low(0)), time);
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
      for (const std::int32_t fd : process_.descriptors(words.low(0), words.high(0))) close_descriptor(fd, time);
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
void ThreadEvents::end_announcement(const Frame& frame, const Words& words, Time time) {
  const std::int64_t fd = words.i64(1);
  if (!words.has(2) || fd < 0 || fd > INT32_MAX) return;
  OpenFile* known = process_.known(static_cast<std::int32_t>(fd), words.low(0));
  if (known == nullptr) {
    end_posix_open(frame, words, time);
    known = &process_.file(static_cast<std::int32_t>(fd), frame.record.begin);
  }
  known->position.reset();
}

std::uint32_t ThreadEvents::enclosing_mpi_handle() const {
  for (std::size_t i = stack_.size(); i != 0; --i)
    if (stack_[i - 1].mpi_file != 0) return stack_[i - 1].handle;
  return kUndefined;
}

}  // namespace plumbline::record
