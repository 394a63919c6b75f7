#pragma once
// Values in filter expressions: numbers, amounts of data, times and kinds of calls.

#include <cstdint>
#include <string_view>
#include <vector>

#include "viewer/index/filter/fields.hpp"
#include "viewer/index/filter/lexer.hpp"

namespace plumbline::viewer {

// Of a field of this type; Error at the token's place where the text is no such value.
std::int64_t value_of(const FieldInfo& field, const Token& token);

// What `compare` leaves of all values: `bytes > 5` is [6, most].
std::vector<ValueRange> ranges_of(std::string_view compare, std::int64_t value);

// "0-3,7", ascending, those that touch joined.
std::vector<ValueRange> list_of(const FieldInfo& field, const Token& token);

}  // namespace plumbline::viewer
