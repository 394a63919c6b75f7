// The endpoints lanes, strips and at, as functions from a request to a response.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "decoded_strips.hpp"
#include "tests/viewer/index/brute_force.hpp"
#include "tests/viewer/index/random_runs.hpp"
#include "viewer/index/marks.hpp"
#include "viewer/server/endpoints.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::json;

constexpr char kKey[] = "0123456789abcdef";

class Strips : public testing::Test {
 protected:
  static Opened open(Runs runs) {
    runs.components = {{"quiet", "link", {}}, {"busy", "disk", {{span_of(runs.observed).begin, 0.5F}}}};
    Lanes lanes = make_lanes(runs);
    Pyramid pyramid = make_pyramid(runs, {}, {.most_strip_bytes = 60 * sizeof(Strip)});
    Opened opened{std::move(runs), std::move(lanes), std::move(pyramid), {}, {}, nullptr};
    opened.folds.folds = {{.ranks = {0, 1, 3}, .node = 0, .worst_rank = 1, .note = ""},
                          {.ranks = {2}, .node = 0, .worst_rank = 2, .note = "slow"}};
    opened.folds.fold_of = {0, 0, 1, 0};
    opened.key = kKey;
    return opened;
  }

  using Values = std::map<std::string, std::string, std::less<>>;

  std::string body(Endpoint endpoint, Values values) {
    const Response response = endpoint(opened_, {std::move(values)});
    EXPECT_EQ(response.status, 200U);
    return response.body;
  }
  Json json(Endpoint endpoint, Values values) { return Json::parse(body(endpoint, std::move(values))); }
  unsigned status(Endpoint endpoint, Values values) {
    try {
      return endpoint(opened_, {std::move(values)}).status;
    } catch (const BadRequest& bad) {
      EXPECT_FALSE(bad.text.empty());
      return bad.status;
    }
  }
  Values asked(unsigned level, std::string x, std::string lanes, std::string source = "obs") {
    return {{"k", kKey}, {"s", source}, {"l", std::to_string(level)}, {"x", x}, {"r", lanes}};
  }

  const test::TemporaryDirectory directory_;
  std::mt19937_64 random_ = printed_random();
  Opened opened_ = open(random_runs(directory_ / "program", {.ranks = 4, .operations = 900}, random_));
};

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

// On a stored level and on one below. Busy is rounded up once for each rank and once for all, or once.
TEST_F(Strips, OfRanksThatAreAlikeShowTheWorstOfAllAndTheMeanOfBusy) {
  for (const unsigned level : {2U, 6U}) {
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
        for (std::size_t member = 0; member < 3; ++member) {
          const DecodedStrip& strip = batch.strips[member * 3 + x];
          own = worse(own, strip.own[i]);
          inherited = worse(inherited, strip.inherited[i]);
          marks |= strip.marks[i];
          busy += static_cast<unsigned char>(strip.busy[i]);
          is_empty = is_empty && strip.kind[i] == '\xff';
        }
        ASSERT_EQ(fold.own[i], own);
        ASSERT_EQ(fold.inherited[i], inherited);
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

class At : public Strips {};

TEST_F(At, TellsTheOperationsOfARangeExactlyWorstFirst) {
  const PyramidSource& source = opened_.pyramid.sources[0];
  for (int i = 0; i < 100; ++i) {
    const std::uint32_t rank = static_cast<std::uint32_t>(random_() % 4);
    const std::uint64_t a = random_() % opened_.pyramid.base_ps, b = random_() % opened_.pyramid.base_ps;
    const std::uint64_t from = std::min(a, b), to = std::max(a, b) + 1;
    const Json told =
        json(at, {{"lane", std::to_string(rank)}, {"t0", std::to_string(from)}, {"t1", std::to_string(to)}});
    const TimeRange range{source.zero + Duration{static_cast<std::int64_t>(from)},
                          source.zero + Duration{static_cast<std::int64_t>(to)}};
    const BruteForce truth(opened_.runs, source, rank);
    const RangeSummary summary = truth.summary(range);
    EXPECT_EQ(told["count"], truth.operations(range).size());
    EXPECT_EQ(told["busy_ps"], summary.busy().ps);
    EXPECT_EQ(told["worst_own_ps"], summary.own.ps);
    EXPECT_EQ(told["worst_inherited_ps"], summary.inherited.ps);
    EXPECT_EQ(told["worst_own_operation"].is_null(), summary.own == Duration{});
    if (summary.own != Duration{}) {
      EXPECT_EQ(told["worst_own_operation"]["operation"], summary.own_operation);
    }
    const std::vector<OperationId> worst = truth.worst(range, 20);
    ASSERT_EQ(told["operations"].size(), worst.size());
    for (std::size_t n = 0; n < worst.size(); ++n) EXPECT_EQ(told["operations"][n]["operation"], worst[n].operation);
  }
}

TEST_F(At, OfRanksThatAreAlikeNamesTheRank) {
  const std::string all = std::to_string(opened_.pyramid.base_ps);
  const Json fold = json(at, {{"lane", "536870912"}, {"t0", "0"}, {"t1", all}});
  std::uint64_t count = 0;
  Json worst;
  for (const char* rank : {"0", "1", "3"}) {
    const Json one = json(at, {{"lane", rank}, {"t0", "0"}, {"t1", all}});
    count += one["count"].get<std::uint64_t>();
    if (worst.is_null() || one["worst_own_ps"] > worst["worst_own_ps"]) worst = one;
  }
  EXPECT_EQ(fold["count"], count);
  if (worst["worst_own_ps"] > 0) {
    EXPECT_EQ(fold["worst_own_operation"], worst["worst_own_operation"]);
  }
}

TEST_F(At, RefusesWhatItCannotMean) {
  EXPECT_EQ(status(at, {{"lane", "0"}, {"t0", "5"}, {"t1", "5"}}), 200U);
  EXPECT_EQ(status(at, {{"lane", "0"}, {"t0", "5"}, {"t1", "4"}}), 400U);
  EXPECT_EQ(status(at, {{"lane", "0"}, {"t0", "5"}}), 400U);
  EXPECT_EQ(status(at, {{"lane", "9"}, {"t0", "5"}, {"t1", "6"}}), 404U);
  EXPECT_EQ(status(at, {{"lane", "0"}, {"t0", "0"}, {"t1", "18446744073709551615"}}), 400U);
  EXPECT_EQ(status(at, {{"lane", "1073741825"}, {"t0", "0"}, {"t1", "10"}}), 200U);
}

class LanesEndpoint : public Strips {
 protected:
  std::vector<std::uint32_t> numbers(Values values) {
    std::vector<std::uint32_t> numbers;
    const Json told = json(lanes, std::move(values));
    for (const Json& lane : told["lanes"]) numbers.push_back(lane["lane"]);
    return numbers;
  }
};

TEST_F(LanesEndpoint, TellsRanksThenComponentsBusiestFirst) {
  EXPECT_EQ(numbers({}), (std::vector<std::uint32_t>{0, 1, 2, 3, 0x40000001, 0x40000000}));
  const Json told = json(lanes, {})["lanes"];
  EXPECT_EQ(told[2]["kind"], "rank");
  EXPECT_EQ(told[2]["ranks"], 1);
  EXPECT_EQ(told[2]["own_ps"], static_cast<std::int64_t>(opened_.lanes.ranks[2].own.ps));
  EXPECT_EQ(told[4]["kind"], "component");
  EXPECT_EQ(told[4]["class"], "disk");
  EXPECT_EQ(told[4]["busy_share"], 0.5);
}

TEST_F(LanesEndpoint, FoldsRanksThatAreAlike) {
  const Json told = json(lanes, {{"fold", "1"}})["lanes"];
  ASSERT_EQ(told.size(), 4U);
  EXPECT_EQ(told[0]["lane"], 536870912);
  EXPECT_EQ(told[0]["kind"], "fold");
  EXPECT_EQ(told[0]["members"], "0-1,3");
  EXPECT_EQ(told[0]["ranks"], 3);
  EXPECT_EQ(told[0]["worst_rank"], 1);
  EXPECT_EQ(told[1]["lane"], 2);
  EXPECT_EQ(told[1]["note"], "slow");
}

TEST_F(LanesEndpoint, SortsByWhatWasLost) {
  const std::vector<std::uint32_t> by_own = numbers({{"order", "own"}});
  for (int i = 0; i < 3; ++i)
    EXPECT_GE(opened_.lanes.ranks[by_own[static_cast<std::size_t>(i)]].own,
              opened_.lanes.ranks[by_own[static_cast<std::size_t>(i + 1)]].own);
  EXPECT_EQ(status(lanes, {{"order", "size"}}), 400U);
  EXPECT_EQ(status(lanes, {{"fold", "2"}}), 400U);
}

TEST_F(LanesEndpoint, KeepsTheRanksWithAnOperationThatIsSelected) {
  EXPECT_EQ(numbers({{"filter", "rank in 1-2"}}), (std::vector<std::uint32_t>{1, 2, 0x40000001, 0x40000000}));
  EXPECT_EQ(numbers({{"filter", "rank == 1"}, {"fold", "1"}}),
            (std::vector<std::uint32_t>{536870912, 0x40000001, 0x40000000}));
  EXPECT_EQ(status(lanes, {{"filter", "sze > 3"}}), 400U);
}

}  // namespace
}  // namespace plumbline::viewer
