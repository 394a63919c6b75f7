#include "cli/paths.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace plumbline::cli {
namespace {

bool lies_in(const std::filesystem::path& path, const std::filesystem::path& directory) {
  return std::mismatch(directory.begin(), directory.end(), path.begin(), path.end()).first == directory.end();
}

}  // namespace

void require_distinct(const std::filesystem::path& output, std::initializer_list<std::filesystem::path> inputs) {
  if (output.empty() || !std::filesystem::exists(output)) return;
  const std::filesystem::path target = std::filesystem::weakly_canonical(output);
  for (const std::filesystem::path& input : inputs) {
    if (input.empty() || !std::filesystem::exists(input)) continue;
    const std::filesystem::path source = std::filesystem::weakly_canonical(input);
    if (lies_in(source, target) || lies_in(target, source))
      throw Error(output.string(), "is an input as well, and is not replaced", "choose another name for the output");
  }
}

}  // namespace plumbline::cli
