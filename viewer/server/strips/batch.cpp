#include "viewer/server/strips/batch.hpp"

#include <bit>
#include <cstring>
#include <utility>

#include "base/check.hpp"

namespace plumbline::viewer {
namespace {

static_assert(std::endian::native == std::endian::little, "strips are little-endian");

constexpr std::size_t kHeaderBytes = 32, kEntryBytes = 24, kBoxBytes = 32, kFlagsAt = 19;

template <class T>
void append(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof raw);
}

template <class... T>
void append_all(std::string& bytes, T... values) {
  (append(bytes, values), ...);
}

void append(std::string& bytes, const Box& box) {
  append_all(bytes, box.operation, box.kind, box.marks, box.call, box.begin.ps, box.observed.ps, box.own, box.inherited,
             static_cast<std::uint16_t>(box.rank), static_cast<std::uint16_t>(box.rank >> 16), std::uint16_t{0});
}

}  // namespace

StripBatch::StripBatch(std::uint64_t key, unsigned level, std::uint8_t source, std::uint32_t strips) : strips_(strips) {
  bytes_.reserve(kHeaderBytes + strips * (kEntryBytes + sizeof(Planes)));
  bytes_ = "PLST";
  append_all(bytes_, std::uint16_t{1}, static_cast<std::uint16_t>(kHeaderBytes), key, static_cast<std::uint8_t>(level),
             static_cast<std::uint8_t>(kColumnsLog2), source, std::uint8_t{0}, strips, std::uint64_t{0});
  bytes_.resize(kHeaderBytes + strips * kEntryBytes);
}

void StripBatch::add(std::uint32_t lane, std::uint32_t x, const Strip& strip, std::span<const Box> boxes) {
  PLUMBLINE_CHECK(added_ < strips_, "a batch has room for its strips");
  const std::size_t bytes = sizeof(Planes) + boxes.size() * kBoxBytes;
  std::string entry;
  append_all(entry, lane, x, static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(bytes),
             static_cast<std::uint32_t>(boxes.size()), strip.worst_operation);
  bytes_.replace(kHeaderBytes + added_++ * kEntryBytes, kEntryBytes, entry);
  bytes_.append(reinterpret_cast<const char*>(&strip.planes), sizeof(Planes));
  for (const Box& box : boxes) append(bytes_, box);
}

std::string StripBatch::finish() {
  PLUMBLINE_CHECK(added_ == strips_, "a batch is whole");
  bytes_[kFlagsAt] = static_cast<char>(flags_);
  return std::move(bytes_);
}

}  // namespace plumbline::viewer
