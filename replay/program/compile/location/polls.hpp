#pragma once
// A program that waits by polls asks again and again until it is told. The tracer has made most of that one record;
// what it could not join (the program computed in between), and what other tools have recorded poll by poll, is joined
// here: the poll that was told something is the wait, from the first one that was told nothing.

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// The call that has just become an operation is a poll. What lies inside of one keeps it where it is.
void poll_ended(LocationState& location, bool has_inner);

}  // namespace plumbline::replay::compiling
