#pragma once
// Every check that `plumbline validate` knows, with what `plumbline explain ID` tells of it. Ids are stable: they are
// what users suppress and what CI systems count.

#include <span>
#include <string>
#include <string_view>

#include "replay/validate/checks/check.hpp"
#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

// In the order in which they are reported.
std::span<const Check> catalogue();

const Check* find_check(std::string_view id);  // nullptr: there is none

// The lines of a check as a diagnosis carries them.
Remedy remedy_of(const Check& check);

// For a terminal. Throws Error (kWrongUse) naming the nearest ids where there is no such check.
std::string explain(std::string_view id);

// Ids and titles of all checks, grouped by stage, for a terminal.
std::string list_of_checks();

// "pre-flight", "witnesses", "rules", "suite".
std::string_view word(Stage stage);

// "before anything is measured".
std::string_view meaning(Stage stage);

// "did you mean 'net.link.rate'?", for an id that is none.
std::string nearest_checks(std::string_view id);

}  // namespace plumbline::replay::validate
