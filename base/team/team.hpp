#pragma once
// Tasks that do not depend on each other, several at a time. A task is known by its index alone, and results are taken
// in the order of the indices: what comes out does not depend on who ran which task, nor on how many ran at a time
// (docs/decisions/007-replays-side-by-side.md).

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/team/task.hpp"

namespace plumbline {

// Runs `work` for each index below `count`, on other threads where there are several jobs, and calls `take` for each
// index in order, on the caller's thread, when its work is done. Of tasks that throw, the error of the lowest index
// comes to the caller, after all below it have been taken; the others are stopped. A failed check in a task
// (base/check.hpp) is such an error too, an InternalFault.
void run_tasks(const Team& team, std::size_t count, const std::function<void(const Task&)>& work,
               const std::function<void(std::size_t index)>& take);

// The same, where the work of a task is a value. No more of them are there at a time than most_ahead().
template <class Result, class Work, class Take>
void run_tasks_for(const Team& team, std::size_t count, const Work& work, const Take& take) {
  std::vector<std::optional<Result>> results(std::min(count, most_ahead(team)));
  const auto place_of = [&](std::size_t index) -> std::optional<Result>& { return results[index % results.size()]; };
  run_tasks(
      team, count, [&](const Task& task) { place_of(task.index()).emplace(work(task)); },
      [&](std::size_t index) {
        Result result = *std::move(place_of(index));
        place_of(index).reset();
        take(index, std::move(result));
      });
}

// The same, where the first one may have to be over and taken before the others begin, because they need what it finds.
template <class Result, class Work, class Take>
void run_tasks_for(const Team& team, std::size_t count, bool first_alone, const Work& work, const Take& take) {
  const auto run_some = [&](std::size_t begin, std::size_t end) {
    Team some{.jobs = team.jobs};
    if (team.progress)
      some.progress = [&](double share) {
        const double done = static_cast<double>(begin) + share * static_cast<double>(end - begin);
        team.progress(done / static_cast<double>(count));
      };
    run_tasks_for<Result>(
        some, end - begin, [&](const Task& task) { return work(begin + task.index(), task); },
        [&](std::size_t index, Result result) { take(begin + index, std::move(result)); });
  };
  const std::size_t first = first_alone && count > 0 ? 1 : 0;
  run_some(0, first);
  run_some(first, count);
}

}  // namespace plumbline
