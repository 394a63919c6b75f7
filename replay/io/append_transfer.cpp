#include "replay/io/append_transfer.hpp"

#include <algorithm>

namespace plumbline::replay::io {

void append_transfer(FileOperations& operations, FileAction action, std::uint64_t offset, std::uint64_t bytes) {
  while (bytes > 0) {
    const std::uint64_t part = std::min(bytes, kMostBytesOfACall);
    operations.push_back({action, offset, part});
    offset += part;
    bytes -= part;
  }
}

}  // namespace plumbline::replay::io
