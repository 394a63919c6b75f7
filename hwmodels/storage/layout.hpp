#pragma once
// Where the bytes of a file lie.

#include <cstdint>
#include <optional>
#include <string_view>

#include "hwmodels/platform/platform.hpp"
#include "hwmodels/storage/access.hpp"

namespace plumbline::hw::storage {

// Stripe i of a file lies on its part i mod parts, one after the other.
struct Layout {
  Bytes stripe{65'536};
  std::uint32_t parts = 1;
  std::uint32_t first = 0;  // part i lies on server (first + i) mod n of the file system
};

// What somebody asks for when a file is made (hints, lfs setstripe); the rest is as the file system says.
struct AskedLayout {
  std::optional<std::uint32_t> first;
  std::optional<std::uint32_t> parts;
  std::optional<Bytes> stripe;
};

// The first server follows from the path (FilePlacement), so that it is the same in every run.
Layout layout_of(const FileSystem& file_system, std::string_view path, const AskedLayout& asked = {});

// The bytes of a contiguous extent that lie on one part: one contiguous extent of this part, maybe empty.
Extent part_of(const Layout& layout, std::uint32_t part, Extent extent);

}  // namespace plumbline::hw::storage
