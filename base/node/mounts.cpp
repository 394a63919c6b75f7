#include "base/node/mounts.hpp"

#include <algorithm>

#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

std::string joined_options(std::string_view of_mount, std::string_view of_file_system) {
  std::string all(of_mount);
  while (!of_file_system.empty()) {
    const std::size_t end = std::min(of_file_system.find(','), of_file_system.size());
    const std::string_view option = of_file_system.substr(0, end);
    if (!option.empty() && !has_option(of_mount, option)) all.append(all.empty() ? "" : ",").append(option);
    of_file_system.remove_prefix(std::min(end + 1, of_file_system.size()));
  }
  return all;
}

bool is_at_or_above(std::string_view point, std::string_view path) {
  if (point == "/") return path.starts_with('/');
  return path.starts_with(point) && (path.size() == point.size() || path[point.size()] == '/');
}

}  // namespace

bool has_option(std::string_view options, std::string_view option) {
  while (!options.empty()) {
    const std::size_t end = std::min(options.find(','), options.size());
    if (options.substr(0, end) == option) return true;
    options.remove_prefix(std::min(end + 1, options.size()));
  }
  return false;
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 3 < text.size() && text[i + 1] < '4' && is_octal(text[i + 1]) &&
                        is_octal(text[i + 2]) && is_octal(text[i + 3]);
    if (escape) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// "36 35 98:0 /root /point rw,noatime shared:1 - ext4 /dev/sda1 rw,errors=continue"
std::vector<Mount> mounts_of(std::string_view mountinfo) {
  std::vector<Mount> mounts;
  while (!mountinfo.empty()) {
    const std::string_view line = take_line(mountinfo);
    const std::size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    const auto before = words_of(line.substr(0, dash)), behind = words_of(line.substr(dash + 3));
    if (before.size() < 6 || behind.size() < 2) continue;
    mounts.push_back({unescaped(before[4]), unescaped(before[3]), unescaped(behind[0]), unescaped(behind[1]),
                      unescaped(joined_options(before[5], behind.size() > 2 ? behind[2] : ""))});
  }
  return mounts;
}

const Mount* mount_of(std::string_view path, const std::vector<Mount>& mounts) {
  const Mount* longest = nullptr;
  for (const Mount& mount : mounts)
    if (is_at_or_above(mount.point, path) && (longest == nullptr || mount.point.size() >= longest->point.size()))
      longest = &mount;
  return longest;
}

}  // namespace plumbline::node
