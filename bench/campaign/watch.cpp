#include "bench/campaign/watch.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <thread>

#include "base/error.hpp"
#include "base/process/child.hpp"
#include "base/process/program.hpp"
#include "bench/campaign/tail.hpp"

namespace plumbline::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPoll{20};

// The last lines that the launcher and the ranks printed.
std::string last_words(const std::filesystem::path& log) {
  constexpr std::size_t kMost = 600;
  std::ifstream file(log, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.size() <= kMost ? text : "... " + text.substr(text.size() - kMost);
}

std::string with_last_words(const std::string& what, const std::filesystem::path& log) {
  const std::string words = last_words(log);
  return words.empty() ? what : what + ": " + words;
}

}  // namespace

Ending watch(const Launch& launch, const Watch& how) {
  if (find_program(launch.command[0]).empty())
    throw Error(launch.command[0], "is not installed, or not in PATH", "name another launcher in [[layout]]",
                ExitCode::kCannotRunHere);
  StreamTail tail(how.stream);
  Child child(ending_with_us(launch.command), launch.environment, how.log);
  Clock::time_point news = Clock::now();
  while (child.running()) {
    if (how.run_queue != nullptr) how.run_queue->look();
    if (tail.look()) news = Clock::now();
    if (how.progress) how.progress(tail.done());
    if (how.is_to_stop && how.is_to_stop()) return {true, "was stopped"};
    const double silence = std::chrono::duration<double>(Clock::now() - news).count();
    if (silence > how.patience_s + tail.expected_s())
      return {false, with_last_words(fmt::format("gave no sign of life for {:.0f} s and was ended", silence), how.log)};
    std::this_thread::sleep_for(kPoll);
  }
  if (how.is_to_stop && how.is_to_stop()) return {true, "was stopped"};  // Ctrl-C reaches the launcher as well
  const std::string failure = child.failure();
  return {false, failure.empty() ? "" : with_last_words(failure, how.log)};
}

}  // namespace plumbline::bench
