#pragma once
// MCA variables of the Open MPI that this process has loaded, looked up by name
// (tracer/preload/mpi/facts/mca_variables.c tells why so). Under another MPI there are none.

#include <optional>
#include <string>

#include "base/node/rank_identity.hpp"

namespace plumbline::bench {

bool has_mca_variable(const char* name);

// Of a variable that is true or false; false where there is none.
bool mca_truth(const char* name);

// Of a variable that is a text, with who has set it; nullopt where there is none, or it is empty.
std::optional<node::RankSetting> mca_text(const char* name);

// The component for messages that is in use: "ob1". Empty: it is not known.
std::string selected_pml();

}  // namespace plumbline::bench
