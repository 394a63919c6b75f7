#include "base/text/csv_field.hpp"

#include <gtest/gtest.h>

namespace plumbline {
namespace {

TEST(CsvField, IsInQuotesWhereItWouldEndOtherwise) {
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("MPI_Send 8 B"), "MPI_Send 8 B");
  EXPECT_EQ(csv_field("1,2"), "\"1,2\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field("a\rb"), "\"a\rb\"");
  EXPECT_EQ(csv_field("say \"go\""), "\"say \"\"go\"\"\"");
}

}  // namespace
}  // namespace plumbline
