#pragma once
// Spool directories that nobody assembles: their `record` was killed. A directory is held, by a lock on it that ends
// with its process, as long as somebody will see to it.

#include <filesystem>
#include <string>
#include <vector>

namespace plumbline::record {

// Until this process ends.
void hold_directory(const std::filesystem::path& directory);

// It stays on purpose, and its user has been told.
void mark_kept(const std::filesystem::path& directory);

// How names of spool directories begin: ${TMPDIR:-/tmp}/plumbline-USER-.
std::string spool_directory_stem();

// Directories of this user below ${TMPDIR:-/tmp} with spools in them that nobody holds and nobody kept on purpose.
std::vector<std::filesystem::path> orphaned_spools();

}  // namespace plumbline::record
