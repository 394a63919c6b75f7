#pragma once
// A call of MPI by one of our own algorithms, which are over bytes.

#include "bench/choose/arguments.hpp"

namespace plumbline::bench::choose {

// What ours cannot do; the same answer on every rank.
bool can_be_ours(const Arguments& arguments);

// Datatypes that are not built in are packed first, since other ranks may describe the same data otherwise.
void call(const algorithms::Implementation& implementation, const Arguments& arguments, MPI_Comm comm);

}  // namespace plumbline::bench::choose
