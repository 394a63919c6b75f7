#include "base/files/nameless_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/error.hpp"

namespace plumbline {

NamelessFile::NamelessFile() : directory_((std::filesystem::temp_directory_path() / "plumbline-XXXXXX").string()) {
  if (::mkdtemp(directory_.data()) == nullptr)
    throw Error(directory_, "cannot be created: " + std::generic_category().message(errno), "set TMPDIR");
}

NamelessFile::~NamelessFile() {
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

}  // namespace plumbline
