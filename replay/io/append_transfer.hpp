#pragma once
// A transfer of a piece of a file, in calls of at most so many bytes.

#include <cstdint>
#include <vector>
#include "hwmodels/storage/storage.hpp"
#include "replay/io/file_operation.hpp"
#include "replay/io/footprint.hpp"

namespace plumbline::replay::io {

// A transfer of one piece of the file, in as many calls as it takes.
void append_transfer(FileOperations& operations, FileAction action, std::uint64_t offset, std::uint64_t bytes);

}  // namespace plumbline::replay::io
