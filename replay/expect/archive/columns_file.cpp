#include "replay/expect/archive/columns_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <type_traits>

#include "base/check.hpp"

namespace plumbline::replay {
namespace {

constexpr std::uint64_t kAlignment = 8;

bool write_all(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

ColumnsLayout lay_out(const std::vector<ExpectedRank>& ranks) {
  ColumnsLayout layout;
  std::map<const void*, std::uint64_t> known;
  for (const ExpectedRank& rank : ranks) {
    RankPlaces& places = layout.ranks.emplace_back();
    std::size_t i = 0;
    for_each_column(rank, [&](const auto& column) {
      ColumnPlace& place = places[i++];
      place.count = column.size();
      if (column.empty()) return;
      const auto [entry, is_new] = known.try_emplace(column.data(), layout.bytes);
      place.offset = entry->second;
      if (!is_new) return;
      const auto bytes = std::as_bytes(std::span(column.data(), column.size()));
      layout.pieces.push_back(bytes);
      layout.bytes += (bytes.size() + kAlignment - 1) / kAlignment * kAlignment;
    });
  }
  return layout;
}

bool write_columns(const std::filesystem::path& file, std::uint64_t offset, const ColumnsLayout& layout) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (opened < 0) return false;
  bool is_written = true;
  for (const std::span<const std::byte> piece : layout.pieces) {
    is_written = is_written && write_all(opened, offset, piece);
    offset += (piece.size() + kAlignment - 1) / kAlignment * kAlignment;
  }
  return ::close(opened) == 0 && is_written;
}

ExpectedRank rank_at(std::span<const std::byte> file, const RankPlaces& places,
                     const std::shared_ptr<const void>& memory) {
  ExpectedRank rank;
  std::size_t i = 0;
  for_each_column(rank, [&](auto& column) {
    using Column = std::decay_t<decltype(column)>;
    using Value = typename Column::value_type;
    const ColumnPlace& place = places[i++];
    if (place.count == 0) return;
    PLUMBLINE_CHECK(place.offset + place.count * sizeof(Value) <= file.size(), "columns lie in their file");
    column = Column({reinterpret_cast<const Value*>(file.data() + place.offset), place.count}, memory);
  });
  return rank;
}

}  // namespace plumbline::replay
