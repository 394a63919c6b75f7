#pragma once
// Files on servers of one's choice, where the file system tells which a file is on.

#include <filesystem>
#include <string>
#include <vector>

namespace plumbline::bench {

// Servers that a file made in `directory` can be on alone, sorted; empty where the file system does not tell, or where
// a file is on several. Makes files there and removes them.
std::vector<std::string> servers_seen(const std::filesystem::path& directory);

// A new, empty file in `directory` that is on this server. Throws Error when none of many names leads there.
std::filesystem::path file_on_server(const std::filesystem::path& directory, const std::string& server);

}  // namespace plumbline::bench
