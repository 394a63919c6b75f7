#include "base/team/shared_work.hpp"

#include <utility>

#include "base/checks_throw.hpp"
#include "base/team/failure.hpp"

namespace plumbline {

std::string run_part(Processes& processes, const SharedWork& work, std::string_view argument) {
  const ChecksThrow of_this_part;
  std::string result;
  try {
    result = work.run(processes, argument);
  } catch (...) {
    if (processes.has_ended()) throw;
    processes.tell_failure(failure_now());
  }
  processes.exchange({});  // one may have failed behind the last exchange of the work
  return result;
}

std::string Workers::run_among(std::uint32_t, const SharedWork& work, std::string_view argument) {
  return run(work, argument);
}

std::string OneWorker::run(const SharedWork& work, std::string_view argument) {
  Alone alone;
  alone.on_progress = on_progress_;
  return work.run(alone, argument);
}

std::string Workers::run_telling(const SharedWork& work, std::string_view argument,
                                 std::function<void(double)> progress) {
  struct Forget {
    Workers& of;
    ~Forget() { of.on_progress_ = nullptr; }
  } const at_the_end{*this};
  on_progress_ = std::move(progress);
  return run(work, argument);
}

std::vector<Block> split_by_cost(std::span<const std::uint64_t> costs, std::uint32_t parts, double share_of_first) {
  double total = 0;
  for (const std::uint64_t cost : costs) total += static_cast<double>(cost);
  const double unit = total / (share_of_first + parts - 1);
  std::vector<Block> blocks(parts, {costs.size(), costs.size()});
  std::size_t next = 0;
  double before = 0;  // cost of the items that have been dealt out
  for (std::uint32_t part = 0; part < parts; ++part) {
    blocks[part].begin = next;
    const double until = unit * (share_of_first + part);
    // An item goes where the larger half of it lies.
    while (next < costs.size() && (part + 1 == parts || before + static_cast<double>(costs[next]) / 2 < until))
      before += static_cast<double>(costs[next++]);
    blocks[part].end = next;
  }
  return blocks;
}

}  // namespace plumbline
