#pragma once
// A term of a guideline as its file has it: "neighbor_alltoall(b) topology=moore radius=2 place=loopback".

#include <optional>
#include <string>
#include <string_view>

#include "bench/rules/rules.hpp"

namespace plumbline::bench {

// The term, or in `fault` what is wrong with it.
std::optional<Term> term_of(std::string_view text, std::string& fault);

// As it would be written.
std::string text_of(const Term& term);

}  // namespace plumbline::bench
