#pragma once
// What tells one archive from another.

#include <filesystem>
#include <string>

namespace plumbline::replay {

// XXH3-128 of the archive's files, as hexadecimal text. A program has that of its archive as its property "source".
std::string content_hash(const std::filesystem::path& archive);

}  // namespace plumbline::replay
