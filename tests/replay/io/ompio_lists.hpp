#pragma once
// The rules of OMPIO as lists of each rank's operations, in order: what the replay, which makes no lists, is held
// against. Rules and what proves them: docs/models/mpi-io-ompio.md.

#include <span>
#include <vector>

#include "hwmodels/storage/access.hpp"
#include "replay/io/file_operation.hpp"
#include "replay/io/footprint.hpp"
#include "replay/io/ompio.hpp"

namespace plumbline::replay::io {

// What each rank accesses: in the order of the data, ascending, cut where the file view is; and, where the ranks access
// the file themselves, where the memory is.
using OmpioPieces = std::vector<ByteRange>;

// MPI_File_read, MPI_File_write_at and so on.
FileOperations ompio_independent(const OmpioSettings& settings, hw::Access kind, const OmpioPieces& pieces);

// MPI_File_read_all, MPI_File_write_at_all and so on: per rank.
std::vector<FileOperations> ompio_collective(const OmpioSettings& settings, OmpioCollective how, hw::Access kind,
                                             std::span<const OmpioPieces> pieces, const OmpioView& view = {});

}  // namespace plumbline::replay::io
