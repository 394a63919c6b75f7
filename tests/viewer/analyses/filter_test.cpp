#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "tests/support/seed.hpp"
#include "tests/viewer/index/random_runs.hpp"
#include "viewer/index/filter/parser.hpp"
#include "viewer/index/filter/select.hpp"
#include "viewer/index/runs/columns.hpp"
#include "viewer/index/runs/marks.hpp"
#include "viewer/index/runs/parts.hpp"
#include "worlds.hpp"

namespace plumbline::viewer {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kProgram[] = R"program(ranks 3
node n0 ranks 0-1
node n1 ranks 2
comm 1 = 1 2
rank 0
  @0us send 1 tag 3 2MiB +5us site "solve (s.c:1)"
  @10us send 2 tag 4 1KiB +1us site "main (m.c:9)"
  @20us barrier +4us
rank 1
  @1us recv 0 tag 3 2MiB +4us
  @20us barrier +4us
  @30us send 1 tag 3 8B comm 1 +2us
rank 2
  @9us recv 0 tag 4 1KiB +2us
  @20us barrier +4us
  @24us open /data/Out.bin
  @26us write_at 0..4096 +1us
  @30us recv 0 tag 3 8B comm 1 +3us
)program";

class FilterTest : public testing::Test {
 protected:
  std::vector<OperationId> hits(const std::string& expression) {
    const Selection selection(runs_, expression);
    std::vector<OperationId> found;
    for (std::uint32_t rank = 0; rank < 3; ++rank)
      for (std::uint32_t i = 0; i < runs_.observed.rank(rank).operations.size(); ++i)
        if (selection.contains({rank, i})) found.push_back({rank, i});
    EXPECT_EQ(count(runs_, selection), found.size());
    return found;
  }
  std::string error(const std::string& expression) {
    try {
      (void)Selection(runs_, expression);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }

  replay::Programs programs_;
  Runs runs_ = [this] {
    replay::Program program = programs_.parse(kProgram);
    replay::Expected expected = replay::as_observed(program);
    expect(expected.ranks[0], 0, microseconds(2), microseconds(2));
    expect(expected.ranks[2], 4, microseconds(4), microseconds(4));
    return compared(std::move(program), std::move(expected));
  }();
};

TEST_F(FilterTest, FieldsAreComparedWithValuesAndUnits) {
  using Ids = std::vector<OperationId>;
  EXPECT_EQ(hits("call == MPI_Send & bytes > 1MiB"), (Ids{{0, 0}}));
  EXPECT_EQ(hits("bytes >= 1 KiB & bytes < 2MiB"), (Ids{{0, 1}, {2, 0}, {2, 3}}));
  EXPECT_EQ(hits("bytes == 8"), (Ids{{1, 2}, {2, 4}}));
  EXPECT_EQ(hits("rank in 0,2-5 & call == MPI_Barrier"), (Ids{{0, 2}, {2, 1}}));
  EXPECT_EQ(hits("site ~ SOLVE"), (Ids{{0, 0}}));
  EXPECT_EQ(hits("site == \"main (m.c:9)\""), (Ids{{0, 1}}));
  EXPECT_EQ(hits("file ~ out & kind == mpi-io & bytes > 0"), (Ids{{2, 3}}));
  EXPECT_EQ(hits("tag == 3 & call != MPI_Recv"), (Ids{{0, 0}, {1, 2}}));
  EXPECT_EQ(hits("peer == 2 & tag >= 0"), (Ids{{0, 1}, {1, 2}}));  // ranks of the world
  EXPECT_EQ(hits("comm_size == 2"), (Ids{{1, 2}, {2, 4}}));
  EXPECT_EQ(hits("kind == collective & node == n1"), (Ids{{2, 1}}));
  EXPECT_EQ(hits("own > 1us"), (Ids{{0, 0}}));
  EXPECT_EQ(hits("own < -0.5us"), (Ids{{2, 4}}));
  EXPECT_EQ(hits("gained == 1us | begin < 1us & judged"), (Ids{{0, 0}, {2, 4}}));
  EXPECT_EQ(hits("!judged").size() + hits("judged").size(), 11U);
}

TEST_F(FilterTest, SendsAndReceivesWhoseOtherEndIsNotThereAreSelectedByTheirMatches) {
  EXPECT_TRUE(hits("unmatched").empty());
  runs_.unmatched = {{0, 1}, {2, 0}};
  EXPECT_EQ(hits("unmatched"), runs_.unmatched);
  EXPECT_EQ(hits("!unmatched").size(), 9U);
}

TEST_F(FilterTest, ABareWordIsAPartOfTheNameOfTheCall) {
  EXPECT_EQ(hits("barr").size(), 3U);
  EXPECT_EQ(hits("!(barr | recv | send)").size(), 2U);
  EXPECT_EQ(hits("").size(), 11U);
}

TEST_F(FilterTest, AndBindsStrongerThanOrAndNotStrongest) {
  EXPECT_EQ(hits("barrier | send & tag == 4").size(), 4U);
  EXPECT_EQ(hits("(barrier | send) & tag == 4").size(), 1U);
  EXPECT_EQ(hits("!barrier & rank == 0").size(), 2U);
  EXPECT_EQ(hits("send && tag == 3 || rank = 2").size(), 7U);
}

TEST_F(FilterTest, FaultsSayWhereAndWhatAndWhatToDo) {
  EXPECT_THAT(error("sze > 3"), HasSubstr("filter:1: no field is called 'sze'; fields are call, site, file"));
  EXPECT_THAT(error("rank == 1 & bytes > 3x"), HasSubstr("filter:21: '3x' is no bytes; write it with a unit: 4096B"));
  EXPECT_THAT(error("own > 3"), HasSubstr("filter:7: '3' is no own; write it with a unit: 20us"));
  EXPECT_THAT(error("rank in 3-1"), HasSubstr("filter:9: the range '3-1' is empty"));
  EXPECT_THAT(error("rank in 1,x"), HasSubstr("filter:11: 'x' is no rank"));
  EXPECT_THAT(error("(rank == 1"), HasSubstr("filter:1: this parenthesis is not closed; add )"));
  EXPECT_THAT(error("rank == 1)"), HasSubstr("filter:10: nothing was opened here"));
  EXPECT_THAT(error("rank == 1 rank == 2"), HasSubstr("filter:11: 'rank' follows a test; join tests with & or |"));
  EXPECT_THAT(error("send &"), HasSubstr("filter:7: a test is missing"));
  EXPECT_THAT(error("bytes"), HasSubstr("filter:6: 'bytes' is not compared with anything"));
  EXPECT_THAT(error("call == \"MPI"), HasSubstr("filter:9: this quote has no end"));
  EXPECT_THAT(error("call > a"), HasSubstr("filter:6: 'call' is text; compare it with == != or ~"));
  EXPECT_THAT(error("bytes ~ 3"), HasSubstr("filter:7: 'bytes' is no text"));
  EXPECT_THAT(error("judged == 1"), HasSubstr("filter:8: 'judged' is true or not"));
  EXPECT_THAT(error("kind == disk"), HasSubstr("filter:9: 'disk' is no kind; kinds are \"point to point\""));
  EXPECT_THAT(error("kind < wait"), HasSubstr("filter:6: kinds have no order"));
  EXPECT_THAT(error(std::string(100, '(')), HasSubstr("filter:65: more than 64 levels"));
  EXPECT_THAT(error(std::string(5000, 'x')), HasSubstr("filter:4097: the expression has more than 4096 bytes"));
}

TEST_F(FilterTest, HitsFollowEachOtherInTheOrderOfTimeThenRank) {
  const Selection barriers(runs_, "call == MPI_Barrier | tag == 4");
  std::vector<OperationId> forwards, backwards;
  for (OperationId at = next_hit(runs_, barriers, {}); at.exists(); at = next_hit(runs_, barriers, at))
    forwards.push_back(at);
  for (OperationId at = previous_hit(runs_, barriers, {}); at.exists(); at = previous_hit(runs_, barriers, at))
    backwards.insert(backwards.begin(), at);
  EXPECT_THAT(forwards, ElementsAre(OperationId{2, 0}, OperationId{0, 1}, OperationId{0, 2}, OperationId{1, 1},
                                    OperationId{2, 1}));
  EXPECT_EQ(backwards, forwards);
  EXPECT_EQ(next_hit(runs_, barriers, {1, 0}), (OperationId{2, 0}));  // from what is no hit itself
  EXPECT_FALSE(next_hit(runs_, Selection(runs_, "call == MPI_Bcast"), {}).exists());
}

TEST_F(FilterTest, TicksAreBeginsEachOnceAndOnlyTheFirstOfEachPartWhenTheyAreMany) {
  const auto ticks = [&](std::size_t most) {
    return hits_of(runs_, Selection(runs_, "barrier | tag == 3"), most).ticks;
  };
  const auto us = [](std::int64_t at) { return Time{microseconds(at).ps}; };
  EXPECT_THAT(ticks(10), ElementsAre(us(0), us(1), us(20), us(30)));
  EXPECT_THAT(ticks(2), ElementsAre(us(0), us(20)));
  EXPECT_EQ(hits_of(runs_, Selection(runs_, "tag == 3"), 1).count, 4U);
}

// One operation at a time, by what the parts of an operation are.
struct Truth {
  std::string expression;
  bool (*is_hit)(const Runs&, std::uint32_t, std::uint32_t);
};

TEST(Selection, OfRandomRunsIsWhatOneOperationAtATimeTells) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  const Runs runs = random_runs(directory / "program", {.ranks = 3, .operations = 3000}, random);
  const std::vector<Truth> truths{
      {"own > 1us",
       [](const Runs& r, std::uint32_t rank, std::uint32_t i) {
         return parts_of(r, rank, i).judged && parts_of(r, rank, i).own > microseconds(1);
       }},
      {"!(inherited <= 0 | rank == 1)",
       [](const Runs& r, std::uint32_t rank, std::uint32_t i) {
         return rank != 1 && !(parts_of(r, rank, i).judged && parts_of(r, rank, i).inherited <= Duration{});
       }},
      {"bytes > 1000B & site ~ a.c",
       [](const Runs& r, std::uint32_t rank, std::uint32_t i) {
         const replay::Operation& op = r.observed.rank(rank).operations[i];
         return op.bytes > 1000 && r.observed.site(op.site) == "f (a.c:1)";
       }},
      {"finding | kind == posix & withheld",
       [](const Runs& r, std::uint32_t rank, std::uint32_t i) {
         const std::uint8_t marks = marks_of(r, {rank, i});
         const bool posix = kind_of(r.observed, r.observed.rank(rank).operations[i]) == CallKind::kPosix;
         return (marks & kFindingMark) != 0 || (posix && (marks & kWithheldMark) != 0);
       }},
  };
  for (const Truth& truth : truths) {
    const Selection selection(runs, truth.expression);
    std::uint64_t all = 0;
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      std::vector<std::uint8_t> out(runs.observed.rank(rank).operations.size());
      selection.test(rank, 0, out);
      for (std::uint32_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(out[i] != 0, truth.is_hit(runs, rank, i)) << truth.expression << " " << rank << " " << i;
        all += out[i];
      }
      if (std::ranges::count(out, 1) > 0) {
        EXPECT_TRUE(selection.may_contain(rank));
      }
    }
    EXPECT_EQ(count(runs, selection), all) << truth.expression;
    EXPECT_EQ(hits_of(runs, selection, 64).count, all);
  }
}

// Words of the grammar in any order, cut and changed: an expression, or an Error that says where.
TEST_F(FilterTest, AnyTextIsAnExpressionOrAnErrorThatSaysWhere) {
  const std::vector<std::string> words{
      "call", "bytes",  "rank", "in",      "==",   "!=",   "<",     ">=", "~",  "&",
      "|",    "!",      "(",    ")",       "1MiB", "-3us", "0-3",   ",",  "\"", "\\",
      "own",  "judged", "x",    "\"a b\"", " ",    "kind", "posix", "\n", "-",  "9999999999999999999"};
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(testing::Message() << "PLUMBLINE_SEED=" << seed);
  std::mt19937_64 random(seed);
  for (int turn = 0; turn < 20'000; ++turn) {
    std::string text;
    for (std::uint64_t n = random() % 12; n > 0; --n)
      text += words[random() % words.size()] + (random() % 2 ? " " : "");
    if (!text.empty() && random() % 4 == 0) text[random() % text.size()] = static_cast<char>(random());
    try {
      (void)parse_expression(text);
      (void)count(runs_, Selection(runs_, text));
    } catch (const Error& error) {
      ASSERT_THAT(error.what(), testing::StartsWith("filter:")) << text;
    }
  }
}

}  // namespace
}  // namespace plumbline::viewer
