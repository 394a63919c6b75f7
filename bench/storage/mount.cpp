#include "bench/storage/mount.hpp"

#include <cstdlib>
#include <sstream>

namespace plumbline::bench {
namespace {

// mountinfo writes blanks and the like as \ooo.
std::string unescaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      result += static_cast<char>(std::strtol(text.substr(i + 1, 3).c_str(), nullptr, 8));
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

bool is_below(const std::string& path, const std::string& directory) {
  if (directory == "/") return true;
  return path.starts_with(directory) && (path.size() == directory.size() || path[directory.size()] == '/');
}

}  // namespace

Mount mount_of(const std::string& path, const std::string& mountinfo) {
  Mount best{"/", "unknown"};
  bool found = false;
  std::istringstream lines(mountinfo);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string skipped, point, word, type;
    for (int i = 0; i < 4; ++i) words >> skipped;
    words >> point;
    while (words >> word && word != "-") {
    }
    words >> type;
    point = unescaped(point);
    if (!is_below(path, point) || (found && point.size() < best.point.size())) continue;
    best = {point, type};  // of equal ones the later is on top
    found = true;
  }
  return best;
}

}  // namespace plumbline::bench
