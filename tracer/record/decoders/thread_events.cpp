#include "tracer/record/decoders/thread_events.hpp"

#include "tracer/record/decoders/record_decoders.hpp"
#include "tracer/record/events/collective_owners.hpp"
#include "tracer/record/events/failed_calls.hpp"

namespace plumbline::record {

using archive::Event;
using archive::EventKind;

namespace {

bool is_of_message(std::uint32_t layout) { return layout == PL_LAYOUT_INNER_MESSAGE || layout == PL_LAYOUT_INNER_END; }

std::vector<std::uint64_t> collectives_of(const OpenCall& call, const Process& process) {
  return started_collectives(*call.function, call.payload(), process.facts());
}

// What MPI has found wrong with the call, or must have found where it never returned.
std::uint32_t error_of(const OpenCall& call, const Process& process) {
  return call.record.done ? call.record.error : refusal_of(*call.function, call.payload(), process.facts());
}

// A record that is too short for its layout is damaged: only its times are told.
bool has_effect(const OpenCall& call, Process& process) {
  const std::uint32_t layout = call.function->layout;
  if (call.payload().size() < spool::least_words(layout)) {
    ++process.tally.short_records;
    return false;
  }
  return call.error == PL_ERROR_NONE || has_effect_in_spite_of(call.error, layout);
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
  call.error = error_of(call, process);
  call.has_effect = has_effect(call, process);
  state_.out.set_inside(call.is_inside);
  if (!call.is_inside) {
    ++process.tally.operations;
    state_.inside.begin_call(call.region, call.begin);
  }
  enter(call);
}

void ThreadEvents::enter(OpenCall& call) {
  const RecordDecoder& decoder = decoder_of(call.function->layout);
  if (const spool::PollRun* run = call.record.polls; run != nullptr && run->run_delay_ns != 0)
    state_.run_delay.read(run->run_delay_ns, state_.process.duration(run->long_gaps));
  if (const auto site = state_.process.site(call.record.site)) state_.out.attach_string(state_.ids.site, *site);
  if (const Duration delay = state_.run_delay.take(); delay > Duration{})
    state_.out.attach(state_.ids.run_delay, static_cast<std::uint64_t>(delay.ps));
  if (call.has_effect && decoder.attributes != nullptr) decoder.attributes(state_, call);
  if (call.has_effect && decoder.unfinished != nullptr && !call.record.done) decoder.unfinished(state_, call);
  call.record.polls = nullptr;  // it is there for now only
  Event event;
  event.kind = EventKind::kEnter;
  event.region = call.region;
  state_.out.emit(event, call.begin);
  if (call.has_effect && decoder.begin != nullptr) decoder.begin(state_, call);
}

void ThreadEvents::close(OpenCall& call) {
  Process& process = state_.process;
  const bool done = call.record.done;
  const Time time = done ? process.time(call.record.end) : process.last_time();
  const RecordDecoder& decoder = decoder_of(call.function->layout);
  if (done && call.has_effect && decoder.end != nullptr) decoder.end(state_, call, time);
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

}  // namespace plumbline::record
