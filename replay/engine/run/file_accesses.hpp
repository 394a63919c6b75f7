#pragma once
// Operations on files: open, close, sync, and accesses in the ideal form (docs/models/replay-files.md).

#include "replay/engine/run/run.hpp"

namespace plumbline::replay::engine {

// The communicator of an operation on an MPI file.
std::uint32_t comm_of(const Run& run, std::uint32_t rank, const Operation& op);

// Whether the operation is one of all ranks of its communicator.
bool synchronises(const Run& run, std::uint32_t rank, const Operation& op);

// Begins an operation on a file.
void start_io(Run& run, std::uint32_t rank, const Operation& op);

// Makes the next call of an access, at its time; the rank has its CPU until it is over. True while it must wait.
bool access_next(Run& run, std::uint32_t rank, const Operation& op);

// Opens, closes or synchronises a file. True while the rank must wait.
bool metadata(Run& run, std::uint32_t rank, const Operation& op);

}  // namespace plumbline::replay::engine
