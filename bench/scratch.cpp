#include "bench/scratch.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/error.hpp"

namespace plumbline::bench {

ScratchDirectory::ScratchDirectory(const std::filesystem::path& parent) {
  std::string name = (parent / ".plumbline-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(parent.string(), fmt::format("no directory can be made here: {}", std::strerror(errno)),
                "choose a directory that you may write to", ExitCode::kCannotRunHere);
  path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace plumbline::bench
