#pragma once
// Comma-separated values (RFC 4180).

#include <string>
#include <string_view>

namespace plumbline {

// As a field of a line: in quotes where a comma, a quote or the end of a line in it would end it.
std::string csv_field(std::string_view text);

}  // namespace plumbline
