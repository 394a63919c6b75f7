#pragma once
// Requests: what starts persistent ones, and what tells that any are complete.

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

void begin_start(DecodingState& t, OpenCall& call);

void wait_attributes(DecodingState& t, const OpenCall& call);
void end_wait(DecodingState& t, const OpenCall& call, Time time);

}  // namespace plumbline::record
