#pragma once
// Collectives, those of neighbours, and what makes and frees communicators.

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

void unfinished_collective(DecodingState& t, const OpenCall& call);
void begin_collective(DecodingState& t, OpenCall& call);
void end_collective(DecodingState& t, const OpenCall& call, Time time);

void neighbour_attributes(DecodingState& t, const OpenCall& call);
void begin_neighbour(DecodingState& t, OpenCall& call);

// Making and freeing a communicator synchronises like a collective of those who take part.
void unfinished_comm(DecodingState& t, const OpenCall& call);
void begin_comm(DecodingState& t, OpenCall& call);
void end_comm(DecodingState& t, const OpenCall& call, Time time);

}  // namespace plumbline::record
