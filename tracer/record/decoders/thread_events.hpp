#pragma once
// The second pass over one thread of a spool: its records, in the order of their beginnings, become events in the order
// of time. Every call has an Enter and a Leave; what lies between, and their attributes, are of the family of its
// layout (record_decoders.hpp). What lies inside another call (a POSIX call of an MPI-IO call, a message of a
// collective) goes to the location inside of this thread (inside_events.hpp).

#include <functional>

#include "tracer/record/events/decoding_state.hpp"
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
  void enter(OpenCall& call);
  void close(OpenCall& call);
  void close_down_to(std::size_t depth);
  void close_those_over(std::uint64_t ticks);

  DecodingState state_;
};

}  // namespace plumbline::record
