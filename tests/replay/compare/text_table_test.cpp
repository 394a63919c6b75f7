#include "replay/report/text_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline::replay {
namespace {

TEST(TextTable, LinesUpTextThatIsNotAscii) {
  TextTable table({{"name", TextTable::Align::kLeft}, {"n"}});
  table.add({"µé", "1"});
  table.add({"abcde", "22"}, "below");
  EXPECT_THAT(table.lines(), testing::ElementsAre("name    n", "µé      1", "abcde  22\n    below"));
}

TEST(TextTable, ShortensInTheMiddleByCodePoints) {
  EXPECT_EQ(shortened("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(shortened("abcdefghi", 8), "abc..ghi");
  EXPECT_EQ(shortened("äöüäöüäöü", 8), "äöü..äöü");
}

TEST(TextTable, WrapsAtBlanksAndKeepsLongWordsWhole) {
  EXPECT_EQ(wrapped("one two three", 9, 2), "one two\n  three");
  EXPECT_EQ(wrapped("a-very-long-word b", 6, 2), "a-very-long-word\n  b");
  EXPECT_EQ(wrapped("", 6, 2), "");
}

}  // namespace
}  // namespace plumbline::replay
