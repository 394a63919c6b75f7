#pragma once
// OTF2 gives each archive a random identity. Ours follows from the content, so that the same events give the same
// bytes.

#include <filesystem>

namespace plumbline::archive {

// Replaces the identity in the anchor file of a closed archive in `directory` by a hash of its other files and of the
// anchor itself without it. Left as it is when the identity is not found there exactly once.
void set_trace_id_by_content(const std::filesystem::path& directory);

}  // namespace plumbline::archive
