#pragma once
// I/O operations of whatever interface: their Begin and Complete, and the MPI-IO call that they may lie in.

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

// The call gets an operation of its own on its handle; the event is still to be filled in and emitted.
archive::Event operation_of(DecodingState& t, OpenCall& call, std::uint64_t bytes);
void complete_operation(DecodingState& t, std::uint32_t handle, std::uint64_t matching, std::uint64_t bytes, Time time);

// Handle of the innermost call on an MPI file that is in progress.
std::uint32_t enclosing_mpi_handle(const DecodingState& t);

// OTF2's access mode, creation flags (OTF2_IoCreationFlag) and status flags (OTF2_IoStatusFlag) in one number.
std::int64_t mode_of_mpi(std::uint32_t amode);
std::int64_t mode_of_posix(std::uint32_t flags);

// Of what a POSIX call has returned: a failed one has moved nothing.
inline std::uint64_t bytes_done(std::int64_t result) { return result > 0 ? static_cast<std::uint64_t>(result) : 0; }

}  // namespace plumbline::record
