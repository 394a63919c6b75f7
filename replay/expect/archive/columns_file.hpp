#pragma once
// Columns of ranks in a file, by which a process hands another one what it has read of an expected archive.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <vector>

#include "replay/expect/archive/expected_ranks.hpp"

namespace plumbline::replay {

// Of one column: bytes from the begin of the file, and entries.
struct ColumnPlace {
  std::uint64_t offset = 0, count = 0;
};

using RankPlaces = std::array<ColumnPlace, column::kAll>;  // by column::Index

// Columns one after the other, each from a multiple of eight bytes on; those that another one holds are not there.
class ColumnsFile {
 public:
  // Replaces a file that is there.
  explicit ColumnsFile(std::filesystem::path path);

  void add(const ReadRank& rank);

  // Writes what is still to be written; nothing is added after it. Entry i of not_judged becomes numbers[i]. Whether
  // all is in the file: false where there is no room for it.
  bool finish(std::span<const std::uint32_t> numbers);

  const std::vector<RankPlaces>& ranks() const { return ranks_; }

 private:
  bool renumber(std::span<const std::uint32_t> numbers) const;

  std::filesystem::path path_;
  std::ofstream file_;
  std::uint64_t bytes_ = 0;
  std::vector<RankPlaces> ranks_;
};

// Columns that lie in a mapped file, which `memory` keeps.
ExpectedRank rank_at(std::span<const std::byte> file, const RankPlaces& places,
                     const std::shared_ptr<const void>& memory);

}  // namespace plumbline::replay
