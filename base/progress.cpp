#include "base/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace plumbline {
namespace {

constexpr std::chrono::milliseconds kInterval{100};
constexpr std::chrono::seconds kLineInterval{10};
constexpr double kLeastTold = 0.02;  // of the total: what less of it took says little of the rest

bool stderr_is_a_terminal() {
  const char* term = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

// ", 12 s left", ", 1:05 h left".
std::string time_left(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format(", {} s left", whole);
  if (whole < 3600) return fmt::format(", {}:{:02} min left", whole / 60, whole % 60);
  return fmt::format(", {}:{:02} h left", whole / 3600, whole / 60 % 60);
}

}  // namespace

Progress::Progress(std::string what, std::uint64_t total, Clock::time_point begin)
    : what_(std::move(what)),
      total_(total),
      on_terminal_(stderr_is_a_terminal()),
      next_(begin + (on_terminal_ ? kInterval : std::chrono::milliseconds(kLineInterval))),
      begin_(begin) {}

Progress::~Progress() {
  if (on_terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::uint64_t done, std::string_view what) {
  if (!done_before_) done_before_ = done;
  const Clock::time_point now = Clock::now();
  if (now < next_ || (!on_terminal_ && done == told_)) return;
  next_ = now + (on_terminal_ ? kInterval : std::chrono::milliseconds(kLineInterval));
  told_ = done;
  const std::string text = what_ + " " + text_of(done, now) + (what.empty() ? "" : ": " + std::string(what));
  if (on_terminal_)
    fmt::print(stderr, "\r\033[K{}", text);
  else
    fmt::print(stderr, "plumbline: {}\n", text);
  std::fflush(stderr);
}

std::string Progress::text_of(std::uint64_t done, Clock::time_point now) const {
  if (total_ == 0) return fmt::format("{}", done);
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  std::string text = fmt::format("{:.0f} %", 100 * share);
  const double since_told = static_cast<double>(done) - static_cast<double>(*done_before_);
  if (tells_time_left_ && since_told > 0 && since_told >= kLeastTold * static_cast<double>(total_) && done <= total_) {
    const double of_each = std::chrono::duration<double>(now - begin_).count() / since_told;
    text += time_left(of_each * static_cast<double>(total_ - done));
  }
  return text;
}

}  // namespace plumbline
