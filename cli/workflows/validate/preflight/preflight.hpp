#pragma once
// The first stage: who runs where, before anything is measured on top of nonsense.

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Starts our program once with each MPI, reads what every rank and node tells, and judges it. Returns whether it makes
// sense to go on; what speaks against it is a fatal diagnosis. Throws Error (kCannotRunHere) where ranks do not start.
bool check_start(Session& session);

// After something has failed: whether more can be. Where a disk is full, or this MPI starts not as many ranks as at the
// start, that is the fault of the stage, and all is over. A program that fails by itself ends nothing.
void end_where_nothing_runs(Session& session, std::string_view stage, const Mpi& mpi);

// The counters of the nodes when all is done: what has grown belongs to the validation, or to who else was there.
void read_counters_again(Session& session);

}  // namespace plumbline::cli::validate
