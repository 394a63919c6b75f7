#include "replay/report/text_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replay/compare/result/wording.hpp"

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

TEST(TextTable, KeepsANumberAndItsUnitOnOneLine) {
  EXPECT_EQ(wrapped("took (0.5 %) of", 11, 0), "took\n(0.5 %) of");
  EXPECT_EQ(wrapped("took 12 ms, then", 8, 0), "took\n12 ms,\nthen");
  EXPECT_EQ(wrapped("at 3 MB/s; x", 6, 0), "at\n3 MB/s;\nx");
  EXPECT_EQ(wrapped("on 2 ranks", 5, 0), "on 2\nranks");
}

TEST(Wording, CountsOneInTheSingular) {
  EXPECT_EQ(plural(0, "row"), "0 rows");
  EXPECT_EQ(plural(1, "row"), "1 row");
  EXPECT_EQ(plural(2, "row"), "2 rows");
}

TEST(Wording, WhatRoundsToNothingHasNoSign) {
  EXPECT_EQ(percent(-0.0004), "0.0 %");
  EXPECT_EQ(percent(-0.0006), "-0.1 %");
  EXPECT_EQ(percent(0.035), "3.5 %");
}

}  // namespace
}  // namespace plumbline::replay
