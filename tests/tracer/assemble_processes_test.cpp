// Several processes assemble one archive.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <cstring>
#include <random>

#include "base/error.hpp"
#include "base/team/forked.hpp"
#include "tests/support/seed.hpp"
#include "tests/tracer/assemble_fixture.hpp"

namespace plumbline::record::test {
namespace {

using ::testing::HasSubstr;

Payload comm(std::uint32_t id, std::uint32_t sequence, const std::vector<std::uint32_t>& members) {
  Payload payload{pair(id, PL_COMM_WORLD), pair(static_cast<std::int64_t>(members.size()), 0), pair(0, sequence)};
  for (std::size_t i = 0; i < members.size(); i += 2)
    payload.push_back(pair(members[i], i + 1 < members.size() ? members[i + 1] : 0));
  return payload;
}

// Each rank has communicators of its own and names what others name too, in another order.
std::vector<SpoolBuilder> many_ranks(std::int32_t size) {
  std::vector<SpoolBuilder> spools;
  for (std::int32_t rank = 0; rank < size; ++rank) {
    SpoolBuilder& spool = spools.emplace_back(rank, size);
    const auto even = static_cast<std::uint32_t>(rank % 2);
    std::vector<std::uint32_t> members;
    for (auto r = even; r < static_cast<std::uint32_t>(size); r += 2) members.push_back(r);
    spool.define(PL_DEF_COMM, comm(5, 1, members));
    spool.define_text(PL_DEF_FILE, 1, fmt::format("/data/{}", rank % 3));
    spool.define_text(PL_DEF_FILE, 2, "/data/shared");
    std::uint64_t now = 2'000;
    for (int i = 0; i < 20 + rank; ++i, now += 100) {
      const bool own_first = (i + rank) % 2 == 0;
      spool.call("MPI_Send", PL_LAYOUT_SEND, now, now + 50,
                 {pair(0, i), 64, pair(own_first && members.size() > 1 ? 5 : PL_COMM_WORLD, 0)});
      spool.call(fmt::format("MPI_Call{}", (i * 7 + rank) % 5), PL_LAYOUT_NONE, now + 50, now + 60, {});
    }
  }
  return spools;
}

TEST_F(Assemble, MoreProcessesThanRanksMakeTheSameArchive) {
  run(many_ranks(3), {}, {2, 3, 8});          // by 1, 2, 3 and 8 processes
  EXPECT_EQ(definitions().comms.size(), 2U);  // MPI_COMM_WORLD, and {0, 2}
}

TEST_F(Assemble, ManyRanksOfSeveralProcessesMakeTheSameArchive) {
  EXPECT_EQ(run(many_ranks(17), {}, {2, 3, 5, 8}).ranks, 17U);
}

// On three nodes whose clocks nobody has compared: only messages say that the second is 3 us ahead.
std::vector<SpoolBuilder> ranks_on_several_nodes(std::int32_t size, std::mt19937_64& random) {
  std::vector<SpoolBuilder> spools = many_ranks(size);
  for (std::int32_t rank = 0; rank < size; ++rank) {
    SpoolBuilder& spool = spools[static_cast<std::size_t>(rank)];
    std::strcpy(spool.header.boot_id, fmt::format("boot-{}", rank % 3).c_str());
    std::strcpy(spool.header.host, fmt::format("node{}", rank % 3).c_str());
  }
  std::uint64_t now = 100'000;
  for (int i = 0; i < 400; ++i, now += 6'000) {
    const auto from = static_cast<std::int32_t>(random() % spools.size()),
               to = static_cast<std::int32_t>(random() % spools.size());
    if (from == to) continue;
    const std::uint64_t ahead_of_sender = from % 3 == 1 ? 3'000 : 0, ahead_of_receiver = to % 3 == 1 ? 3'000 : 0;
    const std::uint64_t sent = now + ahead_of_sender, arrived = now + 500 + random() % 2'000 + ahead_of_receiver;
    spools[static_cast<std::size_t>(from)].call("MPI_Send", PL_LAYOUT_SEND, sent, sent + 10,
                                                {pair(to, 1000), 64, pair(PL_COMM_WORLD, 0)});
    spools[static_cast<std::size_t>(to)].call("MPI_Recv", PL_LAYOUT_RECV, arrived - 5, arrived,
                                              {pair(from, 1000), 64, pair(PL_COMM_WORLD, 0), pair(from, 1000)});
  }
  return spools;
}

TEST_F(Assemble, RanksOfSeveralNodesOfSeveralProcessesMakeTheSameArchive) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  const AssembleSummary summary = run(ranks_on_several_nodes(11, random), {}, {2, 3, 5, 8});
  EXPECT_THAT(summary.remarks, ::testing::Contains(HasSubstr("by real time only")));
}

TEST_F(Assemble, AnErrorOfOneProcessLeavesNothingBehind) {
  std::vector<std::filesystem::path> paths;
  for (const SpoolBuilder& spool : many_ranks(4)) paths.push_back(spool.write(directory_.path()));
  SpoolBuilder again(2, 4);
  std::filesystem::create_directory(directory_.path() / "more");
  paths.push_back(again.write(directory_.path() / "more"));
  ForkedWorkers workers(3);
  try {
    assemble(paths, directory_.path() / "obs", Overwrite::kNo, {}, workers);
    FAIL() << "rank 2 was recorded twice";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("rank 2 was also recorded in"));
  }
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
    EXPECT_TRUE(entry.path().extension() == ".spool" || entry.path().filename() == "more") << entry.path();
}

// Three forked processes that run other work instead.
class Instead final : public Workers {
 public:
  explicit Instead(const SharedWork& work) : work_(work) {}
  std::uint32_t size() const override { return workers_.size(); }
  std::string run(const SharedWork&, std::string_view argument) override {
    have_failed = true;
    std::string result = workers_.run(work_, argument);
    have_failed = false;
    return result;
  }

  bool have_failed = false;

 private:
  const SharedWork work_;
  ForkedWorkers workers_{3};
};

int step_of_death = 0;  // the exchange before which process 1 is killed, from 1

class Mortal final : public Processes {
 public:
  explicit Mortal(Processes& others) : others_(others) {}
  std::uint32_t rank() const override { return others_.rank(); }
  std::uint32_t size() const override { return others_.size(); }

 private:
  std::vector<std::string> exchange_bytes(std::string_view own) override {
    if (++steps_ == step_of_death && rank() == 1) ::raise(SIGKILL);
    return others_.exchange(own);
  }
  std::vector<std::string> gather_bytes(std::string_view own) override { return others_.gather(own); }

  Processes& others_;
  int steps_ = 0;
};

class SharedAssembly : public Assemble {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "ThreadSanitizer has a thread of its own, and what has threads is not forked";
#endif
    for (const SpoolBuilder& spool : many_ranks(4)) paths_.push_back(spool.write(directory_.path()));
    summary_ = assemble(paths_, directory_ / "alone", Overwrite::kNo);
  }

  void expect_the_archive_of_one(Workers& workers) {
    const AssembleSummary summary = assemble(paths_, directory_ / "shared", Overwrite::kYes, {}, workers);
    EXPECT_EQ(summary.operations, summary_.operations);
    expect_equal_archives(directory_ / "alone", directory_ / "shared");
    expect_nothing_else();
  }

  void expect_nothing_else() const {
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      const std::string name = entry.path().filename();
      EXPECT_TRUE(entry.path().extension() == ".spool" || name == "alone" || name == "shared" || name == "other")
          << name;
    }
  }

  std::vector<std::filesystem::path> paths_;
  AssembleSummary summary_;
};

TEST_F(SharedAssembly, IsDoneByOneWhereAProcessIsKilledAtAnyStep) {
  Instead workers({"mortal", [](Processes& processes, std::string_view argument) {
                     Mortal mortal(processes);
                     return kAssemble.run(mortal, argument);
                   }});
  step_of_death = 0;
  do {
    ++step_of_death;
    SCOPED_TRACE(step_of_death);
    expect_the_archive_of_one(workers);
  } while (workers.have_failed);
  EXPECT_GT(step_of_death, 7) << "it has told facts, definitions and what it has written";
}

TEST_F(SharedAssembly, IsDoneByOneWhereProcessesSeeOtherSpools) {
  // Process 1 finds rank 0 on another host.
  SpoolBuilder moved = many_ranks(4)[0];
  std::strcpy(moved.header.host, "kn2");
  std::filesystem::create_directory(directory_ / "other");
  std::filesystem::rename(moved.write(directory_ / "other"), directory_ / "kn2.100.spool");
  Instead workers({"elsewhere", [](Processes& processes, std::string_view argument) {
                     std::string seen(argument);
                     if (processes.rank() == 1) seen.replace(seen.find("kn1.100.spool"), 13, "kn2.100.spool");
                     return kAssemble.run(processes, seen);
                   }});
  expect_the_archive_of_one(workers);
  EXPECT_TRUE(workers.have_failed);
}

TEST_F(SharedAssembly, LeavesNothingBehindOnAFullDisk) {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit tight{512, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &tight);
  ForkedWorkers workers(3);
  EXPECT_THROW(assemble(paths_, directory_ / "shared", Overwrite::kYes, {}, workers), Error);
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "shared"));
  expect_nothing_else();
}

TEST_F(Assemble, AnArchiveThatIsThereIsRefusedBeforeAnybodyBegins) {
  std::vector<std::filesystem::path> paths;
  for (const SpoolBuilder& spool : many_ranks(2)) paths.push_back(spool.write(directory_.path()));
  std::filesystem::create_directory(directory_.path() / "obs");
  ForkedWorkers workers(2);
  EXPECT_THROW(assemble(paths, directory_.path() / "obs", Overwrite::kNo, {}, workers), Error);
}

}  // namespace
}  // namespace plumbline::record::test
