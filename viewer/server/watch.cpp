#include "viewer/server/watch.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>
#include <utility>

namespace plumbline::viewer {
namespace {

constexpr std::int64_t kMostRead = 16 << 20;  // bytes: definitions of thousands of ranks are smaller

std::uint64_t hash_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::hash<std::string>()(text.str());
}

WatchedFile look_at(const std::filesystem::path& path) {
  WatchedFile file{path};
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return file;
  file.bytes = status.st_size;
  file.modified = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  return file;
}

WatchedFile with_content(WatchedFile file) {
  if (file.bytes >= 0 && file.bytes <= kMostRead) file.content = hash_of(file.path);
  return file;
}

bool is_as_before(const WatchedFile& before) {
  WatchedFile now = look_at(before.path);
  if (now.bytes != before.bytes) return false;
  return now.modified == before.modified || (before.content != 0 && with_content(now).content == before.content);
}

}  // namespace

WatchedArchive watch(std::string name, std::span<const std::filesystem::path> files) {
  WatchedArchive archive{std::move(name), {}};
  for (const std::filesystem::path& path : files) archive.files.push_back(with_content(look_at(path)));
  return archive;
}

std::vector<std::string> changes(std::span<const WatchedArchive> archives) {
  std::vector<std::string> sentences;
  for (const WatchedArchive& archive : archives) {
    const bool gone = std::ranges::any_of(
        archive.files, [](const WatchedFile& file) { return file.bytes >= 0 && look_at(file.path).bytes < 0; });
    if (gone)
      sentences.push_back(fmt::format("{} is gone: what is shown is what was opened", archive.name));
    else if (!std::ranges::all_of(archive.files, is_as_before))
      sentences.push_back(
          fmt::format("{} has changed since it was opened: end plumbline view and start it again", archive.name));
  }
  return sentences;
}

}  // namespace plumbline::viewer
