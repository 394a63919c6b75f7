#pragma once
// What an archive holds of processes that were recorded without MPI.

#include "tracer/archive/read/reader.hpp"

namespace plumbline::cli {

bool has_servers(const archive::Definitions& definitions);

// Each process, and what they all called; nothing when there are none.
void print_servers(archive::Reader& reader);

}  // namespace plumbline::cli
