#pragma once
// What an MPI library says of how it was built and set, beside the standard's calls.

#include <string>
#include <string_view>
#include <vector>

#include "base/node/rank_identity.hpp"

namespace plumbline::bench {

// What in the library or its `version` (MPI_Get_library_version) says that it is a debug build; empty: nothing.
std::string debug_build(std::string_view version);

// Ranks that wait in the library give their processor away.
bool yields_when_idle();

// Those that decide how messages go, with who has set them: "pml", "btl", "UCX_TLS"; "pml.selected" and "device" are
// what the library chose.
std::vector<node::RankSetting> settings_of_transports(std::string_view version);

// The options of "MPICH configure:" in `version` by which MPICH is built for debugging; empty: there are none.
std::string debug_options_of_mpich(std::string_view version);

}  // namespace plumbline::bench
