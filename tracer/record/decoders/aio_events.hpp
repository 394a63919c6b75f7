#pragma once
// Asynchronous I/O of POSIX: an operation has the number that the tracer gave it, and ends in the call that told its
// end.

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

void begin_aio(DecodingState& t, OpenCall& call);
void end_aio(DecodingState& t, const OpenCall& call, Time time);

void begin_aio_list(DecodingState& t, OpenCall& call);
void end_aio_list(DecodingState& t, const OpenCall& call, Time time);

void end_aio_operation(DecodingState& t, const OpenCall& call, Time time);

}  // namespace plumbline::record
