#include "replay/program/compile/content_hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/files/mapped_file.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::replay {
namespace {

namespace fs = std::filesystem;

// The anchor, its definitions and everything in its folder, by name.
std::vector<fs::path> archive_files(const fs::path& anchor) {
  fs::path stem = anchor;
  stem.replace_extension();
  std::vector<fs::path> files = {anchor};
  const fs::path definitions = stem.string() + ".def";
  if (fs::exists(definitions)) files.push_back(definitions);
  if (fs::is_directory(stem))
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(stem))
      if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

struct FreeHash {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

}  // namespace

std::string content_hash(const fs::path& archive) {
  const fs::path anchor = fs::absolute(archive::find_anchor(archive));
  const std::unique_ptr<XXH3_state_t, FreeHash> state(XXH3_createState());
  XXH3_128bits_reset(state.get());
  for (const fs::path& file : archive_files(anchor)) {
    const MappedFile mapped(file);
    const std::string head =
        fmt::format("{} {}\n", file.lexically_relative(anchor.parent_path()).string(), mapped.bytes().size());
    XXH3_128bits_update(state.get(), head.data(), head.size());
    XXH3_128bits_update(state.get(), mapped.bytes().data(), mapped.bytes().size());
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace plumbline::replay
