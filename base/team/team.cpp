#include "base/team/team.hpp"

#include "base/checks_throw.hpp"
#include "base/team/threads.hpp"

namespace plumbline {
namespace {

void run_alone(const Team& team, std::size_t count, const std::function<void(const Task&)>& work,
               const std::function<void(std::size_t)>& take) {
  const Task::Told told = [&](std::size_t index, double share) {
    if (team.progress) team.progress((static_cast<double>(index) + share) / static_cast<double>(count));
  };
  for (std::size_t index = 0; index < count; ++index) {
    {
      const ChecksThrow of_this_task;
      work(Task(index, told));
    }
    take(index);
    told(index, 1);
  }
}

}  // namespace

void run_tasks(const Team& team, std::size_t count, const std::function<void(const Task&)>& work,
               const std::function<void(std::size_t)>& take) {
  if (team.jobs < 2 || count < 2)
    run_alone(team, count, work, take);
  else
    Threads(team, count, work, take).run();
}

}  // namespace plumbline
