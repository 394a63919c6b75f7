#pragma once
// Words that devices, caches and servers share.

#include <cstdint>

#include "base/units.hpp"
#include "hwmodels/usage/storage_record.hpp"

namespace plumbline::hw::storage {

constexpr std::uint32_t kNone = 0xffff'ffff;

// Bytes of a file, or of the part of it that lies on one server.
struct Extent {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;

  constexpr std::uint64_t end() const { return offset + length; }
  bool operator==(const Extent&) const = default;
};

constexpr bool touch(Extent a, Extent b) { return a.offset <= b.end() && b.offset <= a.end(); }

// From the first byte of either to the last one.
constexpr Extent span_of(Extent a, Extent b) {
  const std::uint64_t begin = a.offset < b.offset ? a.offset : b.offset;
  const std::uint64_t end = a.end() > b.end() ? a.end() : b.end();
  return {begin, end - begin};
}

using Operation = DeviceAction;

// What a device is given. `id` comes back when it is done and decides nothing.
struct DeviceAccess {
  std::uint32_t id = 0;
  std::uint32_t file = 0;
  Operation operation = Operation::kRead;
  Extent extent;
};

}  // namespace plumbline::hw::storage
