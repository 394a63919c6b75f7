#include "tracer/record/metrics/node_sampler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <map>
#include <thread>

#include "base/error.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tracer/record/definitions/words.hpp"
#include "tracer/spool/samples.hpp"

namespace plumbline::record {
namespace {

using spool::SampleRecord;
using spool::Samples;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// A made-up /proc and /sys.
class SampledTree : public testing::Test {
 protected:
  SampledTree() {
    std::filesystem::create_directories(root_ / "proc/self/net");
    std::filesystem::create_directories(root_ / "sys/block/sda");
    roots_ = {root_ / "proc", root_ / "sys"};
  }

  void put(const std::string& name, const std::string& text) { std::ofstream(root_ / "proc" / name) << text; }

  // Values of the series of that kind and name, by sample, ticks left out.
  std::vector<std::vector<std::uint64_t>> values(pl_sampled what, const std::string& name) {
    std::map<std::uint16_t, std::pair<std::uint64_t, std::string>> series;
    std::vector<std::vector<std::uint64_t>> found;
    Samples(only_file()).for_each([&](const SampleRecord& record) {
      const Words words(record.payload);
      if (record.kind == PL_SAMPLE_SERIES) series[record.series] = {words[0], words.text(1)};
      if (record.kind == PL_SAMPLE_VALUES && series[record.series] == std::pair<std::uint64_t, std::string>(what, name))
        found.emplace_back(record.payload.begin() + 1, record.payload.end());
    });
    return found;
  }

  std::filesystem::path only_file() {
    const auto files = spool::find_samples(root_ / "out");
    EXPECT_THAT(files, SizeIs(1));
    return files.at(0);
  }

  test::TemporaryDirectory root_;
  KernelRoots roots_;
};

TEST_F(SampledTree, RetransmitsOfEachRoundAreInTheFile) {
  put("self/net/snmp", "Tcp: OutSegs RetransSegs\nTcp: 100 1\n");
  Sampler sampler(root_ / "out", milliseconds(100), roots_);
  ASSERT_TRUE(sampler.round());
  put("self/net/snmp", "Tcp: OutSegs RetransSegs\nTcp: 300 4\n");
  ASSERT_TRUE(sampler.finish());
  const auto network = values(PL_SAMPLED_NETWORK, "");
  ASSERT_THAT(network, SizeIs(2));
  EXPECT_EQ(network[0][1], 1U);
  EXPECT_EQ(network[1][1], 4U);
}

TEST_F(SampledTree, WhatThisKernelDoesNotHaveIsLeftOutAndTheRestIsSampled) {
  put("meminfo", "Dirty: 8 kB\nWriteback: 4 kB\n");
  Sampler sampler(root_ / "out", milliseconds(100), roots_);
  EXPECT_TRUE(sampler.finish());
  EXPECT_THAT(values(PL_SAMPLED_MEMORY, ""), ElementsAre(ElementsAre(8, 4)));
  EXPECT_THAT(values(PL_SAMPLED_RUN_DELAY, ""), IsEmpty());
}

TEST_F(SampledTree, AnInterfaceMayAppearInMidRun) {
  put("self/net/dev", "lo: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n");
  Sampler sampler(root_ / "out", milliseconds(100), roots_);
  ASSERT_TRUE(sampler.round());
  put("self/net/dev", "lo: 2 2 0 0 0 0 0 0 2 2 0 0 0 0 0 0\nveth0: 5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0\n");
  ASSERT_TRUE(sampler.finish());
  EXPECT_THAT(values(PL_SAMPLED_INTERFACE, "lo"), SizeIs(2));
  EXPECT_THAT(values(PL_SAMPLED_INTERFACE, "veth0"), ElementsAre(ElementsAre(5, 1, 0, 0, 6, 1, 0, 0)));
}

TEST_F(SampledTree, PartitionsAreLeftOut) {
  put("diskstats", "8 0 sda 1 0 2 0 3 0 4 0 0 5 0\n8 1 sda1 1 0 2 0 3 0 4 0 0 5 0\n");
  Sampler sampler(root_ / "out", milliseconds(100), roots_);
  ASSERT_TRUE(sampler.finish());
  EXPECT_THAT(values(PL_SAMPLED_DISK, "sda"), ElementsAre(ElementsAre(1, 2, 3, 4, 5)));
  EXPECT_THAT(values(PL_SAMPLED_DISK, "sda1"), IsEmpty());
}

TEST_F(SampledTree, AFileThatWasCutOffIsReadUpToItsLastWholeRecord) {
  put("meminfo", "Dirty: 8 kB\nWriteback: 4 kB\n");
  {
    Sampler sampler(root_ / "out", milliseconds(100), roots_);
    ASSERT_TRUE(sampler.round());
    ASSERT_TRUE(sampler.finish());
  }
  const std::filesystem::path file = only_file();
  const std::uintmax_t whole = std::filesystem::file_size(file);
  for (std::uintmax_t size = whole; size >= sizeof(pl_samples_header); --size) {
    std::filesystem::resize_file(file, size);
    EXPECT_LE(values(PL_SAMPLED_MEMORY, "").size(), 2U);
    EXPECT_EQ(Samples(file).is_whole(), size == whole) << size;
  }
  EXPECT_THAT(values(PL_SAMPLED_MEMORY, ""), IsEmpty());
  std::filesystem::resize_file(file, sizeof(pl_samples_header) - 1);
  EXPECT_THROW(Samples{file}, Error);
}

class SamplerProcess : public testing::Test {
 protected:
  std::size_t samples_in(const std::filesystem::path& file) {
    std::size_t clocks = 0, values = 0;
    Samples(file).for_each([&](const SampleRecord& record) {
      if (record.kind == PL_SAMPLE_CLOCK) ++clocks;
      if (record.kind == PL_SAMPLE_VALUES) ++values;
    });
    return clocks == 0 ? 0 : values;
  }

  // A file that was just made has no header yet.
  bool has_samples(const std::filesystem::path& file) {
    return std::filesystem::file_size(file) >= sizeof(pl_samples_header) && samples_in(file) > 0;
  }

  // Waits for what happens soon, however slow this machine is.
  template <typename Condition>
  bool soon(Condition condition) {
    for (int attempt = 0; attempt < 400; ++attempt) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    return false;
  }
  bool files_soon(std::size_t count) {
    return soon(
        [&] { return std::filesystem::exists(root_ / "out") && spool::find_samples(root_ / "out").size() == count; });
  }

  test::TemporaryDirectory root_;
};

TEST_F(SamplerProcess, LeavesAWholeFileWhenItIsStopped) {
  NodeSampler sampler(root_ / "out", root_.path(), milliseconds(5));
  ASSERT_TRUE(files_soon(1));
  sampler.stop();
  const std::filesystem::path file = spool::find_samples(root_ / "out").at(0);
  EXPECT_GT(samples_in(file), 0U);
  EXPECT_TRUE(Samples(file).is_whole());
}

TEST_F(SamplerProcess, ThatIsKilledLeavesAFileThatIsNotWhole) {
  NodeSampler sampler(root_ / "out", root_.path(), milliseconds(5));
  ASSERT_TRUE(files_soon(1));
  const std::filesystem::path file = spool::find_samples(root_ / "out").at(0);
  ASSERT_TRUE(soon([&] { return has_samples(file); }));
  kill(sampler.process(), SIGKILL);
  sampler.stop();
  EXPECT_FALSE(Samples(file).is_whole());
}

TEST_F(SamplerProcess, OnANodeThereIsOnePerRun) {
  const test::TemporaryDirectory other_run;
  NodeSampler first(root_ / "out", root_.path(), milliseconds(5));
  ASSERT_TRUE(files_soon(1));
  NodeSampler second(root_ / "out", root_.path(), milliseconds(5));
  NodeSampler other(root_ / "out", other_run.path(), milliseconds(5));
  ASSERT_TRUE(files_soon(2));  // of the two runs
  second.stop();
  EXPECT_THAT(spool::find_samples(root_ / "out"), SizeIs(2));
}

// As two nodes of a laboratory that share a kernel.
TEST_F(SamplerProcess, EachNetworkNamespaceHasItsOwn) {
  NodeSampler here(root_ / "out", root_.path(), milliseconds(5));
  ASSERT_TRUE(files_soon(1));
  const pid_t other_node = fork();
  if (other_node == 0) {
    if (unshare(CLONE_NEWNET) != 0) _exit(77);
    NodeSampler there(root_ / "out", root_.path(), milliseconds(5));
    _exit(files_soon(2) ? 0 : 1);
  }
  int status = 0;
  waitpid(other_node, &status, 0);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "another network namespace takes root";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  here.stop();
  const auto files = spool::find_samples(root_ / "out");
  ASSERT_THAT(files, SizeIs(2));
  EXPECT_NE(Samples(files[0]).header().network_namespace, Samples(files[1]).header().network_namespace);
}

TEST_F(SamplerProcess, WhenOneEndsAnotherOfTheRunGoesOn) {
  NodeSampler first(root_ / "out", root_.path(), milliseconds(5));
  ASSERT_TRUE(files_soon(1));
  NodeSampler second(root_ / "out", root_.path(), milliseconds(5));
  first.stop();
  EXPECT_TRUE(files_soon(2));
}

TEST_F(SamplerProcess, AnIntervalOfNothingStartsNone) {
  NodeSampler sampler(root_ / "out", root_.path(), Duration{});
  sampler.stop();
  EXPECT_FALSE(std::filesystem::exists(root_ / "out"));
}

}  // namespace
}  // namespace plumbline::record
