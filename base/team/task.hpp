#pragma once
// A task of a team, as its work sees it.

#include <cstddef>
#include <cstdint>
#include <functional>

namespace plumbline {

struct Team {
  std::uint32_t jobs = 1;                           // tasks at a time, at most
  std::function<void(double share)> progress = {};  // of all tasks, 0 to 1; called now and then, by the caller's thread
};

// One of them, while it runs.
class Task {
 public:
  using Told = std::function<void(std::size_t index, double share)>;

  Task(std::size_t index, const Told& told) : index_(index), told_(told) {}

  std::size_t index() const { return index_; }

  // How much of it is done, 0 to 1: to be called now and then. Where nobody waits for the task any more this throws
  // what ends it, which is no std::exception.
  void tell(double share) const { told_(index_, share); }

 private:
  std::size_t index_;
  const Told& told_;
};

// A task is begun when fewer than so many before it have not been taken yet, the running ones among them.
inline std::size_t most_ahead(const Team& team) { return std::size_t{2} * (team.jobs > 1 ? team.jobs : 1); }

}  // namespace plumbline
