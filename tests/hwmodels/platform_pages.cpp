// Keeps the schema and the pages of reference as hwmodels/platform/fields/fields.hpp says: what stands between two
// marks of a file is made anew, and compared or written.
//
//   platform_pages --check ROOT | --write ROOT

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "hwmodels/platform/fields/field_forms.hpp"

namespace {

namespace fs = std::filesystem;
using namespace plumbline::hw;

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Replaces what lies between the end of the line of `begin` and `end`, wherever they stand.
bool replace_between(std::string& text, const std::string& begin, std::string_view end, const std::string& made) {
  bool found = false;
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
    const std::size_t from = text.find('\n', at) + 1, to = text.rfind('\n', text.find(end, from)) + 1;
    text.replace(from, to - from, made);
    found = true;
  }
  return found;
}

std::string with_schema(std::string text) {
  std::string made;
  for (const std::string& part : described_parts()) made += schema_of(part);
  replace_between(text, "<!-- fields: begin -->", "<!-- fields: end -->", made);
  return text;
}

// `told`: the parts that some page tells.
std::string with_tables(std::string text, std::vector<std::string>& told) {
  for (const std::string& part : described_parts())
    if (replace_between(text, fmt::format("<!-- fields of {} -->", part), "<!-- end of fields -->",
                        "| attribute | | meaning |\n|---|---|---|\n" + table_of(part)))
      told.push_back(part);
  return text;
}

bool settle(const fs::path& path, const std::string& made, bool write) {
  if (made == contents(path)) return true;
  if (write) std::ofstream(path) << made;
  if (!write)
    fmt::print(stderr, "{} is not what hwmodels/platform/fields/fields.hpp says; platform_pages --write\n",
               path.string());
  return write;
}

}  // namespace

int main(int argc, char** argv) {
  const bool write = argc == 3 && std::string_view(argv[1]) == "--write";
  if (argc != 3 || (!write && std::string_view(argv[1]) != "--check")) {
    fmt::print(stderr, "usage: platform_pages --check ROOT | --write ROOT\n");
    return 2;
  }
  const fs::path root(argv[2]), schema = root / "hwmodels/platform/xml/platform.rng";
  bool fine = settle(schema, with_schema(contents(schema)), write);
  std::vector<std::string> told;
  for (const char* page : {"nodes", "network", "messages", "storage"}) {
    const fs::path path = root / fmt::format("docs/reference/platform-{}.md", page);
    fine = settle(path, with_tables(contents(path), told), write) && fine;
  }
  for (const std::string& part : described_parts())
    if (std::find(told.begin(), told.end(), part) == told.end()) {
      fmt::print(stderr, "no page of docs/reference tells the attributes of {}\n", part);
      fine = false;
    }
  return fine ? 0 : 1;
}
