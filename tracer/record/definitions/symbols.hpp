#pragma once
// Return addresses as "function (file.c:12)". Debug information is looked up in the modules' files, offline; what is
// missing shortens the answer: "function+0x1c", "libfoo.so+0x1234", "0x7f0012345678".

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumbline::record {

// An executable mapping of a traced process: a line of /proc/self/maps.
struct Mapping {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t offset = 0;  // in the file
  std::string path;
};

// Executable mappings of files; what is no such line is left out.
std::vector<Mapping> parse_mappings(std::string_view maps);

class Symbols {
 public:
  Symbols();
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  // What names are to be turned into.
  void show_as(std::function<std::string(const std::string&)> show) { show_ = std::move(show); }

  // `return_address`: the call is the instruction before it.
  std::string name(std::uint64_t return_address, const std::vector<Mapping>& mappings);

 private:
  struct Module;
  Module& module(const std::string& path);
  std::string look_up(const std::string& path, std::uint64_t file_offset);

  std::function<std::string(const std::string&)> show_;
  std::map<std::string, std::unique_ptr<Module>> modules_;
  std::map<std::pair<std::string, std::uint64_t>, std::string> names_;  // by module and offset in its file
};

}  // namespace plumbline::record
