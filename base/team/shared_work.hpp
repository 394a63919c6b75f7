#pragma once
// A piece of work that several processes do together, and who does it.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/team/processes.hpp"

namespace plumbline {

// What each process does, with the same argument. The result is what process 0 returns; the others print nothing, and
// write nothing but their part. It is known by its name, because the processes of a launcher find it in a table.
struct SharedWork {
  std::string_view name;
  std::string (*run)(Processes& processes, std::string_view argument);
};

// Does this process's part. What it throws comes to all: everyone throws the error of the lowest rank, as an Error, or
// as an InternalFault where it was a failed check.
std::string run_part(Processes& processes, const SharedWork& work, std::string_view argument);

// Who does shared work: this process alone, or with others beside it.
class Workers {
 public:
  virtual ~Workers() = default;

  virtual std::uint32_t size() const = 0;
  // Whether the others see what this process has in memory when the work begins.
  virtual bool are_forked() const { return false; }
  // Called by the process that has the result. Throws what run_part() throws.
  virtual std::string run(const SharedWork& work, std::string_view argument) = 0;
  // Likewise, where more than `most` of them are of no use. Those that are there anyway may take part.
  virtual std::string run_among(std::uint32_t most, const SharedWork& work, std::string_view argument);

  // The same, with the share of process 0's part that is done (Processes::tell).
  std::string run_telling(const SharedWork& work, std::string_view argument, std::function<void(double)> progress);

 protected:
  std::function<void(double)> on_progress_;  // of the work that is run
};

// This process alone.
class OneWorker final : public Workers {
 public:
  std::uint32_t size() const override { return 1; }
  std::string run(const SharedWork& work, std::string_view argument) override;
};

// The first and one past the last item of a part.
struct Block {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

// Items that stay in their order, cut into `parts` blocks of about equal cost, of which some may be empty; part 0 gets
// `share_of_first` times as much as each other one.
std::vector<Block> split_by_cost(std::span<const std::uint64_t> costs, std::uint32_t parts, double share_of_first = 1);

}  // namespace plumbline
