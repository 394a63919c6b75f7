#pragma once
// What the lists of ROMIO and of OMPIO's fcoll/two_phase, which comes from it, have in common: an aggregator with its
// part of the file.

#include <cstdint>
#include <vector>
#include "hwmodels/storage/storage.hpp"
#include "replay/io/file_operation.hpp"
#include "replay/io/footprint.hpp"

namespace plumbline::replay::io {

// Adds what lies of `pieces` in a domain.
void add_clipped(std::vector<ByteRange>& wanted, const std::vector<ByteRange>& pieces, const ByteRange& domain);

// The operations of an aggregator: windows of `buffer` bytes from the first byte that is wanted to the last one. A
// window that nobody wants anything of is left out; of writes, one that they do not cover is read first.
// `wanted`: in any order, may overlap.
FileOperations window_by_window(hw::Access kind, std::uint64_t buffer, std::vector<ByteRange> wanted);

}  // namespace plumbline::replay::io
