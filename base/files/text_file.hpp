#pragma once
// A whole text file of a user, which is small: a campaign, a list. What never ends (/dev/zero) is told, not read.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace plumbline {

// Throws Error where it cannot be read or has more than `most` bytes; `hint` says what to do.
std::string read_text_file(const std::filesystem::path& path, std::string_view hint, std::size_t most = 16U << 20);

}  // namespace plumbline
