#pragma once
// What a thread has done on a window and what of it is not complete yet, as far as the program can know.

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

namespace plumbline::record {

class RmaEpochs {
 public:
  using Operations = std::vector<std::uint64_t>;  // by matching number

  // What only reads is over when it is complete at its origin.
  void issue(std::uint32_t target, std::uint64_t operation, bool only_reads);

  // A wait has completed it at its origin. Only of operations that were issued here.
  void waited(std::uint64_t operation);

  // Completes at the origin, and returns, what no wait has completed; nothing for a target: all targets, by rank.
  Operations complete_locally(std::optional<std::uint32_t> target);
  // Completes at the target what is complete at the origin.
  Operations complete_remotely(std::optional<std::uint32_t> target);
  // When the rest completes at the targets, its origin does not learn.
  void end_access();

  std::optional<std::uint32_t> started, posted;  // groups of the archive

 private:
  struct Target {
    Operations reads, writes;  // issued
    Operations local;          // writes that are complete at the origin
  };

  template <typename Visit>
  void visit(std::optional<std::uint32_t> target, Visit&& visit);
  void drop_waited();

  std::map<std::uint32_t, Target> targets_;
  std::unordered_set<std::uint64_t> waited_;  // among reads and writes
  std::size_t issued_ = 0;                    // reads and writes
};

}  // namespace plumbline::record
