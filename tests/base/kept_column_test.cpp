#include "base/memory/kept_column.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace plumbline {
namespace {

using Numbers = KeptColumn<std::uint32_t>;

class KeptColumnInAFile : public testing::Test {
 protected:
  const std::shared_ptr<const std::vector<std::uint32_t>> file_ =
      std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{4, 5, 6});
  Numbers kept_{std::span(*file_), file_};
};

TEST_F(KeptColumnInAFile, IsReadWhereItLies) {
  const Numbers& kept = kept_;
  EXPECT_EQ(kept.data(), file_->data());
  EXPECT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept.back(), 6U);
  EXPECT_EQ(kept, (Numbers{4, 5, 6}));
}

TEST_F(KeptColumnInAFile, IsCopiedBeforeItIsChanged) {
  const Numbers before = kept_;
  kept_[1] = 9;
  kept_.push_back(7);
  EXPECT_EQ(kept_, (Numbers{4, 9, 6, 7}));
  EXPECT_EQ(before, (Numbers{4, 5, 6}));
  EXPECT_EQ((*file_)[1], 5U);
}

TEST_F(KeptColumnInAFile, KeepsItMapped) {
  EXPECT_EQ(file_.use_count(), 2);
  Numbers moved = std::move(kept_);
  EXPECT_EQ(moved, (Numbers{4, 5, 6}));
  moved.clear();
  kept_ = {};
  EXPECT_EQ(file_.use_count(), 1);
  EXPECT_TRUE(moved.empty());
}

TEST(KeptColumn, OfMemoryIsAsAVector) {
  Numbers column = Column<std::uint32_t>{1, 2};
  column.push_back(3);
  column.front() = 7;
  EXPECT_EQ(column, (Numbers{7, 2, 3}));
  column.assign(2, 8);
  EXPECT_EQ(std::vector<std::uint32_t>(column.begin(), column.end()), (std::vector<std::uint32_t>{8, 8}));
}

}  // namespace
}  // namespace plumbline
