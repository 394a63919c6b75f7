#pragma once
// Damaged texts for parsers.

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace plumbline::test {

// One to four edits: a byte changed, a piece removed or doubled, a word of the format put in or in the place of
// something; now and then the rest cut off.
inline std::string mutated(std::string text, std::span<const std::string_view> words, std::mt19937_64& random) {
  const auto below = [&](std::uint64_t end) { return static_cast<std::size_t>(random() % end); };
  for (std::uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
    const std::size_t at = below(text.size() + 1), length = below(40);
    const std::string_view word = words.empty() ? std::string_view("\0", 1) : words[below(words.size())];
    switch (random() % 6) {
      case 0:
        text.insert(at, word);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size() + 1), length));
        break;
      case 3:
        text.replace(at, length, word);
        break;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(random());
        break;
      default:
        if (random() % 8 == 0) text.resize(at);
    }
  }
  return text;
}

}  // namespace plumbline::test
