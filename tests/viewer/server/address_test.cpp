#include "viewer/server/address.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline::viewer {
namespace {

using testing::ElementsAre;
using testing::Pair;

unsigned status_of(const std::string& target) {
  try {
    parse_address(target);
    return 200;
  } catch (const BadRequest& bad) {
    EXPECT_FALSE(bad.text.empty());
    return bad.status;
  }
}

TEST(AddressOf, ARequestIsTakenApartAndDecoded) {
  const Address address = parse_address("/api/v1/operation/3/17?filter=bytes%20%3E+1MiB&page=2&empty=#rest");
  EXPECT_THAT(address.parts, ElementsAre("api", "v1", "operation", "3", "17"));
  EXPECT_THAT(address.query.values, ElementsAre(Pair("empty", ""), Pair("filter", "bytes > 1MiB"), Pair("page", "2")));
}

TEST(AddressOf, ASlashThatIsEncodedIsNoBorderOfParts) {
  EXPECT_THAT(parse_address("/a%2Fb/c").parts, ElementsAre("a/b", "c"));
}

TEST(AddressOf, WhatCannotBeDecodedIsABadRequest) {
  for (const char* target :
       {"", "api", "http://other/api", "/a%", "/a%4", "/a%zz", "/a?b=%0a", "/a?b=%00", "/a?b=1&b=2"})
    EXPECT_EQ(status_of(target), 400) << target;
}

TEST(AddressOf, PartsAndValuesAreBounded) {
  std::string values = "/a?", parts;
  for (std::size_t i = 0; i <= kMostValues; ++i) values += "v" + std::to_string(i) + "=1&";
  for (std::size_t i = 0; i <= kMostParts; ++i) parts += "/a";
  EXPECT_EQ(status_of(values), 400);
  EXPECT_EQ(status_of(parts), 404);
}

TEST(QueryNumber, IsAWholeNumberOfItsRange) {
  const Query query = parse_address("/a?n=7&minus=-1&text=7x&huge=18446744073709551616").query;
  EXPECT_EQ(query.number("n", 0, 7), 7U);
  EXPECT_EQ(query.number("none", 0, 7, 3), 3U);
  EXPECT_THROW(query.number("n", 0, 6), BadRequest);
  EXPECT_THROW(query.number("n", 8, 9), BadRequest);
  for (const char* name : {"none", "minus", "text", "huge"})
    EXPECT_THROW(query.number(name, 0, ~0ULL), BadRequest) << name;
}

}  // namespace
}  // namespace plumbline::viewer
