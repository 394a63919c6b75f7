#include "base/error.hpp"

#include <gtest/gtest.h>

namespace plumbline {
namespace {

TEST(Error, ReadsWhereWhatAndHintOnOneLine) {
  const Error error("cluster.xml:14", "disk 'ssd0' has no rate", "add rate=\"2GB/s\"");
  EXPECT_STREQ(error.what(), "cluster.xml:14: disk 'ssd0' has no rate; add rate=\"2GB/s\"");
  EXPECT_EQ(error.code(), ExitCode::kBadInput);
}

TEST(Error, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(to_string(Problem{"", "no trace given", ""}), "no trace given");
  EXPECT_EQ(to_string(Problem{"a.xml:1", "is empty", ""}), "a.xml:1: is empty");
}

TEST(Diagnostics, ThrowsAllThatWasCollectedTogether) {
  Diagnostics diagnostics;
  EXPECT_NO_THROW(diagnostics.throw_if_any());
  diagnostics.add("a.xml:1", "first");
  diagnostics.add("a.xml:2", "second", "mend it");
  try {
    diagnostics.throw_if_any(ExitCode::kWrongUse);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a.xml:1: first\na.xml:2: second; mend it");
    EXPECT_EQ(error.problems().size(), 2U);
    EXPECT_EQ(error.code(), ExitCode::kWrongUse);
  }
}

}  // namespace
}  // namespace plumbline
