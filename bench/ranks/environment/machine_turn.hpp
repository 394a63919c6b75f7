#pragma once
// Turns among the processes of one machine, which may look like several nodes (containers, namespaces): what one node
// times is not to be disturbed by another one. Nodes with a machine for themselves go on at once.

#include <filesystem>

namespace plumbline::bench {

// Waits for its turn, `most` seconds at most, and has it until it is destroyed. Processes of one machine find each
// other by a file in `directory`, which all see. Where it cannot be locked, the turn is taken without asking.
class MachineTurn {
 public:
  MachineTurn(const std::filesystem::path& directory, double most);
  ~MachineTurn();
  MachineTurn(const MachineTurn&) = delete;
  MachineTurn& operator=(const MachineTurn&) = delete;

  bool is_had() const { return is_had_; }  // false: the time was over

 private:
  int file_;
  bool is_had_;
};

// Sleeps until `done` exists and nobody of this machine has had the turn for some 0.1 s, so that nobody polls
// meanwhile. No longer than `most` seconds. Looking takes no turn. Until `done` exists it looks less and less often,
// at last four times a second: all ranks do, in a directory that one server may have to answer for.
void wait_for_quiet(const std::filesystem::path& directory, const std::filesystem::path& done, double most);

}  // namespace plumbline::bench
