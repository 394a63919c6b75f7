#pragma once
// Processes that do one piece of work together, and what they tell each other
// (docs/decisions/008-work-shared-by-processes.md).

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

// The processes as one of them sees them, for one piece of work. Each function is called by all of them, the same
// number of times and in the same order. Where one of them has failed (run_part() tells the others of it), each throws
// the error of the process of the lowest rank among those that did.
class Processes {
 public:
  virtual ~Processes() = default;

  virtual std::uint32_t rank() const = 0;  // of this process, from 0
  virtual std::uint32_t size() const = 0;

  // How much of its part process 0 has done, 0 to 1; of the others nothing is told.
  void tell(double share) const {
    if (on_progress) on_progress(share);
  }
  std::function<void(double share)> on_progress;  // set by whoever runs the work

  // What each of them brings, by rank; all get everything.
  std::vector<std::string> exchange(std::string_view own);
  // Process 0 gets everything, the others nothing.
  std::vector<std::string> gather(std::string_view own);

  // Whether it is so for each of them; all get the same answer.
  bool is_so_for_all(bool own);

  // For run_part(): takes part in the exchange that the others are in or will come to, and tells them of an error.
  void tell_failure(std::string_view failure);
  bool has_ended() const { return has_ended_; }  // an exchange has thrown: there is nobody to talk to any more

 private:
  virtual std::vector<std::string> exchange_bytes(std::string_view own) = 0;
  virtual std::vector<std::string> gather_bytes(std::string_view own) = 0;
  std::vector<std::string> exchange_marked(char mark, std::string_view own);

  bool has_ended_ = false;
};

// One process that does all of it.
class Alone final : public Processes {
 public:
  std::uint32_t rank() const override { return 0; }
  std::uint32_t size() const override { return 1; }

 private:
  std::vector<std::string> exchange_bytes(std::string_view own) override { return {std::string(own)}; }
  std::vector<std::string> gather_bytes(std::string_view own) override { return {std::string(own)}; }
};

}  // namespace plumbline
