#pragma once
// Columns of ranks in a file, by which a process hands another one what it has read of an expected archive.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "replay/expect/columns/columns.hpp"

namespace plumbline::replay {

// Of one column: bytes from the begin of the file, and entries.
struct ColumnPlace {
  std::uint64_t offset = 0, count = 0;
};

// In the order of for_each_column().
inline constexpr std::size_t kColumns = 11;
using RankPlaces = std::array<ColumnPlace, kColumns>;

// Columns one after the other, each from a multiple of eight bytes on; what has the same memory is there once.
struct ColumnsLayout {
  std::vector<RankPlaces> ranks;  // as if the file began with the first column
  std::vector<std::span<const std::byte>> pieces;
  std::uint64_t bytes = 0;
};

// `ranks` must live longer than the layout.
ColumnsLayout lay_out(const std::vector<ExpectedRank>& ranks);

// Writes the columns from `offset`, a multiple of eight, on. Whether there was room for them.
bool write_columns(const std::filesystem::path& file, std::uint64_t offset, const ColumnsLayout& layout);

// Columns that lie in a mapped file, which `memory` keeps.
ExpectedRank rank_at(std::span<const std::byte> file, const RankPlaces& places,
                     const std::shared_ptr<const void>& memory);

}  // namespace plumbline::replay
