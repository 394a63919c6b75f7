#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>

#include "replay/validate/witness/setting_meanings.hpp"
#include "replay/validate/witness/witness.hpp"
#include "tests/replay/validate/witness_case.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay::validate::test {
namespace {

TEST(WitnessOfLibraries, DefaultsAreNotSeen) {
  EXPECT_EQ(ids(seen_of_library({{"btl_tcp_eager_limit", "65536"}, {"btl", ""}, {"coll_tuned_priority", "30"}},
                                "openmpi", false)),
            "");
}

TEST(WitnessOfLibraries, ASettingIsToldWithWhatItDoesAndWhoSetIt) {
  const auto seen = seen_of_library({{"btl_tcp_links", "4"}, {"orte_something", "1"}});
  ASSERT_EQ(ids(seen), "mpi.setting.changed");
  EXPECT_EQ(seen[0].text, "btl_tcp_links is set to '4', which changes how many connections a pair of ranks has");
  EXPECT_EQ(seen[0].component, "btl_tcp_links");
  EXPECT_EQ(seen[0].origin, (Origin{"environment", "OMPI_MCA_btl_tcp_links", 0}));
  EXPECT_EQ(row(seen[0], "btl_tcp_links"), "4");
  EXPECT_EQ(row(seen[0], "MPI"), "Open MPI");
}

TEST(WitnessOfLibraries, SharedMemoryThatIsLeftOutIsSeenOnce) {
  const auto of = [](const char* btl) { return ids(seen_of_library({{"btl", btl}, {"pml.selected", "ob1"}})); };
  for (const char* btl : {"tcp,self", "^vader", "self,openib"})
    EXPECT_EQ(of(btl), "mpi.transport.no-shared-memory") << btl;
  for (const char* btl : {"vader,self", "tcp,self,sm", "^uct,openib,ofi"})
    EXPECT_EQ(of(btl), "mpi.setting.changed") << btl;
  EXPECT_EQ(ids(seen_of_library({{"UCX_TLS", "tcp"}}, "mpich")), "mpi.transport.no-shared-memory");
  EXPECT_EQ(ids(seen_of_library({{"MPIR_CVAR_NOLOCAL", "1"}}, "mpich")), "mpi.transport.no-shared-memory");
}

TEST(WitnessOfLibraries, WhereEachRankHasANodeForItselfNoMessageIsALocalOne) {
  const ControlVariable tls{"UCX_TLS", "tcp,self", "", {"environment", "UCX_TLS", 0}, "mpich"};
  EXPECT_EQ(ids(witness({{}, {tls}, false})), "mpi.transport.no-shared-memory");
  const auto apart = witness({{}, {tls}, true});
  ASSERT_EQ(ids(apart), "mpi.setting.changed");
  EXPECT_EQ(apart[0].text, "UCX_TLS is set to 'tcp,self', which limits the transports");
}

TEST(WitnessOfLibraries, UcxSharesMemoryWhateverMpichTakesForANode) {
  EXPECT_EQ(ids(seen_of_library({{"MPIR_CVAR_NOLOCAL", "1"}, {"device", "ch4:ucx"}}, "mpich")), "mpi.setting.changed");
  EXPECT_EQ(ids(seen_of_library({{"MPIR_CVAR_NOLOCAL", "1"}, {"device", "ch3:nemesis"}}, "mpich")),
            "mpi.transport.no-shared-memory");
}

// With pml ucx the list of BTLs decides nothing, and with ob1 that of UCX does not.
TEST(WitnessOfLibraries, AListThatDecidesNothingDoesNotTurnSharedMemoryOff) {
  EXPECT_EQ(ids(seen_of_library({{"btl", "tcp,self"}, {"pml.selected", "ucx"}})), "mpi.setting.changed");
  EXPECT_EQ(ids(seen_of_library({{"UCX_TLS", "tcp"}, {"pml.selected", "ob1"}})), "mpi.setting.changed");
}

TEST(WitnessOfLibraries, CopiesThatAreMadeTwiceAreSeen) {
  const auto set = seen_of_library({{"btl_vader_single_copy_mechanism", "3"}});
  ASSERT_EQ(ids(set), "mpi.transport.no-single-copy");
  EXPECT_EQ(set[0].text, "Large local messages are copied twice: the mechanism is set to 'none'");
  const auto fallen = seen_of_library({{"btl_vader_single_copy_mechanism", "4"}}, "openmpi", false);
  ASSERT_EQ(ids(fallen), "mpi.transport.no-single-copy");
  EXPECT_EQ(fallen[0].text, "Large local messages are copied twice: the library fell back to 'emulated'");
  EXPECT_FALSE(fallen[0].origin);
  EXPECT_EQ(ids(seen_of_library({{"btl_vader_single_copy_mechanism", "1"}}, "openmpi", false)), "");
  EXPECT_EQ(ids(seen_of_library({{"UCX_TLS", "^cma"}}, "mpich")), "mpi.transport.no-single-copy");
}

TEST(WitnessOfLibraries, ForcedCollectivesAreSeen) {
  for (const char* name :
       {"coll_tuned_bcast_algorithm", "coll_tuned_dynamic_rules_filename", "coll_han_priority", "coll"})
    EXPECT_EQ(ids(seen_of_library({{name, "1"}})), "mpi.collectives.forced") << name;
  for (const char* name : {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "MPIR_CVAR_DEVICE_COLLECTIVES",
                           "MPIR_CVAR_BCAST_SHORT_MSG_SIZE", "MPIR_CVAR_BCAST_DEVICE_COLLECTIVE"})
    EXPECT_EQ(ids(seen_of_library({{name, "1"}}, "mpich")), "mpi.collectives.forced") << name;
}

TEST(WitnessOfLibraries, AnAlgorithmWithoutDynamicRulesIsToldToHaveNoEffect) {
  const auto seen = seen_of_library({{"coll_tuned_bcast_algorithm", "1"}, {"coll_tuned_use_dynamic_rules", "0"}});
  EXPECT_NE(seen[0].text.find("has no effect"), std::string::npos) << seen[0].text;
}

TEST(WitnessOfLibraries, LimitsHintsAndLocksGoToTheirChecks) {
  EXPECT_EQ(ids(seen_of_library({{"btl_vader_eager_limit", "64"}})), "mpi.eager-limit");
  EXPECT_EQ(ids(seen_of_library({{"UCX_RNDV_THRESH", "64"}}, "mpich")), "mpi.eager-limit");
  EXPECT_EQ(ids(seen_of_library({{"fs_ufs_lock_algorithm", "2"}})), "io.ompio.lock-algorithm");
  const auto hints = seen_of_library({{"ROMIO_HINTS", "/home/u/hints"}}, "mpich");
  ASSERT_EQ(ids(hints), "io.hints.file");
  EXPECT_EQ(hints[0].text, "Hints for every file are read from /home/u/hints");
}

TEST(SettingMeanings, PatternsFitAsTheyRead) {
  EXPECT_TRUE(fits("coll_tuned_bcast_algorithm", "coll_tuned_*_algorithm"));
  EXPECT_FALSE(fits("coll_tuned_bcast_algorithm_count", "coll_tuned_*_algorithm"));
  EXPECT_TRUE(fits("btl_tcp_sndbuf", "btl_tcp_???buf"));
  EXPECT_FALSE(fits("btl_tcp_buf", "btl_tcp_???buf"));
  EXPECT_TRUE(fits("", "*"));
  EXPECT_FALSE(fits("coll", "coll_*"));
  EXPECT_EQ(meaning_of("mpi_abort_delay"), nullptr);
}

TEST(SettingMeanings, EachPatternIsReached) {
  for (const SettingMeaning& meaning : setting_meanings()) {
    std::string name(meaning.pattern);
    for (std::size_t at = name.find_first_of("*?"); at != std::string::npos; at = name.find_first_of("*?"))
      name[at] = 'x';
    EXPECT_EQ(meaning_of(name), &meaning) << meaning.pattern;
  }
}

TEST(WitnessOfLibraries, AnyTextsAreLookedAtWithoutAFault) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  constexpr const char* kParts[] = {
      "btl",       "^",         ",",           "tcp",      "vader",  "self",         "UCX_TLS",
      "0",         "3",         "\xff",        " ",        "*",      "coll_tuned_",  "_algorithm",
      "mount./a",  ".type",     "nfs",         ".options", "rsize=", "cpu.siblings", "-",
      "net.eth0.", "rx_queues", "memory.node", "md.",      ".state"};
  const auto text = [&] {
    std::string made;
    for (std::uint64_t parts = random() % 5; parts != 0; --parts) made += kParts[random() % std::size(kParts)];
    return made;
  };
  for (int i = 0; i < 3000; ++i) {
    WitnessInput input;
    for (int node = 0; node < 2; ++node) {
      Values settings;
      Growth growth;
      for (int k = 0; k < 5; ++k) settings[text()] = text();
      for (int k = 0; k < 5; ++k) growth[text()] = static_cast<double>(random() % 100000);
      input.nodes.push_back(witness_node(settings, growth, "n" + std::to_string(node)));
      input.nodes.back().affinities = {text(), text()};
    }
    for (int k = 0; k < 4; ++k) input.variables.push_back({text(), text(), "", {text(), text(), 0}, "openmpi"});
    for (const Observation& seen : witness(input))
      ASSERT_FALSE(seen.id.empty() || seen.text.empty() || seen.rows.empty());
  }
}

}  // namespace
}  // namespace plumbline::replay::validate::test
