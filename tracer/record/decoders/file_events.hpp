#pragma once
// MPI-IO.

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

void unfinished_file_open(DecodingState& t, const OpenCall& call);
void begin_file_open(DecodingState& t, OpenCall& call);
void end_file_open(DecodingState& t, const OpenCall& call, Time time);

void unfinished_file(DecodingState& t, const OpenCall& call);  // FILE, FILE_VIEW, FILE_SEEK
void begin_file(DecodingState& t, OpenCall& call);             // likewise
void end_file(DecodingState& t, const OpenCall& call, Time time);
void end_file_view(DecodingState& t, const OpenCall& call, Time time);
void end_file_seek(DecodingState& t, const OpenCall& call, Time time);

void begin_file_access(DecodingState& t, OpenCall& call);
void end_file_access(DecodingState& t, const OpenCall& call, Time time);

}  // namespace plumbline::record
