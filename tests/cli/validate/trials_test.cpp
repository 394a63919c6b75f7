// The suite's program is a script here that tells its times as the real one does.

#include "cli/workflows/validate/settings/trials.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/workflows/validate/measure/findings.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;
using replay::validate::Observation;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kSetting = "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM";

// As the comparison with the fastest algorithm makes it.
Diagnosis a_slow_algorithm(double cost_s) {
  Diagnosis slow;
  slow.id = "mpi.collective.algorithm";
  slow.component = "algorithm of MPI_Alltoall";
  slow.mpi = "mpich";
  slow.reference = replay::validate::Reference::kStructure;
  slow.cost_s = cost_s;
  return slow;
}

Diagnosis a_rule(double cost_s) {
  Diagnosis rule;
  rule.id = "rule.regular.vector";
  rule.component = "alltoall";
  rule.mpi = "mpich";
  rule.reference = replay::validate::Reference::kRule;
  rule.cost_s = cost_s;
  rule.cost_basis = "the calls of the suite";
  return rule;
}

// Settings in the environment, with a suite that is a script.
class Trials : public testing::Test {
 protected:
  Trials() {
    options_.directory = directory_ / "out";
    std::filesystem::create_directories(options_.directory / "log");
    Mpi mpi;
    mpi.installed.flavour = "mpich";
    mpi.suite = directory_ / "suite";
    mpi.layout.launcher = {"{program}"};  // without a launcher
    site_.mpis = {mpi};
    ::setenv(kSetting, "brucks", 1);
    ::setenv("ROMIO_HINTS", "hints", 1);
  }
  ~Trials() override {
    ::unsetenv(kSetting);
    ::unsetenv("ROMIO_HINTS");
  }

  void write_suite(const std::string& script) const {
    std::ofstream(site_.mpis[0].suite) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(site_.mpis[0].suite, std::filesystem::perms::owner_all);
  }

  // Which takes 3 s, and has cells of an all-to-all and of reads.
  static void fill(Session& session) {
    session.cell_kinds = {{"alltoall", "", 2, false, {{"bytes", "", 8, 1, 1 << 20}}},
                          {"read", "", 1, true, {{"bytes", "", 8, 1, 1 << 20}}}};
    session.suite.entries.push_back({.name = "all", .cells = {"alltoall:bytes=8", "read:bytes=8"}});
    auto& run = session.validation.suite.emplace_back();
    run.mpi = "mpich";
    run.observed_s = 3;
  }

  static Observation& add_setting(Session& session, const char* name) {
    Observation& setting = session.mpis[0].observations.emplace_back();
    setting.id = "mpi.collectives.forced";
    setting.component = name;
    setting.origin = {"environment", name, 0};
    return setting;
  }

  const test::TemporaryDirectory directory_;
  Options options_;
  Site site_;
};

class ForcedAlgorithms : public Trials {
 protected:
  // Of a collective of which the rule says that the suite, which takes 3 s, loses so much by it. `with`: seconds that
  // each cell takes with the setting; without it 0.5.
  std::vector<Diagnosis> tried(double cost_s, const std::string& with) { return tried(a_rule(cost_s), with); }

  std::vector<Diagnosis> tried(const Diagnosis& shown, const std::string& with) {
    write_suite(fmt::format(R"(t=0.5; [ -z "${0}" ] || t={1}
for cell in "$@"; do
  case $cell in *:*) echo $cell >>{2}; printf '{{"cell": "%s", "seconds": %s}}\n' "$cell" $t ;; esac
done
)",
                            kSetting, with, cells().string()));
    Session session(options_, site_);
    fill(session);
    Observation& setting = add_setting(session, kSetting);
    std::vector<Diagnosis> found;
    try_forced_algorithms(session, {shown}, found);
    explained_ = setting.explained;
    return found;
  }

  std::filesystem::path cells() const { return directory_ / "cells"; }

  bool explained_ = false;
};

TEST_F(ForcedAlgorithms, AreTheCauseWhereTheCollectiveAloneTakesLonger) {
  const std::vector<Diagnosis> found = tried(0.1, "1.0");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, "mpi.collectives.forced");
  EXPECT_EQ(found[0].component, kSetting);
  EXPECT_EQ(found[0].cost_s, 0.1) << "what the rule says of the suite";
  EXPECT_THAT(found[0].cost_basis,
              AllOf(StartsWith("what rule.regular.vector says of the collective"), HasSubstr("gained 50 %")));
  EXPECT_LT(found[0].p, 0.004);
  EXPECT_TRUE(explained_);
  std::ifstream asked(cells());
  std::string first;
  std::getline(asked, first);
  EXPECT_EQ(first, "alltoall:bytes=8") << "cells of the collective alone";
}

TEST_F(ForcedAlgorithms, StayObservationsWhereItDoesNot) {
  EXPECT_THAT(tried(0.1, "0.5"), IsEmpty());
  EXPECT_FALSE(explained_);
}

// Which is too little for what the library chooses by itself.
TEST_F(ForcedAlgorithms, AreTriedWhereTheSuiteLosesTwoPercent) {
  EXPECT_TRUE(costs_next_to_nothing(a_slow_algorithm(0.06), 3));
  EXPECT_EQ(tried(a_slow_algorithm(0.06), "1.0").size(), 1U);
  EXPECT_TRUE(costs_next_to_nothing(a_rule(0.06), 3));
  EXPECT_EQ(tried(a_rule(0.06), "1.0").size(), 1U);
}

TEST_F(ForcedAlgorithms, AreNotTriedWhereTheSuiteLosesNextToNothing) {
  EXPECT_THAT(tried(0.001, "1.0"), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(cells()));
}

// Without the forced algorithm messages take 1.0 s for 1.3, and without the hints reads 2.0 for 1.0.
TEST_F(Trials, OfSeveralSettingsFindOneWhoseLossAnotherMakesUp) {
  write_suite(fmt::format(R"(a=1.0; r=2.0; [ -z "${0}" ] || a=1.3
[ -z "$ROMIO_HINTS" ] || r=1.0
for cell in "$@"; do
  case $cell in
    alltoall:*) printf '{{"cell": "%s", "seconds": %s}}\n' "$cell" $a ;;
    read:*) printf '{{"cell": "%s", "seconds": %s}}\n' "$cell" $r ;;
  esac
done
)",
                          kSetting));
  Session session(options_, site_);
  fill(session);
  for (const char* name : {kSetting, "ROMIO_HINTS"}) add_setting(session, name);
  std::vector<Diagnosis> found;
  try_settings(session, found);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].component, kSetting);
  EXPECT_TRUE(session.mpis[0].observations[0].explained);
  EXPECT_FALSE(session.mpis[0].observations[1].explained);
}

}  // namespace
}  // namespace plumbline::cli::validate
