#pragma once
// Calls of a location that failed: as the archive says, or as the arguments in their records show. Archives that do not
// say which calls failed have records of them as if they had been done.

#include <string_view>

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// Whether the library must have refused the call because its communicator has no such rank.
bool refuses_rank(LocationState& location, const archive::Event& event, const CommOfRank& comm,
                  std::string_view error_class);

// Whether the library must have refused the call by what the record tells that it was asked for. Its call is one
// operation for each request that it posts. What a record tells that has come from a rank is not asked here: a rank
// that there is not is a fault of the archive then.
bool refuses(LocationState& location, const archive::Event& event);

// Whether the call has failed: neither its records nor its name say then what it does.
bool has_no_effect(const LocationState& location);

// Keeps what the end of the call says of its failure.
void note_failure(LocationState& location, const archive::Event* leave);

}  // namespace plumbline::replay::compiling
