#include "base/text/xml_text.hpp"

#include <cstddef>
#include <cstdint>

namespace plumbline {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

struct Decoded {
  std::size_t bytes = 0;  // 0: no character begins here
  std::uint32_t character = 0;
};

// By table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing beyond U+10FFFF.
Decoded decoded(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return {1, first};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  std::uint32_t character = first & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    character = character << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t kLeast[]{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  if (character < kLeast[bytes] || surrogate || character > 0x10ffff) return {};
  return {bytes, character};
}

// Char of XML 1.0, section 2.2, without the C1 controls.
bool is_allowed(std::uint32_t character) {
  if (character < 0x20) return character == '\t' || character == '\n';
  return !(character >= 0x7f && character < 0xa0) && character != 0xfffe && character != 0xffff;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Decoded next = decoded(text);
    const std::size_t bytes = next.bytes == 0 ? 1 : next.bytes;
    out += next.bytes != 0 && is_allowed(next.character) ? text.substr(0, bytes) : kReplacement;
    text.remove_prefix(bytes);
  }
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : xml_text(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

}  // namespace plumbline
