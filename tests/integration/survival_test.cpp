// Nothing is lost: programs that count their own calls in a file are killed at random moments, run into full disks and
// lose their keepers; the archive must hold every call that had returned, and one more at most.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <set>

#include "tests/integration/recorded.hpp"
#include "tests/support/seed.hpp"
#include "tracer/archive/inside.hpp"

namespace plumbline::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kPage = 4096, kMostThreads = 8;  // survive.c
struct Page {
  volatile std::uint64_t pid;
  struct {
    volatile std::uint64_t begun, returned;
  } thread[kMostThreads];
};
static_assert(sizeof(Page) <= kPage);

// The counters of all ranks, shared with them.
class Counters {
 public:
  Counters(const std::filesystem::path& file, std::size_t ranks) : ranks_(ranks) {
    std::ofstream(file).flush();
    std::filesystem::resize_file(file, ranks * kPage);
    const int fd = open(file.c_str(), O_RDONLY);
    memory_ = mmap(nullptr, ranks * kPage, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
  }
  ~Counters() { munmap(memory_, ranks_ * kPage); }
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  const Page& of(std::size_t rank) const {
    return *reinterpret_cast<const Page*>(static_cast<const char*>(memory_) + rank * kPage);
  }
  bool all_run(std::size_t threads) const {
    for (std::size_t rank = 0; rank < ranks_; ++rank)
      for (std::size_t t = 0; t < threads; ++t)
        if (of(rank).thread[t].returned < 10) return false;
    return true;
  }

 private:
  std::size_t ranks_;
  void* memory_ = nullptr;
};

struct Calls {
  std::uint64_t returned = 0, in_flight = 0;
};

const std::set<std::string> kCounted{"MPI_Sendrecv",  "MPI_Irecv", "MPI_Isend",    "MPI_Waitall",
                                     "MPI_Allreduce", "pwrite",    "MPI_Comm_dup", "MPI_Comm_free"};

// Of one location: the calls that the program counts, and which of its threads it is (by the tags).
std::pair<Calls, std::optional<std::size_t>> calls_of(archive::Reader& reader, std::uint32_t location) {
  const archive::Definitions& d = reader.definitions();
  const auto unfinished = d.find_attribute(archive::names::kUnfinished);
  Calls calls;
  std::optional<std::size_t> thread;
  reader.read(location, [&](const archive::Event& event) {
    if (event.kind == archive::EventKind::kMpiSend || event.kind == archive::EventKind::kMpiIsend)
      thread = event.tag - 100;
    if (event.kind != archive::EventKind::kLeave || !kCounted.contains(d.strings[d.regions[event.region].name])) return;
    const bool open = std::ranges::any_of(
        event.attributes, [&](const archive::AttributeValue& value) { return value.attribute == unfinished; });
    ++(open ? calls.in_flight : calls.returned);
  });
  return {calls, thread};
}

void expect_all_calls(const std::filesystem::path& archive, const Counters& counters) {
  archive::Reader reader(archive);
  for (std::uint32_t i = 0; i < reader.definitions().locations.size(); ++i) {
    const archive::Location& location = reader.definitions().locations[i];
    if (location.type != archive::LocationType::kCpuThread || archive::inside_of(location)) continue;  // of no program
    const std::uint32_t rank = reader.definitions().locations[i].group;
    const auto [calls, thread] = calls_of(reader, i);
    ASSERT_TRUE(thread && *thread < kMostThreads) << "rank " << rank;
    const auto& counted = counters.of(rank).thread[*thread];
    EXPECT_GE(calls.returned, counted.returned) << "rank " << rank << ", thread " << *thread;
    EXPECT_LE(calls.returned + calls.in_flight, counted.begun) << "rank " << rank << ", thread " << *thread;
    EXPECT_LE(calls.in_flight, 1U) << "rank " << rank << ", thread " << *thread;
  }
}

class Survival : public Recorded {
 protected:
  // Records `survive`, and lets it run for so long after all its threads have begun.
  template <class Kill>
  CommandResult kill_after(std::chrono::microseconds delay, std::size_t ranks, std::size_t threads, const Kill& kill_it,
                           const std::string& options = "") {
    const std::filesystem::path file = directory_ / "counters";
    std::filesystem::remove(file);
    counters_ = std::make_unique<Counters>(file, ranks);
    Background running(record("--force " + options, static_cast<int>(ranks),
                              program("survive") + " " + file.string() + " " + std::to_string(threads)),
                       directory_.path());
    if (!wait_until(running, [&] { return counters_->all_run(threads); })) {
      ADD_FAILURE() << "it did not run: " << text_of(running.result(1));
      return {};
    }
    std::this_thread::sleep_for(delay);
    kill_it(running);
    return running.result();
  }
  pid_t pid_of(std::size_t rank) const { return static_cast<pid_t>(counters_->of(rank).pid); }

  std::unique_ptr<Counters> counters_;
};

TEST_P(Survival, EveryCallThatHadReturnedIsThereWheneverARankIsKilled) {
  constexpr std::size_t kRanks = 3;
  const char* asked = std::getenv("PLUMBLINE_KILLS");
  const int kills = asked == nullptr ? 4 : std::atoi(asked);
  const std::uint64_t seed = plumbline::test::random_seed();
  std::cout << "PLUMBLINE_SEED=" << seed << std::endl;
  std::mt19937 random(seed);
  for (int i = 0; i < kills && !HasFailure(); ++i) {
    const std::chrono::microseconds delay(std::uniform_int_distribution(0, 150'000)(random));
    const std::size_t victim = std::uniform_int_distribution<std::size_t>(0, kRanks)(random);  // kRanks: all of them
    SCOPED_TRACE("moment " + std::to_string(i) + ": after " + std::to_string(delay.count()) + " us, victim " +
                 std::to_string(victim));
    const CommandResult killed = kill_after(delay, kRanks, 1, [&](Background&) {
      for (std::size_t rank = 0; rank < kRanks; ++rank)
        if (victim == kRanks || rank == victim) kill(pid_of(rank), SIGKILL);
    });
    ASSERT_FALSE(HasFailure());  // it did not run: the archive is that of the moment before
    EXPECT_NE(killed.status, 0);
    expect_all_calls(directory_ / "obs", *counters_);
    if (victim < kRanks) {
      EXPECT_EQ(ends()[victim], "killed by signal 9 (SIGKILL)") << text_of(killed);
    }
  }
}

TEST_P(Survival, FourThreadsOfEachRankLoseNothing) {
  constexpr std::size_t kThreads = 4;
  kill_after(std::chrono::milliseconds(50), 2, kThreads, [&](Background&) { kill(pid_of(1), SIGKILL); });
  const archive::Reader reader(directory_ / "obs");
  const auto of_calls = std::ranges::count_if(
      reader.definitions().locations, [](const archive::Location& location) { return !archive::inside_of(location); });
  EXPECT_EQ(of_calls, 2 * kThreads + 1) << "one of the node";
  expect_all_calls(directory_ / "obs", *counters_);
}

// The file grows in the moment in which a thread goes on to its next segment.
TEST_P(Survival, AKillWhileASegmentIsBegunLosesNothing) {
  kill_after(
      std::chrono::microseconds(0), 1, 1,
      [&](Background& running) {
        std::filesystem::path spool;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_ / "spools"))
          if (entry.path().string().ends_with("." + std::to_string(pid_of(0)) + ".spool")) spool = entry.path();
        const auto size = std::filesystem::file_size(spool);
        wait_until(running, [&] {
          const auto limit = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
          while (std::filesystem::file_size(spool) == size)
            if (std::chrono::steady_clock::now() > limit) return false;
          kill(pid_of(0), SIGKILL);
          return true;
        });
      },
      "--spool spools");
  expect_all_calls(directory_ / "obs", *counters_);
}

TEST_P(Survival, AKeeperThatIsKilledTakesItsRankWithItAndTheSpoolsAreThere) {
  const CommandResult killed = kill_after(std::chrono::milliseconds(20), 2, 1, [&](Background&) {
    std::ifstream stat("/proc/" + std::to_string(pid_of(1)) + "/stat");
    pid_t parent = 0;
    std::string word;
    stat >> word >> word >> word >> parent;
    kill(parent, SIGKILL);
  });
  EXPECT_NE(killed.status, 0);
  expect_all_calls(directory_ / "obs", *counters_);
  EXPECT_THAT(ends()[1], StartsWith("killed or lost")) << text_of(killed);
}

// ---- A file system of a few megabytes, where that can be had.

class FullDisk : public Recorded {
 protected:
  void SetUp() override {
    Recorded::SetUp();
    if (IsSkipped()) return;
    std::filesystem::create_directory(small_);
    mounted_ = run("mount -t tmpfs -o size=2500k none " + small_.string()).status == 0;
    if (!mounted_) GTEST_SKIP() << "needs the right to mount a tmpfs";
  }
  void TearDown() override {
    if (mounted_) run("umount " + small_.string());
  }

  const std::filesystem::path small_ = directory_ / "small";
  bool mounted_ = false;
};

TEST_P(FullDisk, StopsTheRecordingAndNotTheProgram) {
  const CommandResult recorded = run(record("--spool small/spools", 1, program("ends") + " many"));
  EXPECT_EQ(recorded.status, 0) << text_of(recorded);
  EXPECT_THAT(recorded.err, HasSubstr("stopped: no space left for the spool"));
  EXPECT_THAT(ends(), ElementsAre(StartsWith("recording stopped: no space left for the spool")));
  archive::Reader reader(directory_ / "obs");
  EXPECT_GT(reader.definitions().locations[0].events, 40'000U) << "what fitted before is there";
}

TEST_P(FullDisk, AnArchiveThatDoesNotFitLeavesTheSpools) {
  const CommandResult recorded =
      run(environment() + kPlumbline + " record -o small/obs -- " + GetParam().run(1, program("ends") + " many"));
  EXPECT_NE(recorded.status, 0) << text_of(recorded);
  EXPECT_FALSE(std::filesystem::exists(small_ / "obs"));
  const std::size_t at = recorded.err.find("`plumbline assemble ");
  ASSERT_NE(at, std::string::npos) << text_of(recorded);
  std::string spools = recorded.err.substr(at + 20);
  spools.resize(spools.find(' '));
  EXPECT_EQ(run(kPlumbline + " assemble " + spools + " -o obs").status, 0);
}

TEST_P(Survival, ADirectoryOfSpoolsThatIsRemovedIsMissedAloud) {
  const CommandResult recorded = run(record("--spool spools", 1, program("ends") + " removed spools"));
  EXPECT_NE(recorded.status, 0) << text_of(recorded);
  EXPECT_THAT(recorded.err, HasSubstr("stopped: the spool file was removed"));
  EXPECT_THAT(recorded.err, HasSubstr("spools, where the spools were written, is no longer there"));
}

INSTANTIATE_TEST_SUITE_P(Mpi, Survival, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });
INSTANTIATE_TEST_SUITE_P(Mpi, FullDisk, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

}  // namespace
}  // namespace plumbline::test
