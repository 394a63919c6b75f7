// The endpoint strips.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "decoded_strips.hpp"
#include "opened_test.hpp"
#include "tests/viewer/index/brute_force.hpp"
#include "viewer/index/pyramid/make_pyramid.hpp"
#include "viewer/index/pyramid/strips.hpp"
#include "viewer/index/runs/marks.hpp"
#include "viewer/index/runs/parts.hpp"

namespace plumbline::viewer {
namespace {

class Strips : public OpenedTest {};

template <class Plane>
void expect_plane(std::string_view told, const Plane& truth) {
  EXPECT_EQ(told, std::string_view(reinterpret_cast<const char*>(truth.data()), truth.size()));
}

TEST_F(Strips, AreWhatThePyramidTellsInTheOrderAsked) {
  for (const char* source : {"obs", "free"}) {
    const std::string bytes = body(strips, asked(3, "2..4", "3,0-1", source));
    const DecodedBatch batch = decoded(bytes);
    const unsigned number = source == std::string("obs") ? 0 : 1;
    EXPECT_EQ(batch.key, 0x0123456789abcdefU);
    EXPECT_EQ(batch.level, 3U);
    EXPECT_EQ(batch.source, number);
    EXPECT_EQ(batch.flags, 0U);
    ASSERT_EQ(batch.strips.size(), 9U);
    for (std::size_t i = 0; i < batch.strips.size(); ++i) {
      const DecodedStrip& strip = batch.strips[i];
      EXPECT_EQ(strip.lane, (std::array<std::uint32_t, 3>{3, 0, 1}[i / 3]));
      EXPECT_EQ(strip.x, 2 + i % 3);
      const PyramidSource& from = opened_.pyramid.sources[number];
      const Strip truth = BruteForce(opened_.runs, from, strip.lane).strip(opened_.pyramid, from, 3, strip.x);
      expect_plane(strip.kind, truth.planes.kind);
      expect_plane(strip.busy, truth.planes.busy);
      expect_plane(strip.count, truth.planes.count);
      expect_plane(strip.own, truth.planes.own);
      expect_plane(strip.inherited, truth.planes.inherited);
      expect_plane(strip.marks, truth.planes.marks);
      EXPECT_EQ(strip.worst_operation, truth.worst_operation);
    }
  }
}

TEST_F(Strips, CarryBoxesOfAllTheirOperationsWhereTheseAreFew) {
  const PyramidSource& source = opened_.pyramid.sources[0];
  std::size_t with = 0, without = 0;
  for (const unsigned level : {0U, 2U, 4U, 6U}) {
    const std::uint32_t x = (1U << level) / 2;
    const std::string bytes = body(strips, asked(level, std::to_string(x), "0-3"));
    for (const DecodedStrip& strip : decoded(bytes).strips) {
      const std::vector<std::uint32_t> truth =
          BruteForce(opened_.runs, source, strip.lane).operations(range_of(opened_.pyramid, source, level, x));
      ++(truth.size() <= 256 ? with : without);
      ASSERT_EQ(strip.boxes.size(), truth.size() <= 256 ? truth.size() : 0);
      for (std::size_t i = 0; i < strip.boxes.size(); ++i) {
        const DecodedBox& box = strip.boxes[i];
        const Parts parts = parts_of(opened_.runs, strip.lane, truth[i]);
        EXPECT_EQ(box.operation, truth[i]);
        EXPECT_EQ(box.rank, strip.lane);
        EXPECT_EQ(box.begin_ps, (parts.begin - source.zero).ps);
        EXPECT_EQ(box.observed_ps, parts.observed.ps);
        EXPECT_EQ(box.inherited, log_of(parts.inherited));
        EXPECT_EQ(box.own, parts.own > parts.band || -parts.own > parts.band ? log_of(parts.own) : 0);
        EXPECT_EQ(box.marks, marks_of(opened_.runs, {strip.lane, truth[i]}));
        const replay::Operation& operation = opened_.runs.observed.rank(strip.lane).operations[truth[i]];
        EXPECT_EQ(box.call, operation.call);
        EXPECT_EQ(box.kind, static_cast<unsigned>(kind_of(opened_.runs.observed, operation)));
      }
    }
  }
  EXPECT_GT(with, 0U);
}

int worse(int a, int b) { return a > 0 || b > 0 ? std::max(a, b) : std::min(a, b); }
Duration worse(Duration a, Duration b) { return is_worse(b, a) ? b : a; }

TimeRange column_of(const Pyramid& pyramid, unsigned level, std::size_t x, std::size_t i) {
  const std::uint64_t length = pyramid.base_ps >> (level + kColumnsLog2);
  const Time begin{pyramid.sources[0].zero.ps + static_cast<std::int64_t>((x * kColumns + i) * length)};
  return {begin, begin + Duration{static_cast<std::int64_t>(length)}};
}

// On a stored level and on one below. Stored strips are joined by their bytes, others by the times: an excess of less
// than a nanosecond is worse than a negative one, and its byte is 0. Busy is rounded up once for each rank and once for
// all, or once.
TEST_F(Strips, OfRanksThatAreAlikeShowTheWorstOfAllAndTheMeanOfBusy) {
  const Pyramid& pyramid = opened_.pyramid;
  std::vector<BruteForce> truths;
  for (const std::uint32_t rank : {0U, 1U, 3U}) truths.emplace_back(opened_.runs, pyramid.sources[0], rank);
  ASSERT_LE(pyramid.stored_levels, 6U);
  ASSERT_GT(pyramid.stored_levels, 2U);
  for (const unsigned level : {2U, 6U}) {
    const bool is_stored = level < pyramid.stored_levels;
    const std::string bytes = body(strips, asked(level, "0..2", "0,1,3,536870912"));
    const DecodedBatch batch = decoded(bytes);
    ASSERT_EQ(batch.strips.size(), 12U);
    for (std::size_t x = 0; x < 3; ++x) {
      const DecodedStrip& fold = batch.strips[9 + x];
      EXPECT_EQ(fold.worst_operation, 0xffffffffU);
      EXPECT_TRUE(fold.boxes.empty());
      for (std::size_t i = 0; i < 512; ++i) {
        int own = 0, inherited = 0, marks = 0, busy = 0;
        bool is_empty = true;
        Duration own_time, inherited_time;
        for (std::size_t member = 0; member < 3; ++member) {
          const RangeSummary truth = truths[member].summary(column_of(pyramid, level, x, i));
          own_time = worse(own_time, truth.own);
          inherited_time = worse(inherited_time, truth.inherited);
          const DecodedStrip& strip = batch.strips[member * 3 + x];
          own = worse(own, strip.own[i]);
          inherited = worse(inherited, strip.inherited[i]);
          marks |= strip.marks[i];
          busy += static_cast<unsigned char>(strip.busy[i]);
          is_empty = is_empty && strip.kind[i] == '\xff';
        }
        ASSERT_EQ(fold.own[i], is_stored ? own : log_of(own_time));
        ASSERT_EQ(fold.inherited[i], is_stored ? inherited : log_of(inherited_time));
        ASSERT_EQ(fold.marks[i], marks);
        ASSERT_EQ(fold.kind[i] == '\xff', is_empty);
        ASSERT_NEAR(static_cast<unsigned char>(fold.busy[i]), busy / 3.0, 1.01);
      }
    }
  }
}

TEST_F(Strips, OfComponentsTellHowBusyTheyAre) {
  const std::string bytes = body(strips, asked(1, "0", "1073741824,1073741825"));
  const DecodedBatch batch = decoded(bytes);
  ASSERT_EQ(batch.strips.size(), 2U);
  EXPECT_EQ(batch.strips[0].busy, std::string(512, '\0'));
  EXPECT_EQ(batch.strips[1].busy, std::string(512, '\x80'));
  EXPECT_EQ(batch.strips[1].kind, std::string(512, '\xff'));
}

TEST_F(Strips, OfAWhatIfRunAreNotKeptForEver) {
  std::vector<Column<replay::OperationTimes>> times;
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    const auto observed = opened_.runs.observed.rank(rank).times;
    times.emplace_back(observed.begin(), observed.end());
  }
  add_whatif(opened_.pyramid, opened_.runs, 2, std::move(times));
  const std::string bytes = body(strips, asked(2, "1", "0", "whatif-2")), observed = body(strips, asked(2, "1", "0"));
  EXPECT_EQ(decoded(bytes).source, 3U);
  EXPECT_EQ(decoded(bytes).strips[0].own, decoded(observed).strips[0].own);
  EXPECT_FALSE(strips(opened_, {asked(2, "1", "0", "whatif-2")}).immutable);
  EXPECT_TRUE(strips(opened_, {asked(2, "1", "0")}).immutable);
}

TEST_F(Strips, OfADamagedArchiveSaySo) {
  opened_.runs.banners = {"rank 3 is cut off"};
  const std::string bytes = body(strips, asked(0, "0", "0"));
  EXPECT_EQ(decoded(bytes).flags, 1U);
}

TEST_F(Strips, AreRefusedWithAStatusThatTellsWhy) {
  EXPECT_EQ(status(strips, asked(0, "0", "0")), 200U);
  Values values = asked(0, "0", "0");
  values.erase("k");
  EXPECT_EQ(status(strips, values), 400U);
  values["k"] = "0000000000000000";
  EXPECT_EQ(status(strips, values), 409U);
  EXPECT_EQ(status(strips, asked(0, "0", "0", "whatif-1")), 404U);
  EXPECT_EQ(status(strips, asked(0, "0", "0", "whatif-0")), 400U);
  EXPECT_EQ(status(strips, asked(0, "0", "0", "whatif-1x")), 400U);
  EXPECT_EQ(status(strips, asked(0, "0", "0", "observed")), 400U);
  EXPECT_EQ(status(strips, asked(99, "0", "0")), 400U);
  EXPECT_EQ(status(strips, asked(2, "3..4", "0")), 400U);
  EXPECT_EQ(status(strips, asked(2, "3..2", "0")), 400U);
  EXPECT_EQ(status(strips, asked(2, "", "0")), 400U);
  EXPECT_EQ(status(strips, asked(2, "-1", "0")), 400U);
  EXPECT_EQ(status(strips, asked(2, "0", "")), 400U);
  EXPECT_EQ(status(strips, asked(2, "0", "0,")), 400U);
  EXPECT_EQ(status(strips, asked(2, "0", "3-1")), 400U);
  EXPECT_EQ(status(strips, asked(2, "0", "4")), 404U);
  EXPECT_EQ(status(strips, asked(2, "0", "536870914")), 404U);
  EXPECT_EQ(status(strips, asked(2, "0", "1073741826")), 404U);
  EXPECT_EQ(status(strips, asked(2, "0", "0-4294967295")), 413U);
  EXPECT_EQ(status(strips, asked(13, "0..4096", "0")), 413U);
  EXPECT_EQ(status(strips, asked(13, "0..2047", "0-2")), 413U);
}

TEST_F(Strips, AnyRequestHasAnAnswer) {
  const std::string_view likely[] = {"0",          "1",   "..",      "-",    ",",  "4294967295", "536870912",
                                     "1073741824", "obs", "whatif-", "free", kKey, " ",          "99999999999999999999",
                                     "-1",         ""};
  const auto text = [&] {
    std::string all;
    for (std::uint64_t n = random_() % 5; n > 0; --n) all += likely[random_() % std::size(likely)];
    return all;
  };
  for (int i = 0; i < 3000; ++i) {
    Values values = random_() % 3 == 0 ? Values() : asked(0, "0", "0");
    for (std::uint64_t n = 1 + random_() % 3; n > 0; --n)
      values[std::array{"k", "s", "l", "x", "r", "lane", "t0", "t1", "fold", "order"}[random_() % 10]] = text();
    for (const Endpoint endpoint : {strips, at, lanes})
      EXPECT_THAT(status(endpoint, values), testing::AnyOf(200U, 400U, 404U, 409U, 413U));
  }
}

}  // namespace
}  // namespace plumbline::viewer
