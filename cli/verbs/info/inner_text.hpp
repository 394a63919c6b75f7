#pragma once
// What happened inside of calls of the program, for people: `plumbline info --inside`.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tracer/archive/read/reader.hpp"

namespace plumbline::cli {

// "3", or "3:17": a rank, and one of its calls, counted from 0.
struct InsideOf {
  std::uint32_t rank = 0;
  std::optional<std::uint64_t> call;
};

// Throws Error for anything else.
InsideOf inside_of(std::string_view text);

// Of a rank: its calls inside of which something was recorded, a line each. Of a call: everything in it, in order, with
// times since its beginning. Throws Error when the archive has no such rank, or nothing inside of that call.
std::string inside_text(archive::Reader& reader, const InsideOf& what);

}  // namespace plumbline::cli
