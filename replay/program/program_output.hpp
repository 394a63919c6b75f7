#pragma once
// What a ProgramBuilder appends its sections to.

#include <xxhash.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>

#include "replay/program/format.hpp"

namespace plumbline::replay {

// A program file, whose contents are hashed as they are written; or a file without a name with the ranks of a part,
// whose bytes come into a program file later, behind other ones.
class Output {
 public:
  enum class Kind { kProgram, kPart };

  // `path`: the file, or of a part the one that it will be in. Errors: located there.
  Output(std::filesystem::path path, Kind kind);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  template <class T>
  format::Range append(std::span<const T> records) {
    const format::Range range{offset_, records.size()};
    write(records.data(), records.size_bytes());
    constexpr std::array<char, 8> kZeros{};
    write(kZeros.data(), (8 - offset_ % 8) % 8);
    return range;
  }

  std::uint64_t bytes() const { return offset_; }  // so far
  const std::filesystem::path& path() const { return path_; }

  void flush();  // what has been appended can be read
  void read(std::uint64_t offset, std::span<std::byte> into) const;

  // Others have written the next bytes of the file up to `end`.
  void take_written(std::uint64_t end);
  void finish(format::Header header);

 private:
  struct FreeHash {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };

  [[noreturn]] void fail(const char* what) const;
  void write(const void* data, std::size_t bytes);

  std::filesystem::path path_;
  Kind kind_;
  std::FILE* file_ = nullptr;
  std::unique_ptr<XXH3_state_t, FreeHash> hash_{XXH3_createState()};
  std::uint64_t offset_ = 0;
};

}  // namespace plumbline::replay
