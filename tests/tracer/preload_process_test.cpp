// How the tracer behaves as a guest: what the program notices, and what is left however it ends.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Guest : public OnBothMpis {
 protected:
  void TearDown() override {
    for (const auto& directory : work_) std::filesystem::remove_all(directory);
  }
  Outcome go(Job job) {
    job.flavour = GetParam();
    Outcome outcome = run(job);
    work_.push_back(outcome.work);
    return outcome;
  }
  // The one spool of a run of `ends` on one rank.
  std::unique_ptr<Content> end_by(const std::string& how) {
    outcome_ = go({.program = "ends", .ranks = 1, .arguments = {how, "child"}});
    auto found = contents(outcome_);
    return found.size() == 1 ? std::move(found[0]) : nullptr;
  }
  std::vector<std::filesystem::path> work_;
};
INSTANTIATE_TEST_SUITE_P(Mpi, Guest, kBothMpis, name_of_mpi);

TEST_P(Guest, OutputAndStatusAreThoseOfTheProgram) {
  const Outcome traced = go({.program = "point_to_point", .ranks = 2});
  const Outcome plain = go({.program = "point_to_point", .ranks = 2, .traced = false});
  EXPECT_EQ(traced.output, plain.output);
  EXPECT_EQ(traced.status, plain.status);
  EXPECT_EQ(traced.status, 3);
  EXPECT_THAT(traced.errors, Not(HasSubstr("plumbline")));
}

TEST_P(Guest, WhatWasRecordedSurvivesEveryEnd) {
  struct {
    const char* how;
    pl_ending ending;
    std::int32_t status;
  } const cases[] = {{"finalize", PL_ENDING_EXIT, 0},
                     {"exit", PL_ENDING_EXIT, 5},
                     {"_exit", PL_ENDING_FAST_EXIT, 6},
                     {"kill", PL_ENDING_NONE, 0},
                     {"MPI_Abort", PL_ENDING_MPI_ABORT, 7}};  // more of them in recording_ends_test
  for (const auto& one : cases) {
    SCOPED_TRACE(one.how);
    const auto c = end_by(one.how);
    ASSERT_NE(c, nullptr) << outcome_.errors;
    EXPECT_EQ(c->spool.header().ending & 0xffffffff, static_cast<std::uint64_t>(one.ending));
    EXPECT_EQ(static_cast<std::int32_t>(c->spool.header().ending >> 32), one.status);
    EXPECT_EQ(c->spool.header().end == PL_END_FINALIZED, one.how == std::string("finalize"));
    EXPECT_GE(c->of("MPI_Sendrecv").size(), 100u);
    EXPECT_THAT(outcome_.output, HasSubstr("hundred"));
    EXPECT_TRUE(c->spool.remarks().empty());
  }
}

TEST_P(Guest, ACallInFlightIsThereUnfinished) {
  const auto c = end_by("hang");
  ASSERT_NE(c, nullptr);
  const Call& receive = c->only("MPI_Recv");
  EXPECT_FALSE(receive.done);
  EXPECT_EQ(receive.end, 0u);
  EXPECT_EQ(receive.high(0), 77);
}

TEST_P(Guest, AForkedChildRecordsNothing) {
  const auto c = end_by("fork");
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->spool.header().end, PL_END_FINALIZED);
  EXPECT_EQ(c->of("open").size() + c->of("write").size(), 0u);
  EXPECT_EQ(c->of("MPI_Sendrecv").size(), 101u);
  EXPECT_THAT(outcome_.output, HasSubstr("child 0"));
}

TEST_P(Guest, AProgramThatClosesEverythingIsStillRecorded) {
  const auto c = end_by("close");
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->of("MPI_Sendrecv").size(), 101u);
}

TEST_P(Guest, AFullSpoolStopsTheRecordingNotTheProgram) {
  const auto c = end_by("full");  // files of this process may have 2 MB: the second segment does not fit
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  EXPECT_EQ(c->spool.header().end, PL_END_STOPPED);
  EXPECT_GE(c->spool.header().lost_records, 1u);
  EXPECT_THAT(c->spool.header().stop_reason, HasSubstr("the spool cannot be extended"));
  EXPECT_THAT(outcome_.errors, HasSubstr("the program goes on"));
  EXPECT_GT(c->of("MPI_Sendrecv").size(), 10000u);
}

TEST_P(Guest, ASpoolThatIsRemovedUnderWayIsMissedAloud) {
  const Outcome outcome = go({.program = "ends", .ranks = 1, .arguments = {"removed", "WORK/spools"}});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("stopped: the spool file was removed"));
  EXPECT_THAT(outcome.errors, HasSubstr("the program goes on"));
}

TEST_P(Guest, ManySegmentsHoldEveryRecordOnce) {
  const auto c = end_by("many");
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->of("MPI_Sendrecv").size(), 60101u);
  EXPECT_GE(c->clocks, 3u);
  std::uint64_t before = 0;
  for (const Call& call : c->of("MPI_Sendrecv")) {
    ASSERT_GE(call.begin, before);
    before = call.end;
  }
}

TEST_P(Guest, ManyCommunicatorsHaveIdsOfTheirOwn) {
  const auto c = end_by("comms");
  ASSERT_NE(c, nullptr) << outcome_.errors;
  EXPECT_EQ(c->of("MPI_Comm_dup").size(), 12000u);
  EXPECT_EQ(c->comms.size(), 12002u);
  EXPECT_GE(c->clocks, 2u);  // they fill more than one segment
  std::uint32_t expected = PL_COMM_SELF;
  for (const Call& dup : c->of("MPI_Comm_dup")) ASSERT_EQ(static_cast<std::uint32_t>(dup.low(1)), ++expected);
}

// Handles are pointers in Open MPI and numbers in MPICH: they must pass through either tracer unharmed.
TEST_P(Guest, UnderTheTracerOfAnotherMpiTheProgramRunsUnrecorded) {
  const std::string other = GetParam() == std::string("mpich") ? "openmpi" : "mpich";
  if (!std::filesystem::exists(preload_library(other))) GTEST_SKIP() << other << " is not installed";
  const std::vector<Job> jobs = {
      {.program = "point_to_point", .ranks = 2},
      {.program = "collectives", .ranks = 4},
      {.program = "files", .ranks = 2, .arguments = {"WORK"}},
      {.program = "threads", .ranks = 1},
      {.program = "local_main", .ranks = 1, .arguments = {program_path(GetParam(), "local_plugin").string()}}};
  for (Job job : jobs) {
    SCOPED_TRACE(job.program);
    job.traced = false;
    const Outcome plain = go(job);
    job.traced = true;
    job.tracer = other;
    const Outcome traced = go(job);
    EXPECT_THAT(traced.errors, HasSubstr("the program runs another MPI; it runs unrecorded"));
    EXPECT_EQ(traced.output, plain.output);
    EXPECT_EQ(traced.status, plain.status) << traced.errors;
    EXPECT_FALSE(std::filesystem::exists(traced.spools));
  }
}

TEST_P(Guest, NoSecretOfTheEnvironmentLandsInASpool) {
  const std::string transport = "0123456789abcdef-fedcba9876543210";
  const Outcome outcome = go({.program = "ends",
                              .ranks = 1,
                              .environment = "OMPI_MCA_orte_precondition_transports=" + transport +
                                             " OMPI_MCA_some_Cookie=sesame1 UCX_TLS_KEY=sesame2 MY_PASSWORD=sesame3 "
                                             "SLURM_JOB_NAME=sesame4 MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE=131072 "
                                             "OMPI_MCA_btl_base_verbose=0 UCX_LOG_LEVEL=error "});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto found = contents(outcome);
  ASSERT_EQ(found.size(), 1u);
  for (const char* setting :
       {"env.MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE=131072", "env.OMPI_MCA_btl_base_verbose=0", "env.UCX_LOG_LEVEL=error"})
    EXPECT_THAT(found[0]->meta, ::testing::Contains(setting));
  for (const std::filesystem::path& path : find_spools(outcome.spools)) {
    std::ostringstream whole;
    whole << std::ifstream(path, std::ios::binary).rdbuf();
    for (const std::string& secret : {transport, std::string("precondition"), std::string("sesame")})
      EXPECT_EQ(whole.str().find(secret), std::string::npos) << secret;
  }
}

// Ids of the requests that each thread posted, and of those that it saw completed, in order.
void expect_threads_complete_what_they_posted(const Content& c) {
  std::map<std::uint32_t, std::vector<std::int32_t>> posted, completed;
  std::map<std::uint32_t, std::set<std::int32_t>> comms;
  for (const Call& call : c.calls) {
    if (call.name == "MPI_Irecv" || call.name == "MPI_Isend") {
      posted[call.thread].push_back(call.high(2));
      comms[call.thread].insert(call.low(2));
    }
    if ((call.name != "MPI_Waitall" && call.name != "MPI_Testall") || call.low(1) == 0) continue;
    ASSERT_EQ(call.low(1), 2);
    completed[call.thread].push_back(call.low(2));
    completed[call.thread].push_back(call.high(2));
  }
  for (const std::uint32_t thread : {1u, 2u}) {
    EXPECT_EQ(posted[thread].size(), 40000u);
    const auto& done = completed[thread];
    const auto differ = std::mismatch(posted[thread].begin(), posted[thread].end(), done.begin(), done.end());
    EXPECT_TRUE(done.size() == 40000u && differ.first == posted[thread].end())
        << "thread " << thread << " completed " << done.size() << ", the first wrong one is number "
        << differ.first - posted[thread].begin();
    EXPECT_EQ(comms[thread].size(), 1u);
  }
  EXPECT_EQ(posted.size(), 2u);
}

TEST_P(Guest, ThreadsHaveRecordsOfTheirOwn) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{}, std::vector<std::string>{"test"}}) {
    SCOPED_TRACE(arguments.empty() ? "waiting" : "testing");
    const Outcome outcome = go({.program = "threads", .ranks = 1, .arguments = arguments});
    const auto found = contents(outcome);
    ASSERT_EQ(found.size(), 1u) << outcome.errors;
    if (outcome.output.find("no threads") != std::string::npos)
      GTEST_SKIP() << "this MPI grants no MPI_THREAD_MULTIPLE";
    ASSERT_EQ(found[0]->spool.threads(), 3u);
    expect_threads_complete_what_they_posted(*found[0]);
  }
}

TEST_P(Guest, AnMpiLoadedByAnInterpreterIsFound) {
  const std::string module = program_path(GetParam(), "local_plugin").string();
  const Outcome outcome = go({.program = "local_main", .ranks = 1, .arguments = {module}});
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  const auto found = contents(outcome);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]->of("MPI_Sendrecv").size(), 1u);
}

TEST_P(Guest, OtherProgramsLeaveNoSpool) {
  const std::filesystem::path work = fresh_directory();
  work_.push_back(work);
  const Outcome outcome = run_shell(fmt::format("PLUMBLINE_SPOOL={}/spools LD_PRELOAD={} /bin/cat /proc/self/comm",
                                                work.string(), preload_library(GetParam()).string()),
                                    work);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "cat");
  EXPECT_EQ(outcome.errors, "");
  EXPECT_FALSE(std::filesystem::exists(outcome.spools));
}

TEST_P(Guest, NeedsNothingButTheCLibrary) {
  const std::filesystem::path work = fresh_directory();
  work_.push_back(work);
  const std::string library = preload_library(GetParam()).string();
  EXPECT_EQ(run_shell(fmt::format("readelf -d {} | grep NEEDED | grep -o '\\[.*\\]'", library), work).output,
            "[libc.so.6]");
  EXPECT_EQ(run_shell(fmt::format("nm -D --undefined-only {} | grep -c -i mpi", library), work).output, "0");
}

// The tracer says what it costs; only that the numbers are there and sane is asserted, not how large they are.
TEST_P(Guest, TheHeaderTellsTheCostOfARecordAndTheClocks) {
  const auto c = end_by("finalize");
  ASSERT_NE(c, nullptr);
  const pl_file_header& h = c->spool.header();
  EXPECT_GT(h.cost_inside_ticks + h.cost_outside_ticks, 0u);
  EXPECT_GT(h.poll_gap_ticks, 0u);
  EXPECT_GT(h.initialized.ticks, h.first.ticks);
  EXPECT_GT(h.last.ticks, h.initialized.ticks);
  EXPECT_GT(h.last.monotonic_ns, h.first.monotonic_ns);
  EXPECT_EQ(std::string(h.boot_id).size(), 36u);
  EXPECT_THAT(h.program, HasSubstr("ends finalize"));
  EXPECT_THAT(c->meta, ::testing::Contains("thread_level=single"));
  EXPECT_EQ(c->calls.front().name.substr(0, 8), "MPI_Init");
}

}  // namespace
}  // namespace plumbline::spool::test
