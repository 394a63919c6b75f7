#include "cli/workflows/validate/session/job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

using testing::HasSubstr;

// A program that tells its result and hangs, as libraries do in MPI_Finalize.
constexpr char kHangs[] = "echo result; exec sleep 60";

class Jobs : public testing::Test {
 protected:
  Job job_of(const std::string& script) const {
    Job job;
    job.command = {"sh", "-c", script};
    job.log = directory_ / "log";
    job.patience_s = 60;
    job.grace_s = 0.2;
    return job;
  }

  bool has_result() const {
    std::ifstream log(directory_ / "log");
    std::string line;
    return std::getline(log, line) && line == "result";
  }

  const test::TemporaryDirectory directory_;
};

TEST_F(Jobs, ThatHangAfterTheirLastResultAreEndedBeforeTheirTime) {
  Job job = job_of(kHangs);
  job.has_told_all = [this] { return has_result(); };
  const JobEnd end = run_job(job);
  EXPECT_THAT(end.failure, HasSubstr("after its last result"));
  EXPECT_LT(end.seconds, job.patience_s / 2);
  EXPECT_EQ(end.hung_s, job.grace_s);
}

TEST_F(Jobs, ThatHaveNotToldAllHaveAllTheirTime) {
  Job job = job_of(kHangs);
  job.patience_s = 2;
  job.has_told_all = [] { return false; };
  const JobEnd end = run_job(job);
  EXPECT_EQ(end.failure, "did not end in 2 s");
  EXPECT_GE(end.seconds, job.patience_s);
}

TEST_F(Jobs, ThatEndWithinTheGraceEndWell) {
  Job job = job_of("echo result; sleep 1");
  job.grace_s = 30;
  job.has_told_all = [this] { return has_result(); };
  const JobEnd end = run_job(job);
  EXPECT_EQ(end.failure, "");
  EXPECT_EQ(end.hung_s, 0);
}

}  // namespace
}  // namespace plumbline::cli::validate
