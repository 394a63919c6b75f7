#pragma once
// Messages: sends and receives, blocking and not.

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

void begin_send(DecodingState& t, OpenCall& call);  // SEND, SENDRECV

void unfinished_receive(DecodingState& t, const OpenCall& call);
void begin_receive(DecodingState& t, OpenCall& call);
void end_receive(DecodingState& t, const OpenCall& call, Time time);

void unfinished_sendrecv(DecodingState& t, const OpenCall& call);
void end_sendrecv(DecodingState& t, const OpenCall& call, Time time);

void begin_isendrecv(DecodingState& t, OpenCall& call);

}  // namespace plumbline::record
