#include "tests/base/node/tree.hpp"

#include <filesystem>
#include <fstream>

namespace plumbline::node::test {

Tree& Tree::file(const std::string& path, const std::string& text) {
  const std::filesystem::path place = directory_.path().string() + path;
  std::filesystem::create_directories(place.parent_path());
  std::ofstream(place, std::ios::binary) << text;
  return *this;
}

Tree& Tree::link(const std::string& path, const std::string& target) {
  const std::filesystem::path place = directory_.path().string() + path;
  std::filesystem::create_directories(place.parent_path());
  std::filesystem::create_symlink(target, place);
  return *this;
}

std::string value(const Facts& facts, const std::string& name) { return std::string(facts.value(name)); }

}  // namespace plumbline::node::test
