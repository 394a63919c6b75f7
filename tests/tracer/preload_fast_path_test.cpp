// Records go a fast path or a long one (tracer/preload/core/fast_path.h). Which, nobody can tell from what they hold.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

constexpr int kTimes = 60;  // of each call, as in tests/tracer/programs/fast_paths.c

class ShortWay : public OnBothMpis {
 protected:
  void SetUp() override {
    OnBothMpis::SetUp();
    if (IsSkipped()) return;
    ranks_ = record("fast_paths", 1, {"WORK"});
    ASSERT_EQ(ranks_.size(), 1u);
  }
  const Content& rank() const { return *ranks_.front(); }
  std::uint32_t other_comm() const {  // the program's duplicate of MPI_COMM_WORLD
    for (const auto& [id, comm] : rank().comms)
      if (id > PL_COMM_SELF && comm.parent == PL_COMM_WORLD) return id;
    return 0;
  }
  std::uint32_t comm_of(int i) const { return i % 5 == 4 ? other_comm() : PL_COMM_WORLD; }

  std::vector<std::unique_ptr<Content>> ranks_;
};
INSTANTIATE_TEST_SUITE_P(Mpi, ShortWay, kBothMpis, name_of_mpi);

std::string pair(int low, int high) { return fmt::format("{}|{}", low, high); }
std::string pair_of(const Call& call, std::size_t word) { return pair(call.low(word), call.high(word)); }

TEST_P(ShortWay, AnExchangeHasWhatWasPostedAndWhatMatched) {
  const std::vector<Call> calls = rank().of("MPI_Sendrecv");
  ASSERT_EQ(calls.size(), 2u * kTimes);
  for (int i = 0; i < kTimes; ++i) {
    const Call& call = calls[static_cast<std::size_t>(i)];
    EXPECT_TRUE(call.done && call.begin < call.end) << i;
    EXPECT_EQ(pair_of(call, 0), pair(0, i));
    EXPECT_EQ(call.number(1), 4 * (i % 3)) << i;
    EXPECT_EQ(static_cast<std::uint32_t>(call.low(2)), comm_of(i)) << i;
    EXPECT_EQ(pair_of(call, 3), pair(i % 4 == 1 ? PL_ANY_SOURCE : 0, i % 4 == 2 ? PL_ANY_TAG : i)) << i;
    EXPECT_EQ(call.number(4), 4 * (i % 3)) << i;
    EXPECT_EQ(pair_of(call, 5), pair(0, i)) << i;
    EXPECT_EQ(call.site, calls.front().site) << i;
  }
}

TEST_P(ShortWay, AnExchangeThatFailsHasReceivedNothing) {
  const std::vector<Call> calls = rank().of("MPI_Sendrecv");
  ASSERT_EQ(calls.size(), 2u * kTimes);
  for (int i = 0; i < kTimes; ++i) {
    const Call& call = calls[static_cast<std::size_t>(kTimes + i)];
    EXPECT_EQ(pair_of(call, 0), pair(99, i));
    EXPECT_EQ(call.number(4), 0) << i;
    EXPECT_EQ(pair_of(call, 5), pair(-1, -1)) << i;
  }
}

TEST_P(ShortWay, ASendHasPeerTagBytesAndCommunicator) {
  const std::vector<Call> calls = rank().of("MPI_Send");
  ASSERT_EQ(calls.size(), static_cast<std::size_t>(kTimes));
  for (int i = 0; i < kTimes; ++i) {
    const Call& call = calls[static_cast<std::size_t>(i)];
    const bool nowhere = i % 7 == 6;
    EXPECT_TRUE(call.done);
    EXPECT_EQ(pair_of(call, 0), pair(nowhere ? PL_PROC_NULL : 0, i));
    EXPECT_EQ(call.number(1), nowhere ? 0 : (i % 2 == 0 ? 4 : 2) * (i % 3)) << i;
    EXPECT_EQ(static_cast<std::uint32_t>(call.low(2)), comm_of(i)) << i;
  }
}

TEST_P(ShortWay, AReceiveHasWhatWasPostedAndWhatMatchedOrThatItFailed) {
  const std::vector<Call> calls = rank().of("MPI_Recv");
  ASSERT_EQ(calls.size(), 2u * kTimes);
  for (int i = 0; i < 2 * kTimes; ++i) {
    const Call& call = calls[static_cast<std::size_t>(i)];
    const int n = i % kTimes;
    const bool fails = i >= kTimes;
    EXPECT_EQ(static_cast<std::uint32_t>(call.low(2)), fails ? other_comm() : comm_of(n)) << i;
    EXPECT_EQ(call.number(1), fails ? 0 : 4 * (n % 3)) << i;
    EXPECT_EQ(pair_of(call, 3), fails ? pair(-1, -1) : pair(0, n)) << i;
    if (fails) continue;
    EXPECT_EQ(pair_of(call, 0), pair(n % 4 == 1 ? PL_ANY_SOURCE : 0, n % 4 == 2 ? PL_ANY_TAG : n)) << i;
  }
}

TEST_P(ShortWay, AFileAccessHasOffsetAndBytesAskedAndDone) {
  const std::vector<Call> writes = rank().of("MPI_File_write_at"), reads = rank().of("MPI_File_read_at");
  ASSERT_EQ(writes.size(), static_cast<std::size_t>(kTimes));
  ASSERT_EQ(reads.size(), static_cast<std::size_t>(kTimes));
  for (int i = 0; i < kTimes; ++i) {
    const Call &write = writes[static_cast<std::size_t>(i)], &read = reads[static_cast<std::size_t>(i)];
    const bool fails = i % 6 == 3, beyond_the_end = i % 4 == 2;
    EXPECT_EQ(write.low(0) == writes.front().low(0), i % 6 != 3 && i % 6 != 5) << i;
    EXPECT_EQ(write.high(0), PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT | (fails ? PL_ACCESS_FAILED : 0)) << i;
    EXPECT_EQ(write.number(1), i);
    EXPECT_EQ(write.number(2), 4 * (i % 4)) << i;
    EXPECT_EQ(write.number(3), fails ? 0 : 4 * (i % 4)) << i;
    EXPECT_EQ(read.high(0), PL_ACCESS_EXPLICIT) << i;
    EXPECT_EQ(read.number(2), i % 4) << i;
    EXPECT_EQ(read.number(3), beyond_the_end ? 0 : i % 4) << i;
  }
}

TEST_P(ShortWay, APosixAccessHasItsResultOrError) {
  std::vector<Call> writes = rank().of("pwrite"), reads = rank().of("pread");
  // Those of the program are the last ones.
  ASSERT_GE(writes.size(), static_cast<std::size_t>(kTimes));
  ASSERT_GE(reads.size(), static_cast<std::size_t>(kTimes));
  writes.erase(writes.begin(), writes.end() - kTimes);
  reads.erase(reads.begin(), reads.end() - kTimes);
  for (int i = 0; i < kTimes; ++i) {
    const Call &write = writes[static_cast<std::size_t>(i)], &read = reads[static_cast<std::size_t>(i)];
    EXPECT_EQ(write.high(0), PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT) << i;
    EXPECT_EQ(write.number(1), 10 * i);
    EXPECT_EQ(write.number(2), i);
    EXPECT_EQ(write.number(3), i % 3 == 1 ? -EBADF : i) << i;
    EXPECT_EQ(read.number(2), 4);
    EXPECT_EQ(read.number(3), i % 2 == 0 ? 4 : 0) << i;
  }
}

}  // namespace
}  // namespace plumbline::spool::test
