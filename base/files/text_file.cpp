#include "base/files/text_file.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "base/error.hpp"

namespace plumbline {

std::string read_text_file(const std::filesystem::path& path, std::string_view hint, std::size_t most) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw Error(path.string(), "cannot be read", std::string(hint));
  std::string text;
  std::array<char, 65536> part;
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most)
      throw Error(path.string(), fmt::format("has more than {} MiB, which no such file has", most >> 20),
                  std::string(hint));
  }
  if (file.bad()) throw Error(path.string(), "cannot be read to its end", std::string(hint));
  return text;
}

}  // namespace plumbline
