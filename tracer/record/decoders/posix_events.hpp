#pragma once
// POSIX calls on files: by descriptors, or by names only. Streams of stdio: stream_events.hpp.

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

void unfinished_open(DecodingState& t, const OpenCall& call);  // also of a stream
void end_open(DecodingState& t, const OpenCall& call, Time time);

void descriptor_attributes(DecodingState& t, const OpenCall& call);
void unfinished_fd(DecodingState& t, const OpenCall& call);
void begin_fd(DecodingState& t, OpenCall& call);
void end_fd(DecodingState& t, const OpenCall& call, Time time);

void begin_access(DecodingState& t, OpenCall& call);
void end_access(DecodingState& t, const OpenCall& call, Time time);

void unfinished_seek(DecodingState& t, const OpenCall& call);
void end_seek(DecodingState& t, const OpenCall& call, Time time);

// A read of the one file and a write of the other, where they are followed.
void begin_copy(DecodingState& t, OpenCall& call);
void end_copy(DecodingState& t, const OpenCall& call, Time time);

void range_attributes(DecodingState& t, const OpenCall& call);
void begin_range(DecodingState& t, OpenCall& call);
void end_range(DecodingState& t, const OpenCall& call, Time time);

void end_close_range(DecodingState& t, const OpenCall& call, Time time);

void name_attributes(DecodingState& t, const OpenCall& call);
void map_attributes(DecodingState& t, const OpenCall& call);

// The path of the file behind a descriptor, where it is known.
void attach_path_behind(DecodingState& t, const OpenCall& call, std::int32_t fd);
// The descriptor is gone; with the last one of a file its handles.
void close_descriptor(DecodingState& t, std::int32_t fd, Time time);

}  // namespace plumbline::record
