#include "cli/workflows/validate/causes/noise.hpp"

#include <gmock/gmock.h>

namespace plumbline::cli::validate {
namespace {

using replay::validate::Datum;
using replay::validate::Diagnosis;
using replay::validate::Noise;
using replay::validate::Reference;
using replay::validate::Validation;

const Noise kStopped{"n2", 0.06, 5e-3, 0.01, {}};

// Of 20 s, 10 s and 10 s; the first lost 3 s, the second 0.2 s, the third none.
const std::vector<RunLength> kLengths{{20, 3}, {10, 0.2}, {10, -1}};

TEST(NoiseCause, CostsItsPartOfEachRunAndNoMoreThanThatLost) {
  const auto found = noise(kStopped, kLengths);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, "cpu.noise");
  EXPECT_EQ(found->component, "n2");
  EXPECT_THAT(found->places, testing::ElementsAre("n2"));
  EXPECT_NEAR(found->cost_s, 1.0 + 0.2, 1e-12);
  EXPECT_TRUE(found->cost_is_bound);
  EXPECT_EQ(found->reference, Reference::kPeers);
  EXPECT_FALSE(found->remedy.lines.empty());
}

TEST(NoiseCause, IsNoneBelowOnePercentOfTheSuite) {
  EXPECT_FALSE(noise(kStopped, {{20, 0.3}, {20, 0.05}})) << "0.35 of 40 s";
  EXPECT_TRUE(noise(kStopped, {{20, 0.3}, {20, 0.15}}));
}

TEST(NoiseCause, IsNoneWhereNoRunLostTime) { EXPECT_FALSE(noise(kStopped, {{20, -1}, {20, 0}})); }

TEST(NoiseCause, OfEveryNodeIsByWhatWasTimedAlone) {
  const auto found = noise({"", 0.06, 1e-3, 0, {}}, kLengths);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->reference, Reference::kWitness);
  EXPECT_TRUE(found->places.empty());
}

const Noise kOfAll{"", 0.06, 1e-3, 0, {}};

Diagnosis diagnosis(const std::string& id, std::vector<std::string> places = {}) {
  Diagnosis made;
  made.id = id;
  made.title = "ranks did not run";
  made.places = std::move(places);
  return made;
}

Diagnosis by_a_process() {
  Diagnosis made = diagnosis("cpu.interference");
  made.evidence.push_back({"n2 dd (process 12)", "0.97", "processors"});
  return made;
}

TEST(NoiseCause, IsExplainedByWhoHadTheProcessorsThere) {
  EXPECT_FALSE(is_explained(kStopped, {}, {}, {}));
  EXPECT_TRUE(is_explained(kStopped, {}, {}, {diagnosis("cpu.interference", {"n2"})}));
  EXPECT_FALSE(is_explained(kStopped, {}, {}, {diagnosis("cpu.interference", {"n3"})}));
  EXPECT_TRUE(is_explained(kStopped, {}, {}, {by_a_process()})) << "on several nodes";
}

TEST(NoiseCause, OfANodeIsNotExplainedByNobody) {
  EXPECT_FALSE(is_explained(kStopped, {}, {}, {diagnosis("cpu.interference")}));
  EXPECT_TRUE(is_explained(kOfAll, {}, {}, {diagnosis("cpu.interference")}));
}

// Which costs 1 s.
TEST(UnseenInterference, OfWhichTheNodeExplainsLessThanHalfStaysAFinding) {
  for (const double noise_s : {0.49, 0.5}) {
    std::vector<Diagnosis> shown{diagnosis("cpu.interference"), diagnosis("cpu.noise", {"n2"})};
    shown[0].cost_s = 1;
    shown[1].cost_s = noise_s;
    fold_unseen_interference(shown);
    EXPECT_EQ(shown.size(), noise_s < 0.5 ? 2U : 1U) << noise_s;
    const double left_s = noise_s < 0.5 ? 1 - noise_s : noise_s;
    EXPECT_NEAR(shown[0].cost_s, left_s, 1e-12) << "what the node does not explain, or the node alone";
  }
}

TEST(UnseenInterference, IsEvidenceOfTheNodeThatIsStopped) {
  std::vector<Diagnosis> shown{diagnosis("cpu.interference"), diagnosis("storage.slow"),
                               diagnosis("cpu.noise", {"n2"})};
  fold_unseen_interference(shown);
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0].id, "storage.slow");
  EXPECT_EQ(shown[1].evidence, (std::vector<Datum>{{"cpu.interference", "ranks did not run", ""}}));
}

TEST(UnseenInterference, StaysWhereItsProcessesOrAnotherMpiOrNoNodeIsNamed) {
  Diagnosis other = diagnosis("cpu.noise", {"n2"});
  other.mpi = "mpich";
  for (const std::vector<Diagnosis>& shown :
       {std::vector{by_a_process(), diagnosis("cpu.noise", {"n2"})}, std::vector{diagnosis("cpu.interference"), other},
        std::vector{diagnosis("cpu.interference"), diagnosis("cpu.noise")}}) {
    std::vector<Diagnosis> kept = shown;
    fold_unseen_interference(kept);
    EXPECT_EQ(kept, shown);
  }
}

// As where all ranks are bound to one core: what a host takes besides cannot be told from the turns.
TEST(NoiseCause, OfEveryNodeIsExplainedWhereRanksTakeTurns) {
  Validation validation;
  EXPECT_FALSE(is_explained(kOfAll, validation, {}, {}));
  validation.diagnoses = {diagnosis("launch.binding.overlap")};
  EXPECT_TRUE(is_explained(kOfAll, validation, {}, {}));
  EXPECT_FALSE(is_explained(kStopped, validation, {}, {})) << "its peers take turns as well";
  validation.diagnoses = {diagnosis("cpu.quota")};
  EXPECT_TRUE(is_explained(kStopped, validation, {}, {}));
}

}  // namespace
}  // namespace plumbline::cli::validate
