#pragma once
// One-sided communication of a thread: windows, what is done on them and what completes it.
//
// Which call completes what is MPI's rule (MPI 4.0, 12.5 and 12.7): a flush and an unlock complete at both ends; a
// local flush, a fence and MPI_Win_complete at the origin, as far as its process can know; a wait of a request at the
// origin.

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

void begin_window(DecodingState& t, OpenCall& call);
void end_window(DecodingState& t, const OpenCall& call, Time time);

void begin_one_sided(DecodingState& t, OpenCall& call);

void window_sync_attributes(DecodingState& t, const OpenCall& call);
void begin_window_sync(DecodingState& t, OpenCall& call);
void end_window_sync(DecodingState& t, const OpenCall& call, Time time);

void window_group_attributes(DecodingState& t, const OpenCall& call);
void end_window_group(DecodingState& t, const OpenCall& call, Time time);

void window_test_attributes(DecodingState& t, const OpenCall& call);
void end_window_test(DecodingState& t, const OpenCall& call, Time time);

void window_attach_attributes(DecodingState& t, const OpenCall& call);

}  // namespace plumbline::record
