#pragma once
// The rules of ROMIO as lists of each rank's operations and locks, in order: what the replay, which makes no lists, is
// held against. Rules and what proves them: docs/models/mpi-io-romio.md.

#include <cstdint>
#include <span>
#include <vector>

#include "hwmodels/storage/access.hpp"
#include "replay/io/file_operation.hpp"
#include "replay/io/footprint.hpp"
#include "replay/io/romio.hpp"

namespace plumbline::replay::io {

// What one rank accesses in one call.
struct RomioPart {
  // In the order of the data, ascending and disjoint; cut where the file view or the memory is, so they may touch.
  std::vector<ByteRange> pieces;
  std::uint64_t position = 0;    // where it stands in the file if there are no pieces
  bool file_has_gaps = false;    // size and extent of the file type differ, whatever this access takes of it
  bool memory_has_gaps = false;  // likewise of the datatype of the buffer
};

// MPI_File_read, MPI_File_write_at and so on.
FileOperations romio_independent(const RomioHints& hints, hw::Access kind, bool atomic, const RomioPart& part);

// MPI_File_read_all, MPI_File_write_at_all and so on: per rank. `aggregators` as above, at least one.
std::vector<FileOperations> romio_collective(const RomioHints& hints, hw::Access kind, bool atomic,
                                             std::span<const std::uint32_t> aggregators,
                                             std::span<const RomioPart> parts);

// Of what the ranks access, as romio.hpp has it of their extents.
bool romio_collects(RomioSwitch collective_buffering, std::span<const RomioPart> parts);
std::vector<ByteRange> romio_domains(const RomioHints& hints, std::size_t aggregators,
                                     std::span<const RomioPart> parts);

// What an access by the shared file pointer does before it, to the hidden file that holds the pointer.
FileOperations romio_shared_pointer();

}  // namespace plumbline::replay::io
