// Payloads as structs: the fields lie where spools have them, and what a damaged record lacks is 0.

#include "tracer/spool/format/payload.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/tracer/spool_builder.hpp"

namespace plumbline::spool {
namespace {

using record::test::pair;

TEST(Payload, TheFirstNumberOfAPairIsInTheLowBits) {
  const auto send = decode<pl_send_payload>(std::vector<std::uint64_t>{pair(3, 7), 64, pair(1, 12)});
  EXPECT_EQ(send.dest, 3);
  EXPECT_EQ(send.tag, 7);
  EXPECT_EQ(send.bytes, 64u);
  EXPECT_EQ(send.comm, 1u);
  EXPECT_EQ(send.request, 12u);
}

TEST(Payload, NumbersBelowZeroKeepTheirSign) {
  const auto access = decode<pl_posix_access_payload>(
      std::vector<std::uint64_t>{pair(-1, 1), ~std::uint64_t{0}, 8, static_cast<std::uint64_t>(-28)});
  EXPECT_EQ(access.fd, -1);
  EXPECT_EQ(access.offset, -1);
  EXPECT_EQ(access.done, -28);
}

TEST(Payload, WordsThatARecordLacksAreZero) {
  const auto recv = decode<pl_recv_payload>(std::vector<std::uint64_t>{pair(3, 7), 64});
  EXPECT_EQ(recv.source, 3);
  EXPECT_EQ(recv.bytes, 64u);
  EXPECT_EQ(recv.comm, 0u);
  EXPECT_EQ(recv.matched_tag, 0);
  EXPECT_EQ(decode<pl_file_payload>({}).file, 0u);
}

TEST(Payload, WhatFollowsTheStructIsBehindIt) {
  const std::vector<std::uint64_t> group{pair(1, 0), pair(3, 0), pair(10, 11), pair(12, 0)};
  const Words ranks = behind<pl_win_group_payload>(group);
  EXPECT_EQ(ranks.size(), 2u);
  EXPECT_EQ(half(ranks, 0), 10u);
  EXPECT_EQ(half(ranks, 1), 11u);
  EXPECT_EQ(half(ranks, 2), 12u);
  EXPECT_EQ(half(ranks, 4), 0u);
  EXPECT_TRUE(behind<pl_win_group_payload>(Words(group).first(1)).empty());
}

// The writer puts structs upon the words that the reader decodes.
template <class Payload>
void expect_words_in_order() {
  std::vector<std::uint64_t> words(PL_WORDS_OF(Payload));
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = 0x0102030405060708 * (i + 1);
  const Payload decoded = decode<Payload>(words);
  EXPECT_EQ(std::memcmp(&decoded, words.data(), sizeof decoded), 0);
}

TEST(Payload, AStructHasTheWordsOfTheRecord) {
#define PL_EXPECT_WORDS(shape, FIELDS) expect_words_in_order<pl_##shape##_payload>();
  PL_PAYLOADS(PL_EXPECT_WORDS)
#undef PL_EXPECT_WORDS
}

TEST(Payload, ARecordHasNoMoreThanItsStructAtLeast) {
#define PL_EXPECT_LEAST(kind, shape, words)                              \
  EXPECT_EQ(least_words(PL_LAYOUT_##kind), std::size_t{words}) << #kind; \
  EXPECT_LE(std::size_t{words}, PL_WORDS_OF(pl_##shape##_payload)) << #kind;
  PL_LAYOUTS(PL_EXPECT_LEAST)
#undef PL_EXPECT_LEAST
  EXPECT_EQ(least_words(PL_LAYOUT_NONE), 0u);
  EXPECT_EQ(least_words(PL_LAYOUT_COUNT), 0u);
}

// Spools of earlier versions have them.
TEST(Payload, NumbersOfLayoutsStay) {
  EXPECT_EQ(PL_LAYOUT_SEND, 1);
  EXPECT_EQ(PL_LAYOUT_COLLECTIVE, 6);
  EXPECT_EQ(PL_LAYOUT_FILE_ACCESS, 12);
  EXPECT_EQ(PL_LAYOUT_POSIX_ACCESS, 15);
  EXPECT_EQ(PL_LAYOUT_POSIX_STREAM_SEEK, 29);
  EXPECT_EQ(PL_LAYOUT_PCONTROL, 33);
  EXPECT_EQ(PL_LAYOUT_RMA, 39);
  EXPECT_EQ(PL_LAYOUT_INNER_CALL, 42);
}

}  // namespace
}  // namespace plumbline::spool
