#pragma once
// A place for a file that is needed only as long as it is mapped, such as a program, and which needs no name.

#include <filesystem>
#include <string>

namespace plumbline {

// In the directory for temporary files; nothing is left of it.
class NamelessFile {
 public:
  NamelessFile();
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  std::filesystem::path path() const { return std::filesystem::path(directory_) / "program"; }

 private:
  std::string directory_;
};

}  // namespace plumbline
