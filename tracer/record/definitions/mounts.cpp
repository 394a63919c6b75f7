#include "tracer/record/definitions/mounts.hpp"

#include <algorithm>

namespace plumbline::record {
namespace {

std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// The kernel writes blanks, line ends and backslashes as \040 and the like.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 3 >= text.size() || !is_octal(text[i + 1]) || !is_octal(text[i + 2]) ||
        !is_octal(text[i + 3])) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return plain;
}

// Those of the mount, then those of the file system that are not among them.
std::string joined_options(std::string_view of_mount, std::string_view of_file_system) {
  std::string all(of_mount);
  while (!of_file_system.empty()) {
    const std::string_view option = take(of_file_system, ',');
    std::string_view rest = of_mount;
    bool known = option.empty();
    while (!known && !rest.empty()) known = take(rest, ',') == option;
    if (!known) all.append(all.empty() ? "" : ",").append(option);
  }
  return all;
}

bool is_at_or_above(std::string_view point, std::string_view path) {
  if (point == "/") return path.starts_with('/');
  return path.starts_with(point) && (path.size() == point.size() || path[point.size()] == '/');
}

}  // namespace

// "36 35 98:0 /root /point rw,noatime shared:1 - ext4 /dev/sda1 rw,errors=continue"
void Mounts::add(std::string_view mountinfo) {
  while (!mountinfo.empty()) {
    std::string_view line = take(mountinfo, '\n');
    const std::size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    std::string_view behind = line.substr(dash + 3);
    line = line.substr(0, dash);
    for (int field = 0; field < 4; ++field) take(line, ' ');
    Mount mount;
    mount.point = unescaped(take(line, ' '));
    const std::string_view options = take(line, ' ');
    mount.type = unescaped(take(behind, ' '));
    mount.source = unescaped(take(behind, ' '));
    mount.options = unescaped(joined_options(options, take(behind, ' ')));
    if (!mount.point.empty()) mounts_.push_back(std::move(mount));
  }
}

void Mounts::rename(const std::function<void(Mount&)>& rename) {
  for (Mount& mount : mounts_) rename(mount);
}

const Mount* Mounts::of(std::string_view path) const {
  const Mount* longest = nullptr;
  for (const Mount& mount : mounts_)
    if (is_at_or_above(mount.point, path) && (longest == nullptr || mount.point.size() >= longest->point.size()))
      longest = &mount;
  return longest;
}

}  // namespace plumbline::record
