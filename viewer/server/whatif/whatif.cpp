#include "viewer/server/whatif/whatif.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace plumbline::viewer {
namespace {

constexpr std::size_t kLongestNumber = 32, kMostSettings = 8;

// "100Mbit/s", "1.5", "50%": what it means is for the replay to find out.
bool looks_like_a_number(std::string_view text) {
  if (text.empty() || text.size() > kLongestNumber || text[0] < '0' || text[0] > '9') return false;
  return std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '/' ||
           c == '%';
  });
}

const WhatIfChoice* choice_of(std::span<const WhatIfChoice> choices, std::string_view name, std::string_view value) {
  const auto found = std::ranges::find_if(choices, [&](const WhatIfChoice& choice) {
    if (choice.name != name) return false;
    return choice.value == value || (choice.values == WhatIfChoice::Values::kNumber && looks_like_a_number(value));
  });
  return found == choices.end() ? nullptr : &*found;
}

// The last line "progress DONE TOTAL" that is whole; nothing where there is none yet.
std::optional<double> progress_in(std::string_view text) {
  const std::size_t end = text.rfind('\n');
  if (end == text.npos) return std::nullopt;
  const std::size_t before = text.rfind('\n', end == 0 ? 0 : end - 1);
  const std::string line(text.substr(before == text.npos || before == end ? 0 : before + 1, end));
  double done = 0, total = 0;
  if (std::sscanf(line.c_str(), "progress %lf %lf", &done, &total) != 2 || !(total > 0)) return std::nullopt;
  return std::clamp(done / total, 0.0, 1.0);
}

// How far it was, as base/progress.hpp tells it.
bool is_progress(std::string_view line) {
  constexpr std::array<std::string_view, 3> kWork{"compiling ", "replaying ", "replay "};
  const bool tells_share = line.find(" %") != line.npos;
  return tells_share && std::ranges::any_of(kWork, [&](std::string_view work) { return line.starts_with(work); });
}

// What a child said when it failed: its last words without our name before them.
std::string fault_in(std::string_view err, int status) {
  while (err.ends_with('\n')) err.remove_suffix(1);
  std::string text;
  while (!err.empty()) {
    const std::size_t end = std::min(err.find('\n'), err.size());
    std::string_view line = err.substr(0, end);
    err.remove_prefix(std::min(end + 1, err.size()));
    constexpr std::string_view kName = "plumbline: ";
    if (line.starts_with(kName)) line.remove_prefix(kName.size());
    if (is_progress(line)) continue;
    text += (text.empty() ? "" : "\n") + std::string(line);
  }
  if (!text.empty()) return text;
  if (WIFSIGNALED(status)) return fmt::format("the replay was ended by a signal: {}", ::strsignal(WTERMSIG(status)));
  return fmt::format("the replay ended with status {}", WEXITSTATUS(status));
}

bool is_over(const WhatIfRun& run) {
  return run.state != WhatIfRun::State::kWaiting && run.state != WhatIfRun::State::kRunning;
}

}  // namespace

std::optional<std::string> fault_of(std::span<const WhatIfChoice> choices, std::span<const std::string> options) {
  if (options.empty() || options.size() % 2 != 0) return "options are pairs: --set and NAME=VALUE";
  if (options.size() > 2 * kMostSettings) return fmt::format("at most {} settings at a time", kMostSettings);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < options.size(); i += 2) {
    if (options[i] != "--set") return "only --set can be asked for";
    const std::string_view text = options[i + 1];
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string_view name = text.substr(0, equals), value = text.substr(std::min(equals + 1, text.size()));
    if (choice_of(choices, name, value) == nullptr)
      return fmt::format("'{}' is none of the choices (whatif/choices lists them)", text);
    if (!names.insert(name).second) return fmt::format("'{}' is set twice", name);
  }
  return std::nullopt;
}

// On the page a run that waits for its turn runs, and has not come far.
std::string_view word(WhatIfRun::State state) {
  switch (state) {
    case WhatIfRun::State::kWaiting:
    case WhatIfRun::State::kRunning:
      return "running";
    case WhatIfRun::State::kDone:
      return "done";
    case WhatIfRun::State::kFailed:
      return "failed";
    case WhatIfRun::State::kCancelled:
      return "cancelled";
  }
  return "";
}

WhatIfs::WhatIfs(WhatIfCommand command, std::vector<WhatIfChoice> choices, TakeTimes take, DropTimes drop)
    : command_(std::move(command)), choices_(std::move(choices)), take_(std::move(take)), drop_(std::move(drop)) {}

WhatIfs::~WhatIfs() {
  if (!child_) return;
  child_.reset();
  std::error_code ignored;
  std::filesystem::remove(file_of(running_), ignored);
}

const WhatIfRun* WhatIfs::find(std::uint32_t number) const {
  const auto run = runs_.find(number);
  return run == runs_.end() ? nullptr : &run->second;
}

std::string WhatIfs::title_of(std::span<const std::string> options) const {
  std::string title;
  for (std::size_t i = 1; i < options.size(); i += 2) {
    const std::string_view text = options[i];
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string_view name = text.substr(0, equals), value = text.substr(std::min(equals + 1, text.size()));
    const WhatIfChoice* const choice = choice_of(choices_, name, value);
    const bool is_named = choice != nullptr && choice->value == value;
    title += (title.empty() ? "" : ", ") + (is_named ? choice->title : std::string(text));
  }
  return title;
}

std::filesystem::path WhatIfs::file_of(std::uint32_t number) const {
  return command_.directory / fmt::format("whatif-{}", number);
}

std::optional<std::uint32_t> WhatIfs::start(std::vector<std::string> options) {
  if (waiting_.size() >= kMostWaiting || last_ == kMostRuns) return std::nullopt;
  forget_oldest();
  WhatIfRun run;
  run.number = ++last_;
  run.title = title_of(options);
  run.options = std::move(options);
  runs_.emplace(run.number, std::move(run));
  waiting_.push_back(last_);
  start_next();
  return last_;
}

void WhatIfs::forget_oldest() {
  if (runs_.size() < kMostKept) return;
  const auto oldest = std::ranges::find_if(runs_, [](const auto& entry) { return is_over(entry.second); });
  if (oldest == runs_.end()) return;
  drop_(oldest->first);
  runs_.erase(oldest);
}

void WhatIfs::cancel(std::uint32_t number) {
  const auto found = runs_.find(number);
  if (found == runs_.end()) return;
  WhatIfRun& run = found->second;
  if (run.state == WhatIfRun::State::kFailed || run.state == WhatIfRun::State::kCancelled) return;
  if (run.state == WhatIfRun::State::kDone) drop_(number);
  std::erase(waiting_, number);
  run.state = WhatIfRun::State::kCancelled;
  if (child_ == nullptr || running_ != number) return;
  child_.reset();
  std::error_code ignored;
  std::filesystem::remove(file_of(number), ignored);
  start_next();
}

void WhatIfs::start_next() {
  while (child_ == nullptr && !waiting_.empty()) {
    WhatIfRun& run = runs_.at(waiting_.front());
    waiting_.pop_front();
    launch(run);
  }
}

void WhatIfs::launch(WhatIfRun& run) {
  std::vector<std::string> arguments = command_.arguments;
  arguments.insert(arguments.end(), run.options.begin(), run.options.end());
  arguments.insert(arguments.end(), {"--json", "--times", file_of(run.number).string(), "--progress", "3"});
  try {
    child_ = std::make_unique<ChildProcess>(command_.program, arguments);
    running_ = run.number;
    run.state = WhatIfRun::State::kRunning;
  } catch (const std::exception& error) {
    run.state = WhatIfRun::State::kFailed;
    run.error = error.what();
  }
}

void WhatIfs::poll() {
  if (child_ == nullptr) return;
  WhatIfRun& run = runs_.at(running_);
  const bool ended = child_->has_ended();
  if (const std::optional<double> progress = progress_in(child_->progress())) run.progress = *progress;
  if (!ended) return;
  finish(run);
  child_.reset();
  start_next();
}

void WhatIfs::finish(WhatIfRun& run) {
  const int status = child_->status();
  try {
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      run.state = WhatIfRun::State::kFailed;
      run.error = fault_in(child_->err(), status);
    } else {
      take_result(run);
    }
  } catch (const std::exception& error) {
    run.state = WhatIfRun::State::kFailed;
    run.error = error.what();
  }
  std::error_code ignored;
  std::filesystem::remove(file_of(run.number), ignored);
}

// Of `plumbline replay --json --set ..`: {"unchanged_ps": .., "outcomes": [{"length_ps": ..}]}
void WhatIfs::take_result(WhatIfRun& run) {
  const nlohmann::json told = nlohmann::json::parse(child_->out());
  const Duration unchanged{told.at("unchanged_ps").get<std::int64_t>()};
  run.length = Duration{told.at("outcomes").at(0).at("length_ps").get<std::int64_t>()};
  run.saved = unchanged - *run.length;
  take_(run.number, file_of(run.number));
  run.progress = 1;
  run.state = WhatIfRun::State::kDone;
}

}  // namespace plumbline::viewer
