#include "base/node/rank_identity.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>

#include "base/error.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::node {
namespace {

RankIdentity sample_identity() {
  RankIdentity identity;
  identity.host = "n3";
  identity.boot_id = "7eff";
  identity.process = 4711;
  identity.world_rank = 5;
  identity.world_size = 8;
  identity.library = "Open MPI v4.1.4, package: Debian OpenMPI";
  identity.flavour = "openmpi";
  identity.thread_level = "funneled";
  identity.affinity = "0-3,8";
  identity.cores = 16;
  identity.quota_cores = 1.5;
  identity.launched = {{"OMPI_COMM_WORLD_SIZE", 8}, {"SLURM_NTASKS", 8}};
  identity.session_directory = "/tmp/ompi.n3.0";
  identity.session_type = "nfs";
  identity.session_bytes = 1U << 30;
  identity.session_free_bytes = 5;
  identity.session_writable = false;
  identity.shm_bytes = 1ULL << 40;
  identity.shm_free_bytes = 1;
  identity.shm_device = 23;
  identity.debug = "--enable-debug";
  identity.yields = true;
  identity.settings = {{"pml", "ob1", "file", "/etc/openmpi/openmpi-mca-params.conf", 61},
                       {"UCX_TLS", "tcp", "", "", 0}};
  return identity;
}

TEST(RankIdentityJson, GoesThereAndBack) {
  EXPECT_EQ(identity_from_json(to_json(sample_identity()), "x"), sample_identity());
  EXPECT_EQ(identity_from_json(to_json(RankIdentity{}), "x"), RankIdentity{});
}

TEST(RankIdentityJson, AMemberThatIsMissingOrOfAnotherKindIsNamed) {
  const std::string whole = to_json(sample_identity());
  const auto fault_of = [](const std::string& text) -> std::string {
    try {
      identity_from_json(text, "rank-n3-4711.json");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto changed = [&](const std::string& from, const std::string& to) {
    return std::string(whole).replace(whole.find(from), from.size(), to);
  };
  EXPECT_TRUE(fault_of("[]").starts_with("rank-n3-4711.json: is no JSON object"));
  EXPECT_TRUE(fault_of(changed("\"cores\": 16", "\"cores\": -1")).starts_with("rank-n3-4711.json: 'cores'"));
  EXPECT_TRUE(fault_of(changed("\"cores\": 16", "\"cores\": 4294967296")).starts_with("rank-n3-4711.json: 'cores'"));
  EXPECT_TRUE(fault_of(changed("\"host\"", "\"Host\"")).starts_with("rank-n3-4711.json: 'host'"));
  EXPECT_TRUE(fault_of(changed("\"line\": 61", "\"line\": \"x\"")).starts_with("rank-n3-4711.json: settings: 'line'"));
}

TEST(RankIdentityJson, DamagedTextGivesAnIdentityOrAnError) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  const std::string whole = to_json(sample_identity());
  int kept = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = whole;
    text[random() % text.size()] = static_cast<char>(random());
    if (random() % 4 == 0) text.erase(random() % text.size(), random() % 20);
    try {
      identity_from_json(text, "x");
      ++kept;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(kept, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace plumbline::node
