#pragma once
// Attributes of an Enter that calls of several families have.

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

// A communicator of the process, unless it is none or not known.
void attach_comm(DecodingState& t, std::uint32_t id);
// Path and communicator of an MPI file of the process, as far as they are known.
void attach_mpi_file(DecodingState& t, std::uint32_t file);
// A place in a file; nothing where it is below 0.
void attach_offset(DecodingState& t, std::int64_t offset);

// Of a call of MPI by a library of MPI: its communicator.
void inner_call_attributes(DecodingState& t, const OpenCall& call);

}  // namespace plumbline::record
