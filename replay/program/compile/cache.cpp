#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/files/nameless_file.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay/program/compile/content_hash.hpp"

namespace plumbline::replay {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::optional<Program> cached(const fs::path& file, const std::string& hash, CompileSummary& summary) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::nullopt;
  try {
    Program program = Program::open(file);
    if (program.property("source") != hash) return std::nullopt;
    summary.operations = number(program.property("operations"));
    summary.messages = number(program.property("messages"));
    summary.lacks = lines(program.property("lacks"));
    summary.remarks = lines(program.property("remarks"));
    summary.from_cache = true;
    summary.kept = file;
    return program;
  } catch (const Error&) {  // damaged, or of another version: made again
    return std::nullopt;
  }
}

bool is_writable(const fs::path& directory) { return ::access(directory.c_str(), W_OK | X_OK) == 0; }

std::optional<fs::path> user_cache() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "plumbline";
  if (home != nullptr && *home == '/') return fs::path(home) / ".cache" / "plumbline";
  return std::nullopt;
}

// Where the program of an archive may lie, best place first.
std::vector<fs::path> places(const fs::path& anchor, const std::string& hash) {
  std::vector<fs::path> places = {fs::absolute(anchor).parent_path() / "plumbline.program"};
  if (const std::optional<fs::path> cache = user_cache()) places.push_back(*cache / (hash + ".program"));
  return places;
}

// Nobody else can use it: it has no name once it is mapped.
Program compile_into_temporary_file(archive::Reader& reader, CompileSummary& summary, const std::string& source,
                                    Damage damage, Workers* workers) {
  const NamelessFile file;
  return compile(reader, file.path(), summary, source, damage, workers);
}

// `reader` is asked for only when the program has to be compiled.
template <class OpenReader>
Program cached_or_compiled(const fs::path& anchor, CompileSummary& summary, Workers* workers, OpenReader reader) {
  const std::string hash = content_hash(anchor);
  const std::vector<fs::path> files = places(anchor, hash);
  for (const fs::path& file : files)
    if (std::optional<Program> program = cached(file, hash, summary)) return std::move(*program);
  archive::Reader& opened = reader();
  for (const fs::path& file : files) {
    std::error_code ignored;
    if (file != files.front()) fs::create_directories(file.parent_path(), ignored);
    if (!is_writable(file.parent_path())) continue;
    Program program = compile(opened, file, summary, hash, Damage::kRefuse, workers);
    summary.kept = file;
    return program;
  }
  return compile_into_temporary_file(opened, summary, hash, Damage::kRefuse, workers);
}

}  // namespace

Program program_of(const fs::path& archive, CompileSummary& summary, Workers* workers) {
  const fs::path anchor = archive::find_anchor(archive);
  std::optional<archive::Reader> reader;
  return cached_or_compiled(anchor, summary, workers, [&]() -> archive::Reader& { return reader.emplace(anchor); });
}

Program program_of(archive::Reader& reader, CompileSummary& summary, Workers* workers) {
  return cached_or_compiled(reader.anchor(), summary, workers, [&]() -> archive::Reader& { return reader; });
}

Program readable_part_of(const fs::path& archive, CompileSummary& summary, Workers* workers) {
  archive::Reader reader(archive);
  return compile_into_temporary_file(reader, summary, content_hash(reader.anchor()), Damage::kLeaveOut, workers);
}

}  // namespace plumbline::replay
