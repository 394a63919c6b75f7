#pragma once
// A validation in which every member says something, for tests.

#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

// Two findings (a cable at half its rate: 4.1 s, and shared memory off: 2.1 s, of 20 s), one suppressed, observations
// with and without an explanation; every check of the catalogue passed, but for those that were found, four that could
// not run and two that are not judged.
Validation sample_validation();

// The same machine without anything found.
Validation healthy_validation();

}  // namespace plumbline::replay::validate
