#pragma once
// What a library does to a file in place of one call of MPI-IO.

#include <cstdint>
#include <vector>

namespace plumbline::replay::io {

enum class FileAction : std::uint8_t {
  kRead,         // pread
  kWrite,        // pwrite
  kVectorRead,   // preadv
  kVectorWrite,  // pwritev
  kSubmitRead,   // aio_read
  kSubmitWrite,  // aio_write
  kLockRead,     // fcntl, F_RDLCK; others may hold one too
  kLockWrite,    // fcntl, F_WRLCK
  kUnlock        // fcntl, F_UNLCK
};

struct FileOperation {
  FileAction action = FileAction::kRead;
  std::uint64_t offset = 0, bytes = 0;  // in the file

  bool operator==(const FileOperation&) const = default;
};

// Of one rank, in the order in which it does them.
using FileOperations = std::vector<FileOperation>;

// The kernel moves no more with one call; a longer transfer is several (read(2), Notes).
inline constexpr std::uint64_t kMostBytesOfACall = 0x7ffff000;

}  // namespace plumbline::replay::io
