#pragma once
// What the decoders of one thread's records work on (record_decoders.hpp).

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "tracer/record/definitions/process.hpp"
#include "tracer/record/events/event_output.hpp"
#include "tracer/record/events/inside_events.hpp"
#include "tracer/record/events/open_call.hpp"
#include "tracer/record/events/recording_switches.hpp"
#include "tracer/record/events/rma_epochs.hpp"
#include "tracer/record/events/run_delay.hpp"

namespace plumbline::record {

struct DecodingState {
  // `write` takes the events of the thread's location, with times that do not decrease.
  DecodingState(Process& of, InsideEvents& inside_of, std::function<void(const archive::Event&)> write)
      : process(of),
        world(of.world()),
        ids(world.attributes),
        inside(inside_of),
        out(world, inside, std::move(write)),
        switches(of.facts().switches) {}

  Process& process;
  DefinitionRegistry& world;
  const AttributeIds& ids;
  InsideEvents& inside;
  EventOutput out;
  std::vector<OpenCall> calls;                // the innermost last
  std::map<std::uint32_t, RmaEpochs> epochs;  // by window, of this thread
  RunDelay run_delay;
  RecordingSwitches switches;
  std::uint64_t next_matching = std::uint64_t{1} << 32;  // of I/O operations and one-sided ones: above all request ids
};

}  // namespace plumbline::record
