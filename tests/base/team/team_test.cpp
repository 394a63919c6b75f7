#include "base/team/team.hpp"
#include "base/team/task.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/check.hpp"
#include "base/checks_throw.hpp"
#include "base/error.hpp"

namespace plumbline {
namespace {

// The same promises hold for tasks one after the other and for tasks side by side.
class Tasks : public testing::TestWithParam<std::uint32_t> {
 protected:
  Team team() const { return {.jobs = GetParam()}; }
};

INSTANTIATE_TEST_SUITE_P(Jobs, Tasks, testing::Values(1U, 2U, 5U, 64U),
                         [](const auto& jobs) { return std::to_string(jobs.param); });

// A task ends the later the lower its index is, where several run.
TEST_P(Tasks, ResultsAreTakenInTheOrderOfTheirIndicesByTheCallersThread) {
  constexpr std::size_t kTasks = 50;
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<std::string> taken;
  run_tasks_for<std::string>(
      team(), kTasks,
      [](const Task& task) {
        for (std::size_t i = task.index() % 5; i < 5; ++i) std::this_thread::yield();
        return std::to_string(task.index());
      },
      [&](std::size_t index, std::string result) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        EXPECT_EQ(result, std::to_string(index));
        taken.push_back(std::move(result));
      });
  ASSERT_EQ(taken.size(), kTasks);
  for (std::size_t index = 0; index < kTasks; ++index) EXPECT_EQ(taken[index], std::to_string(index));
}

TEST_P(Tasks, NoneAreDoneAtOnce) {
  run_tasks(
      team(), 0, [](const Task&) { FAIL(); }, [](std::size_t) { FAIL(); });
}

TEST_P(Tasks, OfSeveralThatFailTheErrorOfTheLowestIndexIsTold) {
  for (int repetition = 0; repetition < 20; ++repetition) {
    std::vector<std::size_t> taken;
    try {
      run_tasks(
          team(), 40,
          [](const Task& task) {
            if (task.index() >= 3 && task.index() % 2 == 1)
              throw Error("task " + std::to_string(task.index()), "fails");
          },
          [&](std::size_t index) { taken.push_back(index); });
      FAIL() << "tasks fail";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "task 3: fails");
    }
    EXPECT_EQ(taken, (std::vector<std::size_t>{0, 1, 2})) << "what is below it has been taken";
  }
}

TEST_P(Tasks, AFailedCheckIsAnErrorOfItsTask) {
  try {
    run_tasks(
        team(), 4, [](const Task& task) { PLUMBLINE_CHECK(task.index() != 2, "two is a fault of ours"); },
        [](std::size_t) {});
    FAIL() << "the check fails";
  } catch (const InternalFault& fault) {
    EXPECT_NE(std::string(fault.what()).find("two is a fault of ours"), std::string::npos) << fault.what();
  }
}

TEST_P(Tasks, WhatGoesWrongWhereResultsAreTakenEndsAll) {
  std::size_t taken = 0;
  EXPECT_THROW(run_tasks(
                   team(), 1000, [](const Task& task) { task.tell(0.5); },
                   [&](std::size_t index) {
                     if (index == 2) throw std::runtime_error("a full disk");
                     ++taken;
                   }),
               std::runtime_error);
  EXPECT_EQ(taken, 2U);
}

TEST_P(Tasks, ProgressIsTheSumOfAllOnTheCallersThread) {
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<double> shares;
  Team with_progress = team();
  with_progress.progress = [&](double share) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    shares.push_back(share);
  };
  run_tasks(
      with_progress, 10, [](const Task& task) { task.tell(0.5); }, [](std::size_t) {});
  ASSERT_FALSE(shares.empty());
  EXPECT_TRUE(std::ranges::is_sorted(shares)) << "a task that is over counts as whole";
  EXPECT_DOUBLE_EQ(shares.back(), 1);
}

// The last tasks would run for ever.
TEST(TasksSideBySide, ThoseBehindOneThatFailsAreStopped) {
  EXPECT_THROW(run_tasks(
                   {.jobs = 3}, 3,
                   [](const Task& task) {
                     if (task.index() == 0) throw Error("", "fails");
                     for (;;) task.tell(0);
                   },
                   [](std::size_t) {}),
               Error);
}

TEST(TasksSideBySide, RunAtTheSameTime) {
  std::mutex mutex;
  std::condition_variable all_here;
  std::size_t here = 0;
  run_tasks(
      {.jobs = 4}, 4,
      [&](const Task&) {
        std::unique_lock lock(mutex);
        ++here;
        all_here.notify_all();
        all_here.wait(lock, [&] { return here == 4; });
      },
      [](std::size_t) {});
  EXPECT_EQ(here, 4U);
}

// The first task waits until no other can be begun any more.
TEST(TasksSideBySide, NoMoreResultsWaitThanTwiceTheJobs) {
  constexpr std::size_t kJobs = 3;
  std::atomic<std::size_t> begun = 0, most = 0;
  run_tasks(
      {.jobs = kJobs}, 100,
      [&](const Task& task) {
        ++begun;
        if (task.index() != 0) return;
        while (begun < 2 * kJobs) std::this_thread::yield();
        std::this_thread::yield();
        most = begun.load();
      },
      [](std::size_t) {});
  EXPECT_EQ(most, 2 * kJobs);
  EXPECT_EQ(begun, 100U);
}

}  // namespace
}  // namespace plumbline
