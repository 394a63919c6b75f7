#pragma once
// The POSIX operations of a rank that accesses a file itself, one after the other: the rules of romio.hpp and ompio.hpp
// without lists of pieces. Memory is taken to be contiguous; the archive does not tell.

#include <cstdint>
#include <optional>

#include "replay/io/pattern.hpp"
#include "replay/io/settings.hpp"

namespace plumbline::replay::io {

// kOfCollective: a collective call in which the ranks do not collect. ROMIO then locks less.
enum class Called : std::uint8_t { kIndependently, kOfCollective };

class IndependentAccess {
 public:
  IndependentAccess() = default;
  // `settings` outlive it.
  IndependentAccess(const FileSettings& settings, hw::Access kind, Called called, Pattern pattern);

  // The next operation; nothing after the last one.
  std::optional<FileOperation> next();

 private:
  enum class Way : std::uint8_t {
    kNothing,
    kWhole,         // one transfer
    kPieces,        // one after the other
    kSievedReads,   // ROMIO's windows
    kSievedWrites,  // likewise, each read first
    kList,          // OMPIO's lists of pieces
  };

  void choose_romio(Called called);
  void refill();
  void sieve_reads();
  void sieve_writes();
  void next_of_list();
  void begin_list();
  void sieve_list();
  void next_vector();
  void transfer(FileAction action, const ByteRange& range);

  const FileSettings* settings_ = nullptr;
  hw::Access kind_ = hw::Access::kWrite;
  Pattern pattern_;
  Way way_ = Way::kNothing;
  bool locks_ = false;
  bool begun_ = false, ended_ = false;
  std::uint64_t data_ = 0;    // done so far
  ByteRange window_;          // ROMIO's, of sieving
  std::uint64_t cycle_ = 0;   // OMPIO: data bytes before the end of the list in hand
  bool list_sieves_ = false;  // likewise
  FileOperations ready_;      // from `taken_` on
  std::size_t taken_ = 0;
};

}  // namespace plumbline::replay::io
