// Records in packed shapes (end of tracer/spool/format/format.h) are read in the shape of their layouts.

#include <gmock/gmock.h>

#include <string>

#include "tests/support/temporary_directory.hpp"
#include "tests/tracer/spool_builder.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::spool {
namespace {

using record::test::pair;
using record::test::Payload;
using record::test::SpoolBuilder;
using ::testing::ElementsAre;

constexpr std::uint64_t kEnd = 200, kRunning = 0;
constexpr auto kAny = static_cast<std::int64_t>(PL_WAS_ANY);

class Packed : public ::testing::Test {
 protected:
  // The payload of the last call.
  Payload read() const {
    const Spool spool(builder_.write(directory_.path()));
    Payload last;
    spool.for_each(0, [&](const Record& r) {
      if (r.function < PL_DEFINITIONS) last.assign(r.payload.begin(), r.payload.end());
    });
    return last;
  }

  Payload read(pl_layout layout, const Payload& packed, std::uint64_t end = kEnd) {
    builder_.packed("call " + std::to_string(layout), layout, 100, end, packed);
    return read();
  }

  SpoolBuilder builder_{0, 1};
  test::TemporaryDirectory directory_;
};

TEST_F(Packed, AReceiveHasWhatMatchedInThePlaceOfWhatWasPosted) {
  EXPECT_THAT(read(PL_LAYOUT_RECV, {pair(3, 7), 16, pair(1, 0)}), ElementsAre(pair(3, 7), 16, pair(1, 0), pair(3, 7)));
}

TEST_F(Packed, ThoseWhoDoNotNeedItGetNoPayload) {
  builder_.packed("MPI_Recv", PL_LAYOUT_RECV, 100, kEnd, {pair(3, 7), 16, pair(1, 0)});
  builder_.call("open", PL_LAYOUT_POSIX_OPEN, 300, 400, {pair(1, 2), 5});
  const Spool spool(builder_.write(directory_.path()));
  std::vector<Payload> calls;
  spool.for_each_without_packed(0, [&](const Record& r) {
    if (r.function < PL_DEFINITIONS) calls.emplace_back(r.payload.begin(), r.payload.end());
  });
  EXPECT_THAT(calls, ElementsAre(Payload{}, Payload{pair(1, 2), 5}));
}

TEST_F(Packed, AReceiveOfAnyTellsBoth) {
  EXPECT_THAT(read(PL_LAYOUT_RECV, {pair(kAny | 3, kAny | 7), 16, pair(1, 0)}),
              ElementsAre(pair(-1, -1), 16, pair(1, 0), pair(3, 7)));
}

TEST_F(Packed, AReceiveThatWasNotOverHasMatchedNothing) {
  EXPECT_THAT(read(PL_LAYOUT_RECV, {pair(-1, 7), 16, pair(1, 0)}, kRunning),
              ElementsAre(pair(-1, 7), 16, pair(1, 0), 0));
}

TEST_F(Packed, AReceiveThatFailedSaysSo) {
  EXPECT_THAT(read(PL_LAYOUT_RECV, {pair(3, 7), 0, pair(1, 1)}), ElementsAre(pair(3, 7), 0, pair(1, 0), pair(-1, -1)));
}

TEST_F(Packed, AReceiveFromNobodyKeepsItsTag) {
  EXPECT_THAT(read(PL_LAYOUT_RECV, {pair(PL_PROC_NULL, 7), 0, pair(1, 0)}),
              ElementsAre(pair(PL_PROC_NULL, 7), 0, pair(1, 0), pair(PL_PROC_NULL, -1)));
}

std::uint64_t ranks(std::int64_t dest, std::int64_t source, std::uint64_t comm) {
  return (static_cast<std::uint64_t>(dest) & 0xffffff) | (static_cast<std::uint64_t>(source) & 0xffffff) << 24 |
         comm << 48;
}

TEST_F(Packed, AnExchangeHasTwoPeersAndTheirSizes) {
  EXPECT_THAT(read(PL_LAYOUT_SENDRECV, {pair(5, 6), pair(80, 40), ranks(1, 2, 9)}),
              ElementsAre(pair(1, 5), 80, pair(9, 0), pair(2, 6), 40, pair(2, 6)));
}

TEST_F(Packed, AnExchangeWithAnyTellsWhoItWas) {
  EXPECT_THAT(read(PL_LAYOUT_SENDRECV, {pair(5, kAny | 6), pair(80, 40), ranks(1, 0x800000 | 2, 9)}),
              ElementsAre(pair(1, 5), 80, pair(9, 0), pair(-1, -1), 40, pair(2, 6)));
}

TEST_F(Packed, AnExchangeWithNobody) {
  EXPECT_THAT(read(PL_LAYOUT_SENDRECV, {pair(5, 6), 0, ranks(PL_PROC_NULL, PL_PROC_NULL, 1)}),
              ElementsAre(pair(PL_PROC_NULL, 5), 0, pair(1, 0), pair(PL_PROC_NULL, 6), 0, pair(PL_PROC_NULL, -1)));
}

TEST_F(Packed, AnExchangeThatWasNotOverHasMatchedNothing) {
  EXPECT_THAT(read(PL_LAYOUT_SENDRECV, {pair(5, -1), pair(80, 40), ranks(1, -1, 9)}, kRunning),
              ElementsAre(pair(1, 5), 80, pair(9, 0), pair(-1, -1), 40, 0));
}

TEST_F(Packed, AProbeFindsOrCountsItsPolls) {
  EXPECT_THAT(read(PL_LAYOUT_PROBE, {pair(kAny | 3, 7), 16, pair(1, kAny | 2)}),
              ElementsAre(pair(-1, 7), 16, pair(1, 0), pair(3, 7), pair(1, 2)));
  EXPECT_THAT(read(PL_LAYOUT_PROBE, {pair(-1, 7), 0, pair(1, 2)}),
              ElementsAre(pair(-1, 7), 0, pair(1, 0), pair(-1, -1), pair(0, 2)));
}

TEST_F(Packed, AWaitTellsOfEachRequestWhatIsNotAsPosted) {
  const std::int64_t marks = PL_MARK_SEND | PL_MARK_MESSAGE << 4 | (PL_MARK_MESSAGE | PL_MARK_PEER) << 8 |
                             (PL_MARK_MESSAGE | PL_MARK_BYTES) << 12 | PL_MARK_CANCELLED << 16;
  const std::uint64_t as_posted = PL_PEER_AS_POSTED | PL_BYTES_AS_POSTED;
  EXPECT_THAT(read(PL_LAYOUT_WAIT,
                   {pair(6, 4), pair(11, 12), pair(13, 14), pair(15, 16), pair(marks, 3), pair(7, 40), pair(1, 0)}),
              ElementsAre(pair(6, 0), pair(5, 4), pair(11, 12), pair(13, 14), pair(15, 16),
                          PL_COMPLETED | PL_COMPLETED_SEND, pair(-1, -1),                        //
                          PL_COMPLETED | as_posted, pair(-1, -1),                                //
                          PL_COMPLETED | PL_BYTES_AS_POSTED, pair(3, 7),                         //
                          (PL_COMPLETED | PL_PEER_AS_POSTED | 40) + (1ULL << 32), pair(-1, -1),  //
                          PL_COMPLETED | PL_COMPLETED_SEND | PL_CANCELLED, pair(-1, -1),         //
                          0, 0));
}

TEST_F(Packed, AnAccessHasWhatWasDoneOrItsRequest) {
  EXPECT_THAT(read(PL_LAYOUT_FILE_ACCESS, {pair(2 | PL_ACCESS_WRITE << 24, 30), 500, 40}),
              ElementsAre(pair(2, PL_ACCESS_WRITE), 500, 40, 30, 0));
  EXPECT_THAT(read(PL_LAYOUT_FILE_ACCESS, {pair(2 | PL_ACCESS_NONBLOCKING << 24, 30), 500, 40}),
              ElementsAre(pair(2, PL_ACCESS_NONBLOCKING), 500, 40, 0, 30));
}

TEST_F(Packed, ADescriptorHasItsResult) {
  EXPECT_THAT(read(PL_LAYOUT_POSIX_ACCESS, {pair(5 | PL_ACCESS_EXPLICIT << 16, 30), 500, 40}),
              ElementsAre(pair(5, PL_ACCESS_EXPLICIT), 500, 40, 30));
  EXPECT_THAT(read(PL_LAYOUT_POSIX_RANGE, {pair(5, -28), 500, 40}),
              ElementsAre(pair(5, 0), 500, 40, static_cast<std::uint64_t>(-28)));
  EXPECT_THAT(read(PL_LAYOUT_POSIX_STREAM_ACCESS, {pair(5, 1), 40, 30}), ElementsAre(pair(5, 1), ~0ULL, 40, 30));
}

std::uint64_t listed(std::uint64_t vector, std::uint64_t n) { return PL_MOVED_LIST | vector << 16 | n; }
std::uint64_t known(std::uint64_t vector) { return PL_MOVED_VECTOR | vector << 16; }

TEST_F(Packed, ACollectiveWritesAVectorOnceAndThenRefersToIt) {
  const std::uint64_t comm = std::uint64_t{7} << 48;
  const Payload whole{pair(7, -1), 12, 7, pair(0, 0), pair(2, 3), 4, 8, 1, 2, 4};
  EXPECT_EQ(read(PL_LAYOUT_COLLECTIVE, {pair(-1, 0), listed(1, 2) | comm, listed(2, 3), 4, 8, 1, 2, 4}), whole);
  EXPECT_EQ(read(PL_LAYOUT_COLLECTIVE, {pair(-1, 0), known(1) | comm, known(2)}), whole);
}

TEST_F(Packed, ACollectiveWithoutVectorsHasItsBytesAndRequest) {
  EXPECT_THAT(read(PL_LAYOUT_COLLECTIVE, {pair(0, 5), 80 | std::uint64_t{1} << 48, 160}),
              ElementsAre(pair(1, 0), 80, 160, pair(5, 0), 0));
}

TEST_F(Packed, WhatHasTooFewWordsOrNoSuchShapeIsEmpty) {
  EXPECT_THAT(read(PL_LAYOUT_SENDRECV, {1, 2}), ElementsAre());
  EXPECT_THAT(read(PL_LAYOUT_WAIT, {pair(50, 0), 1}), ElementsAre());
  EXPECT_THAT(read(PL_LAYOUT_COMM, {1, 2, 3}), ElementsAre());
}

}  // namespace
}  // namespace plumbline::spool
