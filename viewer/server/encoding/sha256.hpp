#pragma once
// SHA-256 (FIPS 180-4), which a Content-Security-Policy names inline scripts by.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline::viewer {

std::array<std::uint8_t, 32> sha256(std::string_view text);

// RFC 4648, with padding.
std::string base64(std::string_view bytes);

// "sha256-…" of a script's text, as a policy writes it.
std::string policy_hash(std::string_view script);

}  // namespace plumbline::viewer
