#pragma once
// What would be if: replays of the same recording with one thing changed, as child processes of our own command. So a
// replay can be stopped at any time, has its memory to itself, and whatever happens to it the server goes on.

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "viewer/server/whatif/child_process.hpp"

namespace plumbline::viewer {

// A change that can be asked for: "--set NAME=VALUE", the value as given here or, where `values` says so, another one.
struct WhatIfChoice {
  enum class Values : std::uint8_t { kThis, kNumber };  // kNumber: a number, with or without a unit

  std::string id;                                  // "hint romio_cb_write=enable"
  std::string title;                               // for people
  std::string name, value;                         // of the setting: "hint.romio_cb_write", "enable"
  std::optional<std::uint32_t> from_finding = {};  // whose advice it is
  Values values = Values::kThis;

  std::vector<std::string> options() const { return {"--set", name + "=" + value}; }
};

// Whether these are options that the choices allow: one or several "--set NAME=VALUE", no name twice. What is wrong
// with them, or nothing.
std::optional<std::string> fault_of(std::span<const WhatIfChoice> choices, std::span<const std::string> options);

struct WhatIfRun {
  enum class State : std::uint8_t { kWaiting, kRunning, kDone, kFailed, kCancelled };

  std::uint32_t number = 0;  // from 1
  std::string title;
  std::vector<std::string> options;
  State state = State::kWaiting;
  double progress = 0;                    // 0 to 1
  std::optional<Duration> length, saved;  // once done; saved: against the same replay with nothing changed
  std::string error = {};
};

std::string_view word(WhatIfRun::State state);

struct WhatIfCommand {
  std::string program = "/proc/self/exe";
  std::vector<std::string> arguments;  // before what a run adds: "replay", OBS, "-p", PLATFORM
  std::filesystem::path directory;     // for what the runs write; exists
};

// At most one child runs at a time; the others wait for their turn. Ends with its children.
class WhatIfs {
 public:
  static constexpr std::size_t kMostWaiting = 16, kMostKept = 64;
  static constexpr std::uint32_t kMostRuns = 200;  // their number is a byte of a strip

  // Called when a run is done, with the file of times that it has written; what it throws is the run's fault.
  using TakeTimes = std::function<void(std::uint32_t number, const std::filesystem::path& file)>;
  // Called when the times of a run are wanted no longer.
  using DropTimes = std::function<void(std::uint32_t number)>;

  WhatIfs(WhatIfCommand command, std::vector<WhatIfChoice> choices, TakeTimes take, DropTimes drop);
  ~WhatIfs();
  WhatIfs(const WhatIfs&) = delete;
  WhatIfs& operator=(const WhatIfs&) = delete;

  const std::vector<WhatIfChoice>& choices() const { return choices_; }
  const std::map<std::uint32_t, WhatIfRun>& runs() const { return runs_; }
  const WhatIfRun* find(std::uint32_t number) const;

  // The options are ones that fault_of() allows. Nothing: too many wait already, or there were
  // kMostRuns. Beyond kMostKept the oldest that has ended is forgotten.
  std::optional<std::uint32_t> start(std::vector<std::string> options);
  // Ends a run that waits or runs; of one that is done, drops its times.
  void cancel(std::uint32_t number);

  // Takes what the child has said and how it ended, and starts the next one; does not wait. To be called while
  // is_busy(), some times a second, and before runs are looked at.
  void poll();
  bool is_busy() const { return child_ != nullptr || !waiting_.empty(); }
  pid_t child() const { return child_ != nullptr ? child_->pid() : 0; }  // 0: there is none

 private:
  std::string title_of(std::span<const std::string> options) const;
  std::filesystem::path file_of(std::uint32_t number) const;
  void start_next();
  void launch(WhatIfRun& run);
  void finish(WhatIfRun& run);
  void take_result(WhatIfRun& run);
  void forget_oldest();

  WhatIfCommand command_;
  std::vector<WhatIfChoice> choices_;
  TakeTimes take_;
  DropTimes drop_;
  std::map<std::uint32_t, WhatIfRun> runs_;
  std::deque<std::uint32_t> waiting_;
  std::uint32_t last_ = 0;
  std::uint32_t running_ = 0;  // number of the child's run
  std::unique_ptr<ChildProcess> child_;
};

}  // namespace plumbline::viewer
