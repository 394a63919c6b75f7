#pragma once
// What an archive holds of what libraries did inside of calls, for people.

#include <string>

#include "tracer/archive/read/reader.hpp"

namespace plumbline::cli {

// One line: how much there is and what told it, or why there is nothing; empty where the archive says neither. Reads
// the locations inside.
std::string describe_inside(archive::Reader& reader);

}  // namespace plumbline::cli
