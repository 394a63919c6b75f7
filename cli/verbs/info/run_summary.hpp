#pragma once
// What an archive says about its run as a whole, for people: how MPI was set up and the ranks placed, and what the
// nodes counted meanwhile.

#include <string>

#include "tracer/archive/read/reader.hpp"

namespace plumbline::cli {

// One block of lines, grouped. What all ranks have in common is said once; where they differ, with the ranks.
std::string describe_run(const archive::Definitions& definitions);

// A line per node that was sampled; empty when none was.
std::string describe_nodes(archive::Reader& reader);

}  // namespace plumbline::cli
