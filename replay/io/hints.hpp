#pragma once
// Hints of MPI-IO by name, as a user asks for them.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::replay::io {

// "romio_cb_write=enable" into `hints`. Throws Error, located at `where`, on a word without "=", on a hint that the
// models do not know (with the nearest ones) and on a value that its hint cannot have.
void ask_hint(std::string_view text, const std::string& where, std::map<std::string, std::string>& hints);

// All hints that the models know.
std::vector<std::string> hint_names();

}  // namespace plumbline::replay::io
