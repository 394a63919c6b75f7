#pragma once
// stdio: what the program copied to and from the buffers of streams.

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

void end_stream_open(DecodingState& t, const OpenCall& call, Time time);

void stream_attributes(DecodingState& t, const OpenCall& call);
void end_stream(DecodingState& t, const OpenCall& call, Time time);

void begin_stream_access(DecodingState& t, OpenCall& call);
void end_stream_access(DecodingState& t, const OpenCall& call, Time time);

void end_stream_seek(DecodingState& t, const OpenCall& call, Time time);

}  // namespace plumbline::record
