#pragma once
// What was asked for, held against what its family can do.

#include <cstdint>
#include <string_view>

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

// The request with the defaults of its family filled in. Throws Error where the family cannot do it. A parameter whose
// name ends in ".NAME", as "hint.NAME", stands for all that begin so, none of which must be given.
Request complete(const Family& family, Request request, std::uint32_t ranks);

// Parameters of a complete request. Throw Error where a number is no count, or below `least`.
double number(const Request& request, std::string_view name);
std::uint64_t count(const Request& request, std::string_view name, std::uint64_t least = 0);
const std::string& word(const Request& request, std::string_view name);
bool flag(const Request& request, std::string_view name);  // 0 or 1

// The place of the word among `known`. Throws Error, with what is known.
std::size_t choice(const Request& request, std::string_view name, std::span<const std::string_view> known);

// As the request names it, nothing measured.
Cell cell_of(const Request& request, std::uint64_t bytes);

// Throws Error for words of the effort that nobody knows.
plumbline_settings settings_of(const Effort& effort);

}  // namespace plumbline::bench
