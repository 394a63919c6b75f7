#pragma once
// Calls of MPI that failed: what the class of the error is called, and whether anybody else has noticed.

#include <cstdint>
#include <string_view>

#include "tracer/record/definitions/facts.hpp"
#include "tracer/spool/format/payload.hpp"

namespace plumbline::record {

// Of an enum pl_error: "MPI_ERR_RANK".
std::string_view name_of_error(std::uint32_t error);

// Whether what failed so has taken part in communication, so that what it did is told as if it had succeeded: a receive
// has taken the message that was too long for it; a call of all ranks has failed on the way, after its arguments were
// found to be good. What MPI finds wrong with the arguments it finds before it does anything. `layout`: enum pl_layout.
bool has_effect_in_spite_of(std::uint32_t error, std::uint32_t layout);

// The error that MPI must find in the arguments of a call that never returned, where the record shows it; else none. By
// the default error handler MPI ends the program inside of the call.
std::uint32_t refusal_of(const FunctionFact& function, spool::Words payload, const ProcessFacts& facts);

}  // namespace plumbline::record
