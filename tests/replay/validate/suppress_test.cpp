#include "replay/validate/report/suppress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "replay/validate/report/verdict.hpp"
#include "sample.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay::validate {
namespace {

using testing::ElementsAre;

TEST(ValidateSuppress, ReadsIdComponentAndReason) {
  EXPECT_THAT(parse_suppressions("# ours\n\nnet.link.rate cable n3-* # replaced in May\r\ncpu.governor", "s.txt"),
              ElementsAre(Suppression{"net.link.rate", "cable n3-*", "replaced in May", 3},
                          Suppression{"cpu.governor", "", "", 4}));
}

TEST(ValidateSuppress, NamesEveryLineWhoseIdNoCheckHas) {
  try {
    parse_suppressions("net.link.rat # x\ncpu.governor\nnonsense", "s.txt");
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 2U);
    EXPECT_EQ(to_string(error.problems()[0]),
              "s.txt:1: there is no check 'net.link.rat'; did you mean 'net.link.rate'?");
    EXPECT_EQ(error.problems()[1].where, "s.txt:3");
  }
}

TEST(ValidateSuppress, TakesOutWhatItsPatternFits) {
  Validation validation = sample_validation();
  suppress(validation, parse_suppressions("net.link.rate cable n3-*", "s.txt"), "s.txt");
  ASSERT_EQ(findings(validation).size(), 1U);
  EXPECT_EQ(findings(validation).front()->id, "mpi.transport.no-shared-memory");
  EXPECT_EQ(validation.diagnoses.front().id, "mpi.transport.no-shared-memory") << "suppressed ones are last";
  for (const CheckResult& check : validation.checks) {
    if (check.id == "net.link.rate") {
      EXPECT_EQ(check.state, CheckState::kSuppressed);
    }
  }
}

TEST(ValidateSuppress, FitsByPlacesOnlyWhereAllOfThemDo) {
  Validation validation = sample_validation();
  validation.diagnoses.back().suppressed_by = "";
  suppress(validation, parse_suppressions("cpu.governor n0", "s.txt"), "s.txt");
  EXPECT_EQ(findings(validation).size(), 3U);
  suppress(validation, parse_suppressions("cpu.governor n[01]", "s.txt"), "s.txt");
  EXPECT_EQ(findings(validation).size(), 2U);
}

TEST(ValidateSuppress, NotesALineThatFitsNothing) {
  Validation validation = sample_validation();
  suppress(validation, parse_suppressions("\ndisk.array-degraded", "s.txt"), "s.txt");
  EXPECT_EQ(validation.notes.back(), "s.txt:2 suppresses nothing: there is no such finding of disk.array-degraded");
  EXPECT_EQ(findings(validation).size(), 2U);
}

TEST(ValidateSuppress, AnyBytesAreReadOrRefusedWithTheirLine) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE("PLUMBLINE_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::string pieces[]{"net.link.rate",      "#",    "\n", " ", "\t", "\r", "[", "*", "\\",
                             std::string(1, '\0'), "\xff", "x"};
  for (int i = 0; i < test::cases(3000); ++i) {
    std::string text;
    for (std::uint64_t length = random() % 12; length > 0; --length) text += pieces[random() % std::size(pieces)];
    try {
      Validation validation = sample_validation();
      suppress(validation, parse_suppressions(text, "s.txt"), "s.txt");
    } catch (const Error& error) {
      for (const Problem& problem : error.problems()) EXPECT_TRUE(problem.where.starts_with("s.txt:"));
    }
  }
}

}  // namespace
}  // namespace plumbline::replay::validate
