#pragma once
// OMPIO, Open MPI's own MPI-IO, on a local file system: which POSIX operations Open MPI 4.1.4 makes of an access. Rules
// and what proves them: docs/models/mpi-io-ompio.md.

#include <cstdint>
#include <span>
#include <vector>

#include "hwmodels/storage/storage.hpp"
#include "replay/io/file_operation.hpp"
#include "replay/io/footprint.hpp"

namespace plumbline::replay::io {

enum class OmpioCollective : std::uint8_t { kIndividual, kVulcan, kTwoPhase, kDynamic, kDynamicGen2 };

// Parameters of the components; buffers too small for one byte hold one. Defaults: io_ompio_component.c,
// fbtl_posix_component.c.
struct OmpioSettings {
  std::uint64_t bytes_per_agg = 33554432;       // io_ompio_bytes_per_agg, or the hint cb_buffer_size
  std::uint64_t cycle_buffer_size = 536870912;  // io_ompio_cycle_buffer_size
  std::int32_t num_aggregators = -1;            // io_ompio_num_aggregators
  std::uint32_t cb_nodes = 0;                   // the hint; 0: not given
  std::uint32_t max_aggregators_ratio = 8;      // io_ompio_max_aggregators_ratio
  double aggregators_cutoff_threshold = 3;      // io_ompio_aggregators_cutoff_threshold, percent
  std::uint64_t max_block_size = 1048576;       // fbtl_posix_max_block_size: sieving where pieces are no longer
  std::uint64_t max_gap_size = 4096;            // fbtl_posix_max_gap_size: and begin no further apart
  std::uint64_t max_tmpbuf_size = 67108864;     // fbtl_posix_max_tmpbuf_size: bytes of a window
  bool read_datasieving = true, write_datasieving = true;
  bool thread_multiple = false;  // MPI_THREAD_MULTIPLE was granted
};

// The component of fcoll that is chosen where the user asks for none; not for Lustre.
OmpioCollective ompio_collective_of(std::uint32_t ranks);

// What the file view of a rank is on average, over ranks: bytes of a contiguous piece, and bytes of data of one file
// type. The default view has 6291456 of each.
struct OmpioView {
  std::uint64_t piece = 6291456, bytes = 6291456;
};

// Groups of ranks, consecutive ones; the first of each group is an aggregator.
std::vector<std::vector<std::uint32_t>> ompio_groups(const OmpioSettings& settings, std::uint32_t ranks,
                                                     const OmpioView& view = {});

// What fbtl/posix does with a list of pieces, handed to it at once. Only collective components sieve writes.
enum class OmpioCaller : std::uint8_t { kRank, kCollective };

// Whether it sieves pieces of so many bytes in all, the first and the last of which begin there.
bool ompio_sieves(const OmpioSettings& settings, hw::Access kind, OmpioCaller caller, std::uint64_t pieces,
                  std::uint64_t bytes, std::uint64_t first, std::uint64_t last);

void ompio_append_list(FileOperations& operations, const OmpioSettings& settings, hw::Access kind, OmpioCaller caller,
                       const std::vector<ByteRange>& pieces);

// In order of the file; those that touch become one.
std::vector<ByteRange> ompio_joined(std::vector<ByteRange> pieces);

// Pieces that touch are one preadv or pwritev, as many as a vector may have (IOV_MAX).
inline constexpr std::size_t kOmpioMostOfAVector = 1024;

}  // namespace plumbline::replay::io
