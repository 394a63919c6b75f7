// What is proposed for both MPIs, and whether a proposal that was run heals.

#include "bench/rules/trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bench/rules/made_campaign.hpp"

namespace plumbline::bench {
namespace {

using test::MadeCampaign;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kRatio = 1.1;

// Allgather against Gather and Bcast on two ranks: violated at 64 and 512 B of four sizes.
MadeCampaign allgathers(const std::string& mpi, std::uint32_t runs = 8) {
  MadeCampaign made(runs, 1, 2, mpi);
  for (const std::uint64_t bytes : {8, 64, 512, 4096}) {
    const bool violated = bytes == 64 || bytes == 512;
    made.add("allgather", bytes, violated ? 6 : 2);
    made.add("gather", bytes, 1);
    made.add("bcast", 2 * bytes, 2);
  }
  return made;
}

struct Judged {
  RulesVerdict verdict;
  std::vector<GuidelineTrack> tracks;
  std::vector<Proposal> proposals;

  explicit Judged(const Campaign& campaign) : verdict(judge_rules(campaign)), tracks(tracks_of(verdict, kRatio)) {
    for (const GuidelineTrack& track : tracks)
      proposals.push_back(track.violated ? proposal_for(track, verdict) : Proposal{});
  }
  const Proposal& proposal_of(std::string_view rule) const {
    for (std::size_t i = 0; i < tracks.size(); ++i)
      if (tracks[i].rule->id == rule && tracks[i].violated) return proposals[i];
    static const Proposal none;
    return none;
  }
};

constexpr char kRule[] = "rule.allgather.gather-bcast";

// Sizes of the file are those of the blocks of both ranks.
TEST(Proposals, ForOpenMpiAreATuningFileOfTheViolatedSizes) {
  MadeCampaign made = allgathers("openmpi");
  const Judged judged(made.campaign());
  const Proposal& proposal = judged.proposal_of(kRule);
  EXPECT_THAT(proposal.lines, ElementsAre("OMPI_MCA_coll_tuned_use_dynamic_rules=1",
                                          "OMPI_MCA_coll_tuned_dynamic_rules_filename={tuning-file}"));
  EXPECT_THAT(lines_with(proposal, "/a/b.conf")[1], HasSubstr("filename=/a/b.conf"));
  const std::string without_title = proposal.file.substr(proposal.file.find('\n') + 1);
  EXPECT_EQ(without_title,
            "1\n"          // operations: one,
            "0\n"          // allgather
            "2\n"          // numbers of ranks
            "2\n"          // from 2 on
            "3\n"          // sizes
            "0 0 0 0\n"    // as the library has it
            "128 1 0 0\n"  // from 64 B of each of two ranks on: linear
            "8192 0 0 0\n"
            "3\n"  // from 3 ranks on
            "1\n"
            "0 0 0 0\n");
}

TEST(Proposals, ForMpichAreAnAlgorithm) {
  MadeCampaign made = allgathers("mpich");
  const Judged judged(made.campaign());
  const Proposal& proposal = judged.proposal_of(kRule);
  EXPECT_THAT(proposal.lines, ElementsAre("MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=brucks"));
  EXPECT_EQ(proposal.file, "");
}

TEST(Proposals, SayWhatAProgramCanDoWhereALibraryHasNoSetting) {
  for (const char* mpi : {"openmpi", "mpich"}) {
    MadeCampaign made(8, 1, 2, mpi);
    made.add("neighbor_allgather", 8, 9, {{"topology", "cartesian"}, {"dimensions", "2"}});
    made.add("neighbor_alltoall", 8, 1, {{"topology", "cartesian"}, {"dimensions", "2"}});
    const Judged judged(made.campaign());
    const Proposal& proposal = judged.proposal_of("rule.neighbourhood");
    EXPECT_THAT(proposal.lines, IsEmpty()) << mpi;
    EXPECT_THAT(proposal.why, HasSubstr("a program gains by neighbor_alltoall 8 B in place of neighbor_allgather 8 B"));
  }
}

std::vector<Trial> trials_for(const std::string& mpi) {
  MadeCampaign made = allgathers(mpi);
  const Judged judged(made.campaign());
  return trials_of(judged.verdict, judged.tracks, judged.proposals, 4);
}

TEST(Trials, MeasureTheOperationWithAndWithoutBesideTheOtherSide) {
  std::vector<Trial> trials = trials_for("mpich");
  ASSERT_THAT(trials, SizeIs(1));
  EXPECT_EQ(trials[0].violated(), 2U);
  ASSERT_THAT(trials[0].sizes, SizeIs(4));
  EXPECT_THAT(trials[0].sizes[1].slow, SizeIs(2)) << "gather and bcast";
  RulesCampaign options = rules_campaign(RulesLevel::kQuick);
  options.seed = 5;
  const std::string text = trial_text(trials, options);
  EXPECT_THAT(text, HasSubstr("only = [\"allgather\", \"bcast\", \"gather\"]"));
  EXPECT_THAT(text, HasSubstr("variant = \"proposal-1\"\nenvironment = "
                              "[\"MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=brucks\"]\nonly = [\"allgather\"]"));
  EXPECT_THAT(text, HasSubstr("operation = [\"allgather\", \"gather\"]\nsizes = [8, 64, 512, 4096]"));
  EXPECT_THAT(text, HasSubstr("sizes = [16, 128, 1024, 8192]"));
}

// With the setting 64 B take what they should, 512 B are a little faster, and 4 KiB are slower.
TEST(Trials, SayAtWhichSizesAProposalHealsAndAtWhichItHarms) {
  std::vector<Trial> trials = trials_for("mpich");
  MadeCampaign again = allgathers("mpich");
  const test::Words with{{kVariant, "proposal-1"}};
  again.add_layout(1, 2, "mpich");
  again.add("allgather", 8, 2, with);
  again.add("allgather", 64, 2.5, with);
  again.add("allgather", 512, 5, with);
  again.add("allgather", 4096, 3, with);
  judge_trials(again.campaign(), kRatio, trials);
  const std::vector<TrialSize>& sizes = trials.at(0).sizes;
  EXPECT_FALSE(sizes[0].faster || sizes[0].slower || sizes[0].healed);
  EXPECT_TRUE(sizes[1].healed);
  EXPECT_NEAR(sizes[1].mock_s, 3e-6, 1e-7);
  EXPECT_TRUE(sizes[2].faster && !sizes[2].healed);
  EXPECT_TRUE(sizes[3].slower);
  EXPECT_EQ(trials[0].healed(), 1U);
  EXPECT_EQ(trials[0].harmed(), 1U);
}

// What the setting changes is the other side as well: what was slow and is slower now does not heal.
TEST(Trials, AreNotHealedByAnOtherSideThatIsSlower) {
  std::vector<Trial> trials = trials_for("mpich");
  MadeCampaign again = allgathers("mpich");
  again.add_layout(1, 2, "mpich");
  for (const std::uint64_t bytes : {8, 64, 512, 4096}) {
    again.add("allgather", bytes, 6, {{kVariant, "proposal-1"}});
    again.add("gather", bytes, 50, {{kVariant, "proposal-1"}});
  }
  judge_trials(again.campaign(), kRatio, trials);
  EXPECT_EQ(trials.at(0).healed(), 0U);
}

// The campaign was of 2 x 4 ranks, and the options are those of a machine that has it open.
TEST(Trials, AreRunInTheLayoutThatWasViolated) {
  MadeCampaign made(8, 2, 4, "mpich");
  for (const std::uint64_t bytes : {8, 64}) {
    made.add("allgather", bytes, 9);
    made.add("alltoall", bytes, 1);
  }
  const Judged judged(made.campaign());
  std::vector<Trial> trials = trials_of(judged.verdict, judged.tracks, judged.proposals, 4);
  ASSERT_THAT(trials, SizeIs(1));
  EXPECT_THAT(trial_text(trials, rules_campaign(RulesLevel::kQuick)),
              testing::AllOf(HasSubstr("mpi = [\"mpich\"]"), HasSubstr("nodes = 2\nper_node = 4\nonly"),
                             HasSubstr("nodes = 2\nper_node = 4\nvariant"), testing::Not(HasSubstr("nodes = 1\n"))));
  for (const std::uint64_t bytes : {8, 64}) made.add("allgather", bytes, 1, {{kVariant, "proposal-1"}});
  judge_trials(made.campaign(), kRatio, trials);
  EXPECT_NEAR(trials[0].sizes[0].before_s, 9e-6, 1e-7);
  EXPECT_EQ(trials[0].healed(), 2U);
  MadeCampaign elsewhere(8, 1, 2, "mpich");
  elsewhere.add("allgather", 8, 9);
  judge_trials(elsewhere.campaign(), kRatio, trials);
  EXPECT_THAT(trials[0].sizes[0].before, IsEmpty()) << "of another layout";
}

TEST(Trials, AreOneCampaignForEachMpiAndLayout) {
  Trial open, mpich, wide;
  open.mpi = "openmpi";
  mpich.mpi = wide.mpi = "mpich";
  wide.nodes = 2;
  const std::vector<std::vector<Trial>> parts = by_layout({mpich, open, wide, mpich});
  ASSERT_THAT(parts, ElementsAre(SizeIs(2), SizeIs(1), SizeIs(1)));
  EXPECT_EQ(parts[0][1].nodes, 1U);
  EXPECT_EQ(parts[2][0].nodes, 2U);
}

// 64 B take what they should this time without the setting too, and 512 B do not.
TEST(Trials, HealOnlyWhatIsSeenAgain) {
  std::vector<Trial> trials = trials_for("mpich");
  MadeCampaign again(8, 1, 2, "mpich");
  for (const std::uint64_t bytes : {64, 512}) {
    again.add("allgather", bytes, bytes == 64 ? 3 : 6);
    again.add("gather", bytes, 1);
    again.add("bcast", 2 * bytes, 2);
    again.add("allgather", bytes, 2, {{kVariant, "proposal-1"}});
  }
  judge_trials(again.campaign(), kRatio, trials);
  const std::vector<TrialSize>& sizes = trials.at(0).sizes;
  EXPECT_TRUE(sizes[1].faster && !sizes[1].seen && !sizes[1].healed);
  EXPECT_TRUE(sizes[2].faster && sizes[2].seen && sizes[2].healed);
  EXPECT_EQ(trials[0].violated(), 2U);
  EXPECT_EQ(trials[0].seen(), 1U);
  EXPECT_EQ(trials[0].healed(), 1U);
}

// As one that was cut off: that it is not violated any more is more than three runs can say.
TEST(Trials, AreNotJudgedByFewRuns) {
  for (const std::uint32_t runs : {3U, 4U}) {
    std::vector<Trial> trials = trials_for("mpich");
    MadeCampaign again(runs, 1, 2, "mpich");
    again.add("allgather", 64, 3);
    again.add("gather", 64, 1);
    again.add("bcast", 128, 2);
    again.add("allgather", 64, 2, {{kVariant, "proposal-1"}});
    judge_trials(again.campaign(), kRatio, trials);
    EXPECT_EQ(trials.at(0).judged(), runs == 4 ? 1U : 0U);
    EXPECT_EQ(trials[0].seen(), 0U);
  }
}

TEST(Trials, BearACampaignThatHasNothingOfThem) {
  std::vector<Trial> trials = trials_for("openmpi");
  judge_trials(Campaign{}, kRatio, trials);
  ASSERT_THAT(trials, SizeIs(1));
  EXPECT_EQ(trials[0].healed(), 0U);
  EXPECT_EQ(trials[0].judged(), 0U);
  EXPECT_EQ(trials[0].sizes[0].before_s, 0);
}

TEST(Trials, GiveHintsToTheCellsThemselves) {
  MadeCampaign made(8, 1, 2, "mpich");
  const test::Words pieces{{"layout", "strided"}, {"piece", "512"}, {"limit_mib", "4"}};
  for (const std::uint64_t bytes : {65536, 262144}) {
    made.add("file_read_at_all", bytes, 9, pieces);
    made.add("file_read_at", bytes, 1, pieces);
  }
  const Judged judged(made.campaign());
  const std::vector<Trial> trials = trials_of(judged.verdict, judged.tracks, judged.proposals, 4);
  ASSERT_THAT(trials, SizeIs(1));
  const std::string text = trial_text(trials, rules_campaign(RulesLevel::kQuick));
  EXPECT_THAT(text, HasSubstr("hint.romio_cb_read = \"disable\""));
  EXPECT_THAT(text, testing::Not(HasSubstr("variant")));
}

}  // namespace
}  // namespace plumbline::bench
