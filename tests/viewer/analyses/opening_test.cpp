#include "viewer/index/opening/opening.hpp"
#include "viewer/index/matches/match_operations.hpp"
#include "viewer/index/opening/keep_opening.hpp"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>

#include "replay/compare/compare.hpp"
#include "tests/viewer/index/random_runs.hpp"
#include "viewer/index/kept/index_file.hpp"
#include "viewer/index/runs/marks.hpp"

namespace plumbline::viewer {
namespace {

namespace fs = std::filesystem;

std::string contents_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void overwrite(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

class OpeningFile : public testing::Test {
 protected:
  // Everything that opening these runs works out. The runs keep what they have.
  Opening worked_out() {
    Opening opening;
    opening.expected = runs_.expected;
    opening.comparison = runs_.comparison;
    opening.components = runs_.components;
    opening.marks = runs_.marks;
    opening.matches = match_operations(runs_.observed);
    opening.lanes = make_lanes(runs_);
    opening.report = Column<std::uint8_t>{1, 2, 3};
    opening.index_key = index_key(runs_);
    return opening;
  }

  // What was kept, as bytes: all that another process would find.
  std::string written_again(Opening opening) {
    const std::vector<fs::path> places = {directory_ / "again"};
    keep_opening(opening, places, kKey, runs_.observed);
    return contents_of(places[0]);
  }

  static constexpr KeptKey kKey{1, 2};
  const test::TemporaryDirectory directory_;
  const std::vector<fs::path> places_ = {directory_ / "plumbline.opening"};
  std::mt19937_64 random_ = printed_random();
  Runs runs_ = [&] {
    Runs runs = random_runs(directory_ / "program", {}, random_);
    runs.components = {{"l0", "link", {{Time{5}, 0.5F}, {Time{9}, 0}}}};
    runs.comparison =
        replay::compare_columns(runs.observed, *runs.expected, replay::ReferenceRun::kExpected, {.threshold = 0.02});
    return runs;
  }();
};

TEST_F(OpeningFile, HasWhatWasWorkedOut) {
  Opening opening = worked_out();
  const std::string bytes = written_again(opening);
  keep_opening(opening, places_, kKey, runs_.observed);
  const std::optional<Opening> found = find_opening(places_, kKey, runs_.observed);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(contents_of(places_[0]), bytes);
  EXPECT_EQ(written_again(*found), bytes);
  EXPECT_EQ(index_key(runs_), found->index_key);
  EXPECT_EQ(found->expected->reasons, runs_.expected->reasons);
  for (std::uint32_t rank = 0; rank < runs_.observed.ranks(); ++rank) {
    EXPECT_TRUE(std::ranges::equal(std::as_const(*found).expected->ranks[rank].free,
                                   std::as_const(runs_).expected->ranks[rank].free,
                                   [](const auto& a, const auto& b) { return a.begin == b.begin && a.end == b.end; }));
    EXPECT_EQ(found->expected->ranks[rank].as_run_upper, runs_.expected->ranks[rank].as_run_upper);
    EXPECT_EQ(found->marks[rank], runs_.marks[rank]);
    EXPECT_EQ(found->matches.ranks[rank].partner, opening.matches.ranks[rank].partner);
    EXPECT_EQ(found->lanes.ranks[rank].own, opening.lanes.ranks[rank].own);
  }
  ASSERT_EQ(found->comparison->rows.size(), runs_.comparison->rows.size());
  for (std::size_t i = 0; i < runs_.comparison->rows.size(); ++i) {
    const replay::Row &kept = found->comparison->rows[i], &truth = runs_.comparison->rows[i];
    EXPECT_EQ(kept.key, truth.key);
    EXPECT_EQ(kept.own.total, truth.own.total);
    EXPECT_EQ(kept.verdict(), truth.verdict());
    EXPECT_EQ(kept.parts.size(), truth.parts.size());
    EXPECT_EQ(kept.instances, truth.instances);
  }
  EXPECT_EQ(found->comparison->options.threshold, 0.02);
  EXPECT_EQ(found->comparison->totals.own, runs_.comparison->totals.own);
  EXPECT_EQ(found->components.at(0).pieces.at(1).begin, Time{9});
  EXPECT_EQ(found->report, (Column<std::uint8_t>{1, 2, 3}));
}

TEST_F(OpeningFile, OfARecordingAloneHasNoComparison) {
  runs_.expected.reset();
  runs_.comparison.reset();
  Opening opening = worked_out();
  keep_opening(opening, places_, kKey, runs_.observed);
  const std::optional<Opening> found = find_opening(places_, kKey, runs_.observed);
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->expected.has_value());
  EXPECT_FALSE(found->comparison.has_value());
}

TEST_F(OpeningFile, OfAnotherKeyIsNotFound) {
  Opening opening = worked_out();
  keep_opening(opening, places_, kKey, runs_.observed);
  EXPECT_FALSE(find_opening(places_, {1, 3}, runs_.observed));
  EXPECT_FALSE(find_opening(places_, {3, 2}, runs_.observed));
}

TEST_F(OpeningFile, OfAnotherProgramIsNotFound) {
  Opening opening = worked_out();
  keep_opening(opening, places_, kKey, runs_.observed);
  replay::ProgramBuilder builder(directory_ / "other");
  builder.begin_rank(builder.node("n"), 1);
  builder.end_rank(0);
  const replay::Program other = builder.finish();
  EXPECT_FALSE(find_opening(places_, kKey, other));
}

TEST_F(OpeningFile, DamagedAnywhereIsNotFound) {
  Opening opening = worked_out();
  keep_opening(opening, places_, kKey, runs_.observed);
  const std::string whole = contents_of(places_[0]);
  for (int i = 0; i < 400; ++i) {
    std::string damaged = whole;
    switch (random_() % 4) {
      case 0:
        damaged.resize(random_() % damaged.size());
        break;
      case 1:
        damaged.append(1 + random_() % 100, '\0');
        break;
      case 2:  // the header
        damaged[random_() % 64] ^= static_cast<char>(1 + random_() % 255);
        break;
      default:
        damaged[random_() % damaged.size()] ^= static_cast<char>(1 + random_() % 255);
    }
    overwrite(places_[0], damaged);
    ASSERT_FALSE(find_opening(places_, kKey, runs_.observed));
  }
  overwrite(places_[0], whole);
  EXPECT_TRUE(find_opening(places_, kKey, runs_.observed));
}

// Whole, of the right key, and yet of no use: whoever can write to the cache can write this.
TEST_F(OpeningFile, WhoseIndicesAreOutsideOfTheProgramIsNotFound) {
  using Change = std::function<void(Opening&)>;
  const std::uint32_t ranks = runs_.observed.ranks();
  const auto operations = static_cast<std::uint32_t>(runs_.observed.rank(0).operations.size());
  const OperationId no_rank{ranks, 0}, no_operation{0, operations};
  const auto with_series = [](Series series) {
    return [series](Opening& opening) { opening.matches.series.push_back(series); };
  };
  const Series series{SeriesOf::kComm, 0, 0, {0, 1}, {0, 1, 2}, Column<std::uint32_t>{0, 0}};
  const auto changed = [&](auto change) {
    Series other = series;
    change(other);
    return with_series(other);
  };
  const auto find = [&](const Change& change) {
    Opening opening = worked_out();
    change(opening);
    keep_opening(opening, places_, kKey, runs_.observed);
    return find_opening(places_, kKey, runs_.observed).has_value();
  };
  EXPECT_TRUE(find([](Opening&) {}));
  EXPECT_TRUE(find(with_series(series)));
  const std::vector<std::pair<const char*, Change>> changes = {
      {"partner of no rank", [&](Opening& o) { o.matches.ranks[0].partner[0] = no_rank; }},
      {"partner", [&](Opening& o) { o.matches.ranks[0].partner[0] = no_operation; }},
      {"sender",
       [&](Opening& o) {
         o.matches.ranks[0].sent_to.push_back({operations, {0, 0}});
       }},
      {"receiver",
       [&](Opening& o) {
         o.matches.ranks[0].sent_to.push_back({0, no_operation});
       }},
      {"start",
       [&](Opening& o) {
         o.matches.ranks[0].completed.push_back({operations, {0, 0}});
       }},
      {"wait",
       [&](Opening& o) {
         o.matches.ranks[0].completed.push_back({0, no_rank});
       }},
      {"without partner", [&](Opening& o) { o.matches.without_partner.push_back(no_operation); }},
      {"rank of a series", changed([&](Series& s) { s.ranks[1] = ranks; })},
      {"communicator of a series", changed([&](Series& s) { s.comm = runs_.observed.comms(); })},
      {"call of a series", changed([&](Series& s) { s.calls[0] = operations; })},
      {"first beyond the calls", changed([&](Series& s) { s.first[2] = 3; })},
      {"first descends", changed([&](Series& s) {
         s.first = {0, 2, 1};
       })},
      {"first is short", changed([&](Series& s) { s.first.pop_back(); })},
      {"reason", [&](Opening& o) { o.expected->ranks[0].not_judged[0] = 1000; }},
      {"number of a lane", [&](Opening& o) { o.lanes.ranks[0].number = ranks; }},
      {"worst rank of a lane", [&](Opening& o) { o.lanes.ranks[0].worst_rank = ranks; }},
      {"component of a lane", [&](Opening& o) { o.lanes.components.at(0).number += 1; }},
      {"group of a file", [&](Opening& o) { o.comparison->file_group.at(0) = 1000; }},
      {"fewer groups", [&](Opening& o) { o.comparison->file_group.pop_back(); }},
      {"call of a row", [&](Opening& o) { o.comparison->rows.at(0).key.call = 1000; }},
      {"file of a row", [&](Opening& o) { o.comparison->rows.at(0).key.file = 1000; }},
      {"rank of a row", [&](Opening& o) { o.comparison->rows.at(0).parts.emplace_back().rank = ranks; }},
      {"instance", [&](Opening& o) { o.comparison->rows.at(0).instances.emplace_back().operation = operations; }},
      {"off the CPU", [&](Opening& o) { o.comparison->off_cpu.pop_back(); }},
  };
  for (const auto& [what, change] : changes) EXPECT_FALSE(find(change)) << what;
}

// As a file whose header fits what is in it: 8 B of its hash are at 48, behind the place of the fields.
void overwrite_with_hash(const fs::path& path, std::string text) {
  const XXH64_hash_t hash = XXH3_64bits(text.data() + 64, text.size() - 64);
  std::memcpy(text.data() + 48, &hash, sizeof hash);
  overwrite(path, text);
}

void expect_inside(const Opening& opening, const replay::Program& program) {
  const auto has = [&](OperationId id) {
    return id.rank < program.ranks() && id.operation < program.rank(id.rank).operations.size();
  };
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankMatches& matches = opening.matches.ranks.at(rank);
    for (const OperationId partner : matches.partner) EXPECT_TRUE(!partner.exists() || has(partner));
    for (const auto* links : {&matches.sent_to, &matches.completed})
      for (const Link& link : *links) EXPECT_TRUE(has({rank, link.operation}) && (!link.to.exists() || has(link.to)));
    for (const std::uint32_t reason : opening.expected->ranks.at(rank).not_judged)
      EXPECT_TRUE(reason == replay::kNone || reason < opening.expected->reasons.size());
    EXPECT_LT(opening.lanes.ranks.at(rank).worst_rank, program.ranks());
  }
  for (const OperationId id : opening.matches.without_partner) EXPECT_TRUE(has(id));
  for (const Series& series : opening.matches.series)
    for (std::size_t place = 0; place < series.ranks.size(); ++place) {
      ASSERT_LE(series.first.at(place), series.first.at(place + 1));
      ASSERT_LE(series.first.at(place + 1), series.calls.size());
      for (const std::uint32_t call : series.calls_of(place)) EXPECT_TRUE(has({series.ranks[place], call}));
    }
  for (const std::uint32_t group : opening.comparison->file_group) EXPECT_LT(group, opening.comparison->files.size());
}

TEST_F(OpeningFile, ChangedAnywhereUnderAHashThatFitsIsNotFoundOrOfTheProgram) {
  Opening opening = worked_out();
  opening.matches.series.push_back({SeriesOf::kComm, 0, 0, {0, 1}, {0, 1, 2}, Column<std::uint32_t>{0, 0}});
  keep_opening(opening, places_, kKey, runs_.observed);
  const std::string whole = contents_of(places_[0]);
  overwrite_with_hash(places_[0], whole);
  ASSERT_TRUE(find_opening(places_, kKey, runs_.observed));
  std::uint64_t fields = 0;
  std::memcpy(&fields, whole.data() + 40, sizeof fields);
  for (int round = 0; round < 400; ++round) {
    std::string text = whole;
    const std::size_t begin = round % 2 == 0 ? 64 : fields;
    for (std::uint64_t changes = 1 + random_() % 3; changes > 0; --changes)
      text[begin + random_() % (text.size() - begin)] = static_cast<char>(random_());
    overwrite_with_hash(places_[0], text);
    if (const std::optional<Opening> found = find_opening(places_, kKey, runs_.observed))
      expect_inside(*found, runs_.observed);
  }
}

// The place says of which archive, the key says whether it fits: one file of an archive, however often it is made.
TEST(OpeningPlaces, AreTwoOfEachArchive) {
  const test::TemporaryDirectory directory;
  ::setenv("XDG_CACHE_HOME", (directory / "cache").c_str(), 1);
  const std::vector<fs::path> places = opening_places("/data/run/traces.otf2");
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0], "/data/run/plumbline.opening");
  EXPECT_EQ(places[1].parent_path(), directory / "cache/plumbline");
  EXPECT_EQ(places[1].extension(), ".opening");
  EXPECT_EQ(opening_places("/data/./run/traces.otf2"), places);
  EXPECT_NE(opening_places("/data/other/traces.otf2")[1], places[1]);
  EXPECT_EQ(index_places("/data/run/traces.otf2")[1].stem(), places[1].stem());
  ::unsetenv("XDG_CACHE_HOME");
}

TEST_F(OpeningFile, LiesInTheNextPlaceWhereTheFirstTakesNone) {
  fs::create_directory(directory_ / "taken");
  const std::vector<fs::path> places = {directory_ / "taken", directory_ / "deep/in/cache.opening"};
  Opening opening = worked_out();
  keep_opening(opening, places, kKey, runs_.observed);
  EXPECT_TRUE(fs::exists(places[1]));
  EXPECT_TRUE(find_opening(places, kKey, runs_.observed));
}

TEST_F(OpeningFile, StaysInMemoryWhereNoPlaceTakesIt) {
  overwrite(directory_ / "file", "");
  Opening opening = worked_out();
  const std::string bytes = written_again(opening);
  keep_opening(opening, std::vector<fs::path>{directory_ / "file/plumbline.opening", "/proc/plumbline.opening"}, kKey,
               runs_.observed);
  EXPECT_EQ(written_again(opening), bytes);
}

TEST_F(OpeningFile, HasColumnsOfEqualContentOnce) {
  runs_.expected->ranks[0].upper = runs_.expected->ranks[0].as_run;
  const std::size_t bytes = written_again(worked_out()).size();
  runs_.expected->ranks[0].upper[0] += nanoseconds(1);
  EXPECT_GE(written_again(worked_out()).size(), bytes + runs_.expected->ranks[0].upper.size() * sizeof(Duration));
}

TEST(OpeningKey, TellsWhateverAnOpeningIsMadeFrom) {
  const OpeningSource source{"a", "b", "observed", "expected", {}};
  std::vector<OpeningSource> others(6, source);
  others[0].observed = "c";
  others[1].reference = "";
  others[2].observed_name = "other";
  others[3].reference_name = "other";
  others[4].compare.threshold = 0.5;
  others[5].compare.false_discovery_rate = 0.5;
  EXPECT_EQ(opening_key(source), opening_key(source));
  for (const OpeningSource& other : others) EXPECT_NE(opening_key(source), opening_key(other));
}

}  // namespace
}  // namespace plumbline::viewer
