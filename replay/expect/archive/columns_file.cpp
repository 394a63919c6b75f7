#include "replay/expect/archive/columns_file.hpp"

#include <algorithm>
#include <ranges>
#include <type_traits>
#include <utility>

#include "base/check.hpp"

namespace plumbline::replay {
namespace {

constexpr std::uint64_t kAlignment = 8;

std::streamsize size_of(const ColumnPlace& not_judged) {
  return static_cast<std::streamsize>(not_judged.count * sizeof(std::uint32_t));
}

}  // namespace

ColumnsFile::ColumnsFile(std::filesystem::path path)
    : path_(std::move(path)), file_(path_, std::ios::binary | std::ios::trunc) {}

void ColumnsFile::add(const ReadRank& rank) {
  RankPlaces places;
  std::uint8_t index = 0;
  for_each_column(rank.columns, [&](const auto& values) {
    const column::Index self{index++};
    if (rank.held_by[self] != self) return;
    const auto bytes = std::as_bytes(std::span(values.data(), values.size()));
    places[self] = {bytes_, values.size()};
    file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    constexpr char kZeros[kAlignment] = {};
    const std::uint64_t padding = -bytes.size() % kAlignment;
    file_.write(kZeros, static_cast<std::streamsize>(padding));
    bytes_ += bytes.size() + padding;
  });
  for (index = 0; index < column::kAll; ++index) {
    const column::Index holder = rank.held_by[index];
    if (holder == column::kOfRankBefore)
      places[index] = ranks_.empty() ? ColumnPlace() : ranks_.back()[index];
    else
      places[index] = places[holder];
  }
  ranks_.push_back(places);
}

bool ColumnsFile::finish(std::span<const std::uint32_t> numbers) {
  file_.close();
  if (file_.fail()) return false;
  const bool are_the_same = std::ranges::equal(numbers, std::views::iota(std::size_t{0}, numbers.size()));
  return are_the_same || renumber(numbers);
}

bool ColumnsFile::renumber(std::span<const std::uint32_t> numbers) const {
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  std::vector<std::uint32_t> reasons;
  std::uint64_t done = 0;  // bytes of the file
  for (const RankPlaces& rank : ranks_) {
    const ColumnPlace& place = rank[column::kNotJudged];
    if (place.count == 0 || place.offset < done) continue;  // of the rank before
    done = place.offset + place.count * sizeof(std::uint32_t);
    reasons.resize(place.count);
    file.seekg(static_cast<std::streamoff>(place.offset));
    file.read(reinterpret_cast<char*>(reasons.data()), size_of(place));
    for (std::uint32_t& reason : reasons)
      if (reason != kNone) reason = numbers[reason];
    file.seekp(static_cast<std::streamoff>(place.offset));
    file.write(reinterpret_cast<const char*>(reasons.data()), size_of(place));
  }
  file.close();
  return !file.fail();
}

ExpectedRank rank_at(std::span<const std::byte> file, const RankPlaces& places,
                     const std::shared_ptr<const void>& memory) {
  ExpectedRank rank;
  std::size_t i = 0;
  for_each_column(rank, [&](auto& values) {
    using Column = std::decay_t<decltype(values)>;
    using Value = typename Column::value_type;
    const ColumnPlace& place = places[i++];
    if (place.count == 0) return;
    PLUMBLINE_CHECK(place.offset + place.count * sizeof(Value) <= file.size(), "columns lie in their file");
    values = Column({reinterpret_cast<const Value*>(file.data() + place.offset), place.count}, memory);
  });
  return rank;
}

}  // namespace plumbline::replay
