#pragma once
// Words and numbers of the texts in /proc and /sys.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::node {

// Takes the next line off the front; without its end.
std::string_view take_line(std::string_view& text);

// Takes the next word off the front; empty at the end.
std::string_view take_word(std::string_view& line);

std::vector<std::string_view> words_of(std::string_view line);

// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

// Decimal, and nothing else; nullopt: it is none, or too large.
std::optional<std::uint64_t> number_of(std::string_view word);

// The word in brackets of "always [madvise] never"; where there are none, all of it.
std::string_view chosen_of(std::string_view text);

// As a part of a name: no dots, no blanks.
std::string as_part(std::string_view text);

// Sorted so that cpu2 comes before cpu10.
void sort_naturally(std::vector<std::string>& names);

}  // namespace plumbline::node
