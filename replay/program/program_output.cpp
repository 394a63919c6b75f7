#include "replay/program/program_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/files/mapped_file.hpp"

namespace plumbline::replay {
namespace {

// Beside the file that its bytes will be in, where there is room for them.
std::FILE* file_without_name(const std::filesystem::path& beside) {
  std::string name = beside.string() + ".part-XXXXXX";
  const std::string directory = beside.has_parent_path() ? beside.parent_path().string() : ".";
  int file = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) {
    file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file >= 0) ::unlink(name.c_str());
  }
  return file < 0 ? nullptr : ::fdopen(file, "w+b");
}

}  // namespace

Output::Output(std::filesystem::path path, Kind kind) : path_(std::move(path)), kind_(kind) {
  file_ = kind_ == Kind::kPart ? file_without_name(path_) : std::fopen(path_.c_str(), "wb");
  if (file_ == nullptr) fail("cannot be created");
  XXH3_64bits_reset(hash_.get());
  const format::Header empty;
  write(&empty, sizeof empty);
  XXH3_64bits_reset(hash_.get());  // the key does not cover the header, which holds it
}

Output::~Output() {
  if (file_ != nullptr) std::fclose(file_);
}

void Output::fail(const char* what) const {
  // Without other processes there is no part, and there may be room.
  throw Error(path_.string(), fmt::format("{}: {}", what, std::strerror(errno)), "",
              kind_ == Kind::kPart ? ExitCode::kCannotRunHere : ExitCode::kBadInput);
}

void Output::write(const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  if (std::fwrite(data, 1, bytes, file_) != bytes) fail("cannot be written");
  if (kind_ == Kind::kProgram) XXH3_64bits_update(hash_.get(), data, bytes);
  offset_ += bytes;
}

void Output::flush() {
  if (std::fflush(file_) != 0) fail("cannot be written");
}

void Output::read(std::uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t got = ::pread(::fileno(file_), into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("cannot be read");
    offset += static_cast<std::uint64_t>(got);
    into = into.subspan(static_cast<std::size_t>(got));
  }
}

void Output::take_written(std::uint64_t end) {
  flush();
  const MappedFile written(path_);  // opened now: what others wrote over a network is seen by who opens it afterwards
  if (written.bytes().size() < end) fail("parts of it are missing");
  constexpr std::uint64_t kAtATime = std::uint64_t{1} << 24;
  while (offset_ < end) {
    const std::uint64_t bytes = std::min(end - offset_, kAtATime);
    XXH3_64bits_update(hash_.get(), written.bytes().data() + offset_, bytes);
    written.leave(offset_, bytes);
    offset_ += bytes;
  }
  if (std::fseek(file_, static_cast<long>(offset_), SEEK_SET) != 0) fail("cannot be written");
}

void Output::finish(format::Header header) {
  header.file_bytes = offset_;
  header.content_key = XXH3_64bits_digest(hash_.get());
  if (std::fseek(file_, 0, SEEK_SET) != 0) fail("cannot be written");
  if (std::fwrite(&header, sizeof header, 1, file_) != 1) fail("cannot be written");
  const int closed = std::fclose(file_);
  file_ = nullptr;
  if (closed != 0) fail("cannot be written");
}

}  // namespace plumbline::replay
