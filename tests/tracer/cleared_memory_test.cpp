// What malloc hands out while somebody wants it cleared.

#include "tracer/archive/read/cleared_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace plumbline::archive {
namespace {

#if defined(__GLIBC__)

// A block that has been used, of the size of a chunk, as malloc hands it out again.
bool a_used_block_comes_back_empty() {
  constexpr std::size_t kBytes = 256 * 1024;
  for (int i = 0; i < 2; ++i) {  // malloc takes the first one from the system, and learns from that
    auto* used = static_cast<volatile char*>(std::malloc(kBytes));
    std::fill(used, used + kBytes, 'x');
    std::free(const_cast<char*>(used));
  }
  auto* again = static_cast<volatile char*>(std::malloc(kBytes));
  const bool empty = std::all_of(again, again + kBytes, [](char c) { return c == 0; });
  std::free(const_cast<char*>(again));
  return empty;
}

TEST(ClearedMemory, IsClearedWhileAnyoneWantsIt) {
  EXPECT_FALSE(a_used_block_comes_back_empty());
  {
    const ClearedMemory outer;
    { const ClearedMemory inner; }
    EXPECT_TRUE(a_used_block_comes_back_empty());
  }
  EXPECT_FALSE(a_used_block_comes_back_empty());
}

#endif

}  // namespace
}  // namespace plumbline::archive
