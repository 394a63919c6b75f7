#include "base/node/setting_line.hpp"

#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

// What is left of a line behind the comments that end in it; `inside`: in a comment that goes on.
std::string_view behind_comments(std::string_view line, bool& inside) {
  for (;;) {
    if (inside) {
      const std::size_t end = line.find("*/");
      if (end == std::string_view::npos) return {};
      line.remove_prefix(end + 2);
      inside = false;
    }
    line = trimmed(line);
    if (!line.starts_with("/*")) return line;
    line.remove_prefix(2);
    inside = true;
  }
}

// "name = value"; also "-mca name value" and "--mca name value", which such files may have.
bool sets(std::string_view line, std::string_view name) {
  if (line.starts_with("-mca ") || line.starts_with("--mca ")) {
    take_word(line);
    return take_word(line) == name;
  }
  return line.find('=') != std::string_view::npos && trimmed(line.substr(0, line.find('='))) == name;
}

}  // namespace

std::uint32_t setting_line(std::string_view text, std::string_view name) {
  std::uint32_t number = 0, last = 0;
  bool inside = false;
  while (!text.empty()) {
    ++number;
    const std::string_view line = behind_comments(take_line(text), inside);
    if (!line.starts_with('#') && !line.starts_with("//") && sets(line, name)) last = number;
  }
  return last;
}

}  // namespace plumbline::node
