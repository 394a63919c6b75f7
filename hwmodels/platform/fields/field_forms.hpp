#pragma once
// The forms of fields() for people and checkers: the definitions of the schema, and the tables of the reference.

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::hw {

// "disk", "range" ...: the parts that fields() describes, in the order of the reference.
std::vector<std::string> described_parts();

// RELAX NG: `<define name="disk-fields">` with one attribute for each field, and those of spread and source that
// parameters have. Indented for a grammar.
std::string schema_of(std::string_view part);

// Markdown: one row for each field, `| name | what kind, whether it is required | meaning |`, without a head.
std::string table_of(std::string_view part);

}  // namespace plumbline::hw
