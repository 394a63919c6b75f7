#include "bench/ranks/runtime/memory_area.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/units.hpp"

namespace plumbline::bench {
namespace {

constexpr std::size_t kLine = 64;

std::uint64_t free_memory() {
  const long pages = ::sysconf(_SC_AVPHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  return static_cast<std::uint64_t>(std::max(pages, 0L)) * static_cast<std::uint64_t>(std::max(page, 1L));
}

}  // namespace

MemoryArea::MemoryArea(std::size_t bytes, std::uint64_t mib) : stride_((bytes + kLine - 1) / kLine * kLine) {
  const std::uint64_t wanted = std::max<std::uint64_t>({bytes, mib * kMebi, kLine});
  if (wanted > free_memory())
    throw Error("", fmt::format("{} bytes of memory are needed, more than are free", wanted), "measure smaller sizes");
  memory_.assign(wanted, 'p');
}

char* MemoryArea::next() {
  char* piece = memory_.data() + at_;
  at_ += stride_;
  if (at_ + stride_ > memory_.size()) at_ = 0;
  return piece;
}

}  // namespace plumbline::bench
