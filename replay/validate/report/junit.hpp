#pragma once
// A validation for CI systems: JUnit XML in the part that Jenkins' xunit plugin and pytest's xunit2 have in common
// (junit.xsd). One case for each check of the catalogue: a finding is a failure; what could not run, is not judged, is
// suppressed or was no part of this validation is skipped with its reason, and so is no pass.

#include <string>

#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

std::string junit_text(const Validation& validation);

}  // namespace plumbline::replay::validate
