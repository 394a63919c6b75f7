#include "cli/workflows/validate/causes/first_use.hpp"

#include <gmock/gmock.h>

#include "replay/validate/witness/witness.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;
using replay::validate::Observation;
using replay::validate::Reference;

// Idle memory is written at 300 MB/s on n0, and at 400 on n1.
std::vector<Observation> observed() {
  return {{"cpu.interference", "others", "processes", {}},
          {"memory.first-use",
           "Memory that was idle is slow",
           "memory",
           {},
           {{"n0 memory.first_use_idle_bytes_s", "300000000", "B/s"},
            {"n1 memory.first_use_idle_bytes_s", "400000000", "B/s"}}}};
}

Diagnosis slow_storage(const std::string& rate) {
  Diagnosis diagnosis;
  diagnosis.id = "storage.slow";
  diagnosis.title = "writes to /scratch reach 250 MB/s of 1.4 GB/s";
  diagnosis.component = "storage /scratch";
  diagnosis.cost_s = 0.7;
  diagnosis.evidence = {{"rate written", rate, "B/s"}};
  return diagnosis;
}

TEST(FirstUseOfMemory, IsTheCauseOfStorageThatIsNoSlowerThanItExplains) {
  auto observations = observed();
  std::vector<Diagnosis> shown{slow_storage("2.5e+08")};
  name_first_use(observations, shown);
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].id, "memory.first-use");
  EXPECT_EQ(shown[0].title,
            "Memory that was idle is written at 300 MB/s when it is used again, and the page cache waits for it: "
            "writes to /scratch reach 250 MB/s of 1.4 GB/s");
  EXPECT_EQ(shown[0].reference, Reference::kWitness);
  EXPECT_DOUBLE_EQ(shown[0].cost_s, 0.7);
  EXPECT_FALSE(shown[0].remedy.lines.empty());
  EXPECT_THAT(shown[0].evidence, testing::Contains(replay::validate::Datum{
                                     "storage.slow", "writes to /scratch reach 250 MB/s of 1.4 GB/s", ""}));
  EXPECT_TRUE(observations[1].explained);
}

TEST(FirstUseOfMemory, IsNotTheCauseOfStorageThatIsSlowerYet) {
  auto observations = observed();
  std::vector<Diagnosis> shown{slow_storage("1.9e+08")};  // two thirds of 300 MB/s are 200
  name_first_use(observations, shown);
  EXPECT_EQ(shown[0], slow_storage("1.9e+08"));
  EXPECT_FALSE(observations[1].explained);
}

TEST(FirstUseOfMemory, IsNotTheCauseWhereNoRateIsToldOrNobodySawIt) {
  auto observations = observed();
  Diagnosis opens = slow_storage("");
  opens.evidence.clear();
  std::vector<Diagnosis> shown{opens};
  name_first_use(observations, shown);
  EXPECT_EQ(shown[0].id, "storage.slow");
  std::vector<Observation> none;
  shown = {slow_storage("2.5e+08")};
  name_first_use(none, shown);
  EXPECT_EQ(shown[0].id, "storage.slow");
}

TEST(FirstUseOfMemory, IsNotTheCauseOfAnythingElse) {
  auto observations = observed();
  Diagnosis other = slow_storage("2.5e+08");
  other.id = "suite.slower";
  std::vector<Diagnosis> shown{other};
  name_first_use(observations, shown);
  EXPECT_EQ(shown[0], other);
}

}  // namespace
}  // namespace plumbline::cli::validate
