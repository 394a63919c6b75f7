#include "base/text/text_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline {
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

TEST(TextTable, KeepsANumberAndItsUnitOnOneLine) {
  EXPECT_EQ(wrapped("took (0.5 %) of", 11, 0), "took\n(0.5 %) of");
  EXPECT_EQ(wrapped("took 12 ms, then", 8, 0), "took\n12 ms,\nthen");
  EXPECT_EQ(wrapped("at 3 MB/s; x", 6, 0), "at\n3 MB/s;\nx");
  EXPECT_EQ(wrapped("on 2 ranks", 5, 0), "on 2\nranks");
}

TEST(TextTable, RowsStandUnderTheirTitlesAndTheLastColumnToTheLeft) {
  EXPECT_EQ(aligned({{"size", "time", ""}, {"8 B", "1 us", "slower"}, {"16 KiB", "12 us", ""}}),
            "    size   time\n     8 B   1 us  slower\n  16 KiB  12 us\n");
  EXPECT_EQ(aligned({}), "");
}

}  // namespace
}  // namespace plumbline
