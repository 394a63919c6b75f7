#include "cli/workflows/validate/causes/folding.hpp"

#include <gtest/gtest.h>

#include "cli/workflows/validate/measure/server_findings.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Datum;
using replay::validate::Diagnosis;

Diagnosis costing(const std::string& id, double cost_s) {
  Diagnosis diagnosis;
  diagnosis.id = id;
  diagnosis.title = "title of " + id;
  diagnosis.cost_s = cost_s;
  return diagnosis;
}

bool is_cheaper(const Diagnosis& cause, const Diagnosis& shown) { return shown.cost_s < cause.cost_s; }

TEST(FoldInto, GivesWhatIsExplainedToEachCauseThatExplainsIt) {
  std::vector<Diagnosis> causes{costing("a", 3), costing("b", 1), costing("c", 2)};
  std::vector<Diagnosis> shown{costing("x", 1), costing("y", 4)};
  const std::vector<Diagnosis> folded = fold_into(causes, shown, is_cheaper);
  ASSERT_EQ(folded.size(), 1U);
  EXPECT_EQ(folded[0].title, "title of x");
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].id, "y");
  EXPECT_EQ(causes[0].evidence, (std::vector<Datum>{{"x", "title of x", ""}}));
  EXPECT_TRUE(causes[1].evidence.empty()) << "it costs no more than x";
  EXPECT_EQ(causes[2].evidence.size(), 1U);
}

// What was folded into it before is among it.
TEST(FoldWithin, KeepsTheEvidenceOfWhatIsExplained) {
  std::vector<Diagnosis> shown{costing("x", 1), costing("a", 3)};
  shown[0].evidence = {{"w", "title of w", ""}};
  fold_within(shown, is_cheaper);
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].evidence, (std::vector<Datum>{{"x", "title of x", ""}, {"w", "title of w", ""}}));
}

Diagnosis in_entry(const std::string& id, const std::string& entry, const std::string& mpi) {
  Diagnosis diagnosis;
  diagnosis.id = id;
  diagnosis.title = id + " in " + entry;
  diagnosis.mpi = mpi;
  diagnosis.evidence = {{"suite entry", entry, ""}};
  return diagnosis;
}

TEST(SlowServers, ExplainSlowStorageOnThemWithTheSameMpi) {
  const auto made = [](const char* id, const char* component, const char* mpi) {
    Diagnosis diagnosis;
    diagnosis.id = id;
    diagnosis.component = component;
    diagnosis.mpi = mpi;
    diagnosis.title = std::string(id) + " of " + component;
    return diagnosis;
  };
  std::vector<Diagnosis> diagnoses{made("storage.slow", "storage /shared/plumbline-suite", "mpich"),
                                   made("server.slow", "server s0", "mpich"),
                                   made("storage.slow", "storage /shared2", "mpich"),
                                   made("storage.slow", "storage /shared/plumbline-suite", "openmpi"),
                                   made("io.hints.split", "MPI-IO on /shared/plumbline-suite", "mpich")};
  fold_into_servers("/shared", diagnoses);
  ASSERT_EQ(diagnoses.size(), 4U);
  EXPECT_EQ(diagnoses[0].id, "server.slow");
  ASSERT_EQ(diagnoses[0].evidence.size(), 1U);
  EXPECT_EQ(diagnoses[0].evidence[0].value, "storage.slow of storage /shared/plumbline-suite");
  EXPECT_EQ(diagnoses[1].component, "storage /shared2") << "another directory";
  EXPECT_EQ(diagnoses[2].mpi, "openmpi");
  EXPECT_EQ(diagnoses[3].id, "io.hints.split");
}

// Files of the suite are in a directory of the file system, which is slow as a whole.
TEST(SlowServers, ExplainTheFileSystemThatTheyServe) {
  hw::Platform platform;
  platform.file_systems.resize(1);
  platform.file_systems[0].paths = {"/shared"};
  std::vector<Diagnosis> diagnoses(2);
  diagnoses[0].id = "server.slow";
  diagnoses[1].id = "storage.slow";
  diagnoses[1].component = "storage /shared";
  fold_into_servers(directory_of_servers(platform, "/shared/validate"), diagnoses);
  ASSERT_EQ(diagnoses.size(), 1U);
  EXPECT_EQ(diagnoses[0].id, "server.slow");
}

TEST(Splits, ExplainSlowStorageInTheSameEntryOfTheSameMpiOnly) {
  std::vector<Diagnosis> diagnoses{
      in_entry("storage.slow", "strided", "mpich"), in_entry("io.hints.split", "strided", "mpich"),
      in_entry("storage.slow", "contiguous", "mpich"), in_entry("storage.slow", "strided", "openmpi")};
  fold_into_splits(diagnoses);
  ASSERT_EQ(diagnoses.size(), 3U);
  EXPECT_EQ(diagnoses[0].id, "io.hints.split");
  EXPECT_EQ(diagnoses[0].evidence, (std::vector<Datum>{{"suite entry", "strided", ""},
                                                       {"storage.slow", "storage.slow in strided", ""},
                                                       {"suite entry", "strided", ""}}));
  EXPECT_EQ(diagnoses[1].title, "storage.slow in contiguous");
  EXPECT_EQ(diagnoses[2].mpi, "openmpi");
}

}  // namespace
}  // namespace plumbline::cli::validate
