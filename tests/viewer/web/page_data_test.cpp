#include "viewer/web/page_data.hpp"

#include <gtest/gtest.h>

namespace plumbline::viewer {
namespace {

#ifdef PLUMBLINE_HAS_PAGE
constexpr bool kIsBuilt = true;
#else
constexpr bool kIsBuilt = false;
#endif

TEST(PageData, IsACompressedFileOfLessThan200KilobytesWhereItWasBuilt) {
  const std::span<const std::byte> page = page_gzip();
  ASSERT_EQ(!page.empty(), kIsBuilt);
  if (!kIsBuilt) return;
  EXPECT_LT(page.size(), 200'000U);
  ASSERT_GT(page.size(), 18U);
  EXPECT_EQ(page[0], std::byte{0x1f});
  EXPECT_EQ(page[1], std::byte{0x8b});
  EXPECT_EQ(page[2], std::byte{8});  // deflate
}

}  // namespace
}  // namespace plumbline::viewer
