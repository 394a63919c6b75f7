#include "base/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace plumbline {
namespace {

constexpr std::chrono::milliseconds kInterval{100};

bool stderr_is_a_terminal() {
  const char* term = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

}  // namespace

Progress::Progress(std::string what, std::uint64_t total)
    : what_(std::move(what)),
      total_(total),
      shown_(stderr_is_a_terminal()),
      next_(std::chrono::steady_clock::now() + kInterval) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::uint64_t done) {
  if (!shown_) return;
  const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  const std::string amount =
      total_ > 0 ? fmt::format("{:.0f} %", 100.0 * static_cast<double>(done) / static_cast<double>(total_))
                 : fmt::format("{}", done);
  fmt::print(stderr, "\r\033[K{} {}", what_, amount);
  std::fflush(stderr);
}

}  // namespace plumbline
