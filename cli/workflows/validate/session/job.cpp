#include "cli/workflows/validate/session/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <limits>
#include <thread>

#include "base/process/child.hpp"
#include "bench/campaign/launch.hpp"

namespace plumbline::cli::validate {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPoll{10};
constexpr double kAskEvery_s = 0.5;

constexpr double kNever = std::numeric_limits<double>::infinity();

volatile std::sig_atomic_t interrupted = 0;

void note_interrupt(int) { interrupted = 1; }

}  // namespace

void note_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, note_interrupt);
}

bool is_interrupted() { return interrupted != 0; }

JobEnd run_job(const Job& job) {
  if (is_interrupted()) throw Interrupted{};
  const Clock::time_point begin = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  Child child(bench::ending_with_us(job.command), job.environment, job.log);
  double next_question = job.has_told_all ? kAskEvery_s : kNever;
  double end_of_grace = kNever;  // as passed()
  while (child.running()) {
    if (is_interrupted()) throw Interrupted{};
    if (passed() > job.patience_s) return {fmt::format("did not end in {:.0f} s", job.patience_s), passed()};
    if (passed() > end_of_grace)
      return {fmt::format("did not end in {:.0f} s after its last result", job.grace_s), passed(), job.grace_s};
    if (passed() > next_question) {
      const bool has_told_all = job.has_told_all();
      if (has_told_all) end_of_grace = passed() + job.grace_s;
      next_question = has_told_all ? kNever : passed() + kAskEvery_s;
    }
    std::this_thread::sleep_for(kPoll);
  }
  return {child.failure(), passed()};
}

std::string tail_of(const std::filesystem::path& log, std::size_t most) {
  std::ifstream file(log);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::ranges::replace(text, '\n', ' ');
  if (text.size() > most) text = text.substr(std::min(text.find(' ', text.size() - most), text.size() - most + 40));
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace plumbline::cli::validate
