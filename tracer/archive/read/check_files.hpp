#pragma once
// What can be seen of an archive's files before OTF2 opens them: libotf2 trusts some of their contents and would end
// the process (docs/internals/archive.md).

#include <cstdint>
#include <filesystem>

namespace plumbline::archive {

// Each throws Error when the file is missing, unreadable or obviously not what it should be.
void check_anchor(const std::filesystem::path& anchor);
void check_definitions(const std::filesystem::path& anchor);
// Returns whether the location has definitions of its own to be read.
bool check_location(const std::filesystem::path& anchor, std::uint64_t location);

}  // namespace plumbline::archive
