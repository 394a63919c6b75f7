#pragma once
// Bodies in the form of gzip (RFC 1952), by zlib.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline::viewer {

// `level` 1 (fast) to 9 (small).
std::string gzip(std::string_view text, int level);

// Of a page, unpacked: larger ones are refused.
inline constexpr std::size_t kMostPageBytes = 64 << 20;

// Nothing where it is no gzip, is cut short, or is longer than `most`.
std::optional<std::string> gunzip(std::string_view data, std::size_t most);

// Whether a header Accept-Encoding takes gzip (RFC 9110, 12.5.3).
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace plumbline::viewer
