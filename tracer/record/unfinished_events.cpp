// What is known of a call that has not returned, and that its records would tell only at its end: whom or what it
// waits for. Attributes of its Enter.

#include "tracer/record/thread_events.hpp"

namespace plumbline::record {

using archive::kUndefined;

void ThreadEvents::unfinished_attributes(const OpenCall& frame, const Words& words) {
  switch (frame.function->layout) {
    case PL_LAYOUT_RECV:
      return unfinished_receive(words, 0);
    case PL_LAYOUT_SENDRECV:
      return unfinished_receive(words, 3);
    case PL_LAYOUT_COLLECTIVE:
    case PL_LAYOUT_COMM:
      return unfinished_on_comm(words.low(0));
    case PL_LAYOUT_FILE_OPEN:
      state_.out.attach_text(state_.ids.path, state_.process.path(words.low(1)));
      return unfinished_on_comm(words.low(0));
    case PL_LAYOUT_FILE:
    case PL_LAYOUT_FILE_VIEW:
    case PL_LAYOUT_FILE_SEEK:
      return unfinished_on_file(words.low(0));
    case PL_LAYOUT_POSIX_OPEN:
    case PL_LAYOUT_POSIX_STREAM_OPEN:
      return state_.out.attach_text(state_.ids.path, state_.process.path(words.low(0)));
    case PL_LAYOUT_POSIX_FD:
    case PL_LAYOUT_POSIX_SEEK:
      if (frame.function->name != "fstat")  // which has it in any case
        state_.out.attach_text(state_.ids.path,
                               state_.process.known_file(words.low_signed(0), frame.record.begin).name);
      return;
    default:  // its Enter, or a record of its beginning, tells all that is known
      return;
  }
}

// `first`: word of the posted source and tag.
void ThreadEvents::unfinished_receive(const Words& words, std::size_t first) {
  if (words.high(2) != 0) return;  // non-blocking: it has a record
  state_.out.attach_signed(state_.ids.posted_source, words.low_signed(first));
  state_.out.attach_signed(state_.ids.posted_tag, words.high_signed(first));
  state_.out.attach(state_.ids.buffer_bytes, words[first + 1]);
  unfinished_on_comm(words.low(2));
}

void ThreadEvents::unfinished_on_comm(std::uint32_t id) {
  if (id == PL_COMM_NULL) return;
  if (const std::uint32_t comm = state_.process.comm(id); comm != kUndefined) state_.out.attach(state_.ids.comm, comm);
}

void ThreadEvents::unfinished_on_file(std::uint32_t mpi_file) {
  const auto fact = state_.process.facts().mpi_files.find(mpi_file);
  if (fact == state_.process.facts().mpi_files.end()) return;
  state_.out.attach_text(state_.ids.path, state_.process.path(fact->second.path));
  if (fact->second.comm != 0) unfinished_on_comm(fact->second.comm);
}

}  // namespace plumbline::record
