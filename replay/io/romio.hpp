#pragma once
// ROMIO on a local file system (its driver "ufs"), as in MPICH 4.0.2 and Open MPI's io/romio321: hints, who accesses
// the file for whom, and which part of it. Rules and what proves them: docs/models/mpi-io-romio.md.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hwmodels/storage/storage.hpp"
#include "replay/io/file_operation.hpp"
#include "replay/io/footprint.hpp"

namespace plumbline::replay::io {

enum class RomioSwitch : std::uint8_t { kAutomatic, kEnable, kDisable };

// Hints in force; buffers of 0 bytes, which ROMIO would not survive, count as 1. Defaults: adio/include/adioi.h and
// adio/common/ad_hints.c of MPICH 4.0.2.
struct RomioHints {
  std::uint64_t cb_buffer_size = 16777216;     // bytes of a window of collective buffering
  std::uint64_t ind_rd_buffer_size = 4194304;  // bytes of a window of data sieving
  std::uint64_t ind_wr_buffer_size = 524288;
  std::uint64_t romio_min_fdomain_size = 0;  // bytes
  std::uint64_t striping_unit = 0;           // bytes, 0: not given
  RomioSwitch romio_cb_read = RomioSwitch::kAutomatic, romio_cb_write = RomioSwitch::kAutomatic;
  RomioSwitch romio_ds_read = RomioSwitch::kAutomatic, romio_ds_write = RomioSwitch::kAutomatic;
};

// Ranks that access the file for the others, in the order of their domains. `processors`: MPI_Get_processor_name of
// each rank. cb_nodes 0: no hint. Empty where the list matches no processor: then ROMIO fails to open the file.
std::vector<std::uint32_t> romio_aggregators(std::span<const std::string> processors,
                                             std::string_view cb_config_list = "*:1", std::uint32_t cb_nodes = 0);

// First and last byte as the ranks tell each other (ADIOI_Calc_my_off_len). Of an access to nothing ROMIO tells one
// before its position, through a view with gaps 0; its rules are meant for such pairs too.
struct RomioExtent {
  std::int64_t first = 0, last = -1;
};
RomioExtent romio_extent(bool empty, std::uint64_t begin, std::uint64_t end, bool file_has_gaps);

// Whether a collective call becomes two phases, with aggregators, instead of an independent access of each rank.
bool romio_collects(RomioSwitch collective_buffering, std::span<const RomioExtent> extents);

// The parts of the file that the aggregators own; empty runs for those that own nothing.
std::vector<ByteRange> romio_domains(const RomioHints& hints, std::size_t aggregators,
                                     std::span<const RomioExtent> extents);

}  // namespace plumbline::replay::io
