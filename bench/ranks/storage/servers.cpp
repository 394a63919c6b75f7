#include "bench/ranks/storage/servers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <set>

#include "base/error.hpp"
#include "bench/storage/file.hpp"
#include "bench/storage/layout.hpp"

namespace plumbline::bench {
namespace {

// Servers are given out by a hash of the name or in turn: of n of them each is met in so many tries with a chance of
// 1 - n exp(-tries / n), 0.999 for 60.
constexpr int kTries = 640;
constexpr int kEnoughWithoutNew = 64;

// The one server of a new file; nothing where it is not told or not one.
std::optional<std::string> server_of_new(const std::filesystem::path& path) {
  const StorageFile file(path, O_RDWR | O_CREAT | O_EXCL);
  const std::optional<FileLayout> layout = layout_of(path);
  if (!layout || layout->count != 1 || layout->servers.empty()) return std::nullopt;
  return layout->servers.front();
}

}  // namespace

std::vector<std::string> servers_seen(const std::filesystem::path& directory) {
  std::set<std::string> seen;
  int since_new = 0;
  for (int i = 0; i < kTries && since_new < kEnoughWithoutNew; ++i) {
    const std::filesystem::path path = directory / fmt::format("seen{}", i);
    const std::optional<std::string> server = server_of_new(path);
    ::unlink(path.c_str());
    if (!server) return {};
    since_new = seen.insert(*server).second ? 0 : since_new + 1;
  }
  return {seen.begin(), seen.end()};
}

std::filesystem::path file_on_server(const std::filesystem::path& directory, const std::string& server) {
  for (int i = 0; i < kTries; ++i) {
    std::filesystem::path path = directory / fmt::format("on{}", i);
    if (server_of_new(path) == server) return path;
    ::unlink(path.c_str());
  }
  throw Error(directory.string(), fmt::format("of {} new files none is on server {}", kTries, server),
              "leave out the servers: servers=no", ExitCode::kCannotRunHere);
}

}  // namespace plumbline::bench
