#pragma once
// Polls: what a run of them tells on the Enter of the call that ended it, and probes.

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

// `folded`: into this call, where the record tells no more.
void poll_attributes(DecodingState& t, const OpenCall& call, std::uint32_t folded);
void timed_attributes(DecodingState& t, const OpenCall& call);  // of a call that is only timed (MPI_Parrived)

void probe_attributes(DecodingState& t, const OpenCall& call);
void end_probe(DecodingState& t, const OpenCall& call, Time time);

}  // namespace plumbline::record
