#include "replay/compare/pairing/pairing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fixture.hpp"
#include "replay/compare/compare.hpp"

namespace plumbline::replay {
namespace {

class Pairing : public testing::Test {
 protected:
  template <typename Reference>
  static std::string refusal(const Program& observed, const Reference& reference) {
    try {
      compare(observed, reference);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kNotComparable);
      return error.what();
    }
    return "";
  }

  std::string refusal(const std::string& observed, const std::string& reference) {
    return refusal(programs_.parse(observed), programs_.parse(reference));
  }

  Programs programs_;
};

constexpr const char* kHint = "; were OBS and EXP made from the same run?";

TEST_F(Pairing, NamesTheFirstOperationThatDiffers) {
  EXPECT_EQ(
      refusal("ranks 2\nrank 1\nbarrier +1us ; send 0 tag 0 8B ; send 0 tag 1 8B\n",
              "ranks 2\nrank 1\nbarrier ; isend 0 tag 0 8B -> a ; isend 0 tag 1 8B -> b\n"),
      std::string("rank 1, operation 1: MPI_Send to 0 in OBS, MPI_Isend to 0 in EXP; only 1 of 3 operations pair") +
          kHint);
  EXPECT_EQ(refusal("ranks 2\nrank 0\nsend 0 tag 0 8B\n", "ranks 2\nrank 0\nsend 1 tag 0 8B\n"),
            std::string("rank 0, operation 0: MPI_Send to 0 in OBS, MPI_Send to 1 in EXP; only 0 of 1 operation pair") +
                kHint);
  EXPECT_EQ(
      refusal("ranks 1\nrank 0\nbcast root 0 8B\n", "ranks 1\nrank 0\nbcast root 0 9B\n"),
      std::string(
          "rank 0, operation 0: MPI_Bcast with root 0 of 8 bytes in OBS, MPI_Bcast with root 0 of 9 bytes in EXP; "
          "only 0 of 1 operation pair") +
          kHint);
}

TEST_F(Pairing, NamesCommunicatorsOfOtherMembers) {
  EXPECT_EQ(
      refusal("ranks 2\nrank 0\nbarrier\n", "ranks 2\ncomm 1 = 0\nrank 0\nbarrier comm 1\n"),
      std::string("rank 0, operation 0: MPI_Barrier on a communicator of 2 ranks in OBS, MPI_Barrier on a communicator "
                  "of 1 ranks in EXP; only 0 of 1 operation pair") +
          kHint);
}

TEST_F(Pairing, CommunicatorsOfEqualMembersAreTheSameWhateverTheirNumber) {
  EXPECT_EQ(refusal("ranks 2\ncomm 1 = 0 1\nrank 0\nbarrier comm 1 +1us\n", "ranks 2\nrank 0\nbarrier +1us\n"), "");
}

TEST_F(Pairing, CountsRanksAndOperations) {
  EXPECT_EQ(refusal("ranks 2\nrank 0\nbarrier\n", "ranks 1\nrank 0\nbarrier\n"),
            std::string("2 ranks in OBS, 1 in EXP") + kHint);
  EXPECT_EQ(refusal("ranks 1\nrank 0\nbarrier\n", "ranks 1\nrank 0\nbarrier; barrier; barrier\n"),
            std::string("rank 0: 1 operations in OBS, 3 in EXP; only 1 of 3 operations pair") + kHint);
}

TEST_F(Pairing, FailedPollsAreNotCompared) {
  const Program one = programs_.parse("ranks 1\nrank 0\nlocal MPI_Test +1us\nbarrier +2us\nlocal MPI_Iprobe +1us\n");
  const Program other = programs_.parse("ranks 1\nrank 0\nbarrier +1us\nlocal MPI_Test ; local MPI_Test\n");
  const Comparison comparison = compare(one, other);
  ASSERT_EQ(comparison.rows.size(), 1U);
  EXPECT_EQ(comparison.rows[0].own.total, microseconds(1));
  EXPECT_EQ(comparison.totals.polls, 2U);
  EXPECT_EQ(comparison.totals.polling, microseconds(2));
}

TEST_F(Pairing, AWildcardReceiveMayBeMetByAnotherSender) {
  EXPECT_EQ(refusal("ranks 3\nrank 0\nrecv 1 tag 0 8B any-source\n", "ranks 3\nrank 0\nrecv 2 tag 0 8B any-source\n"),
            "");
}

TEST_F(Pairing, ColumnsOfAnotherRunAreRefused) {
  const Program program = programs_.parse("ranks 1\nproperty source = \"aaa\"\nrank 0\nbarrier ; barrier\n");
  Expected expected = as_observed(program);
  EXPECT_EQ(refusal(program, expected), "");
  expected.source = "bbb";
  EXPECT_EQ(refusal(program, expected), std::string("EXP: was made from another archive than OBS") + kHint);
  const Program shorter = programs_.parse("ranks 1\nrank 0\nbarrier\n");
  EXPECT_EQ(refusal(program, as_observed(shorter)), std::string("rank 0: 2 operations in OBS, 1 in EXP") + kHint);
}

}  // namespace
}  // namespace plumbline::replay
