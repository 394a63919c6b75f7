#pragma once
// Why no rank was recorded: what tracers and keepers have noted beside the spools
// (tracer/spool/format/reasons_format.h).

#include <filesystem>
#include <string>
#include <vector>

#include "tracer/spool/format/reasons_format.h"

namespace plumbline::record {

struct Reason {
  pl_reason rank = PL_REASON_NO_MPI;
  std::string text;  // "/home/me/app: is linked statically: .."
};

// One text once, those that explain most first.
std::vector<Reason> find_reasons(const std::vector<std::filesystem::path>& directories);

// "a; b; c and 2 more" of those that explain most; empty: there are none.
std::string reasons_text(const std::vector<Reason>& reasons);

// Written by keepers. What cannot be written is not: it only would have explained.
void note_reason(const std::filesystem::path& directory, pl_reason rank, const std::string& text);

// Notes that the preload library cannot get into the program, if that can be seen.
void note_if_out_of_reach(const std::filesystem::path& directory, const std::filesystem::path& program);

bool is_reason(const std::filesystem::path& file);
void remove_reasons(const std::filesystem::path& directory);

}  // namespace plumbline::record
