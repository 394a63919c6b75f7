// launcher_program LIBRARIES WORK[:ARGUMENT].. : started by a launcher, runs these works one after the other on all its
// processes. Prints each result on a line; an error as the command does, and ends with its code.
// Settings: LAUNCHER_TEST_PIECE (bytes), LAUNCHER_TEST_PATIENCE (ms), LAUNCHER_TEST_VERSION.

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/checks_throw.hpp"
#include "base/error.hpp"
#include "base/team/launcher_workers.hpp"

namespace plumbline {
namespace {

std::uint32_t number(std::string_view text) { return static_cast<std::uint32_t>(std::stoul(std::string(text))); }

std::string texts_joined(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ",")); }

std::string exchange(Processes& processes, std::string_view argument) {
  const std::string heard = texts_joined(processes.exchange(fmt::format("{}{}", argument, processes.rank())));
  return texts_joined(processes.gather(heard));  // what the others have heard is seen too
}

// Other bytes of each rank, as many as the argument times its number.
std::string long_text(std::uint32_t rank, std::uint32_t unit) {
  std::string text(std::size_t{rank} * unit, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>((i + 7 * rank) % 251);
  return text;
}

std::string long_texts(Processes& processes, std::string_view unit) {
  const auto told = [&](const std::vector<std::string>& texts) {
    std::string sizes;
    for (std::uint32_t rank = 0; rank < texts.size(); ++rank)
      sizes += texts[rank] == long_text(rank, number(unit)) ? fmt::format("{} ", texts[rank].size()) : "other bytes ";
    return sizes;
  };
  const std::string own = long_text(processes.rank(), number(unit));
  const std::string exchanged = told(processes.exchange(own));
  for (const std::string& heard : processes.exchange(exchanged))
    if (heard != exchanged) return "not all heard the same";
  return exchanged + "/ " + told(processes.gather(own));
}

std::string fails(Processes& processes, std::string_view rank) {
  if (processes.rank() >= number(rank))
    throw Error(fmt::format("spool {}", processes.rank()), "is damaged", "leave it out", ExitCode::kNotComparable);
  processes.exchange("well");
  return "not reached";
}

std::string fails_late(Processes& processes, std::string_view rank) {
  processes.exchange("well");
  if (processes.rank() == number(rank)) throw Error("", "the disk is full");
  return "not to be seen";
}

std::string checks(Processes& processes, std::string_view rank) {
  PLUMBLINE_CHECK(processes.rank() != number(rank), "a check that fails");
  processes.exchange({});
  return {};
}

std::string killed(Processes& processes, std::string_view rank) {
  if (processes.rank() == number(rank)) ::raise(SIGKILL);
  processes.exchange({});
  return "not to be seen";
}

// Two exchanges of process 0 for one of the others.
std::string out_of_step(Processes& processes, std::string_view) {
  processes.exchange({});
  if (processes.rank() == 0) processes.exchange({});
  return {};
}

std::string no_memory(Processes& processes, std::string_view rank) {
  if (processes.rank() == number(rank)) throw std::bad_alloc();
  processes.exchange({});
  return {};
}

// Processor time of all others while process 0 sleeps, in tenths of that time.
std::string idle(Processes& processes, std::string_view seconds) {
  timespec before, after;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  if (processes.rank() == 0) ::sleep(number(seconds));
  processes.exchange({});
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const double used =
      static_cast<double>(after.tv_sec - before.tv_sec) + static_cast<double>(after.tv_nsec - before.tv_nsec) * 1e-9;
  double all = 0;
  for (const std::string& text : processes.exchange(fmt::format("{}", used))) all += std::stod(text);
  return fmt::format("{:.1f}", all / number(seconds) / processes.size());
}

constexpr SharedWork kWorks[] = {{"exchange", exchange}, {"long", long_texts},  {"fails", fails},
                                 {"late", fails_late},   {"checks", checks},    {"killed", killed},
                                 {"step", out_of_step},  {"memory", no_memory}, {"idle", idle}};

// What each process does is told by name; one work is known to process 0 alone.
int run_all(Workers& workers, std::span<char* const> words) {
  for (const std::string_view word : words) {
    const std::size_t colon = std::min(word.find(':'), word.size());
    const std::string_view name = word.substr(0, colon), argument = word.substr(std::min(colon + 1, word.size()));
    const auto work = std::ranges::find(kWorks, name, &SharedWork::name);
    try {
      fmt::print("{}\n", workers.run(work != std::end(kWorks) ? *work : SharedWork{name, exchange}, argument));
    } catch (const Error& error) {
      if (word != words.back()) fmt::print("{}\n", error.what());  // and on with the next
      if (word == words.back()) throw;
    }
  }
  return 0;
}

const char* setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

int run(std::span<char* const> words) {
  LauncherSettings settings{.libraries = words[1], .version = setting("LAUNCHER_TEST_VERSION", "1")};
  settings.piece = number(setting("LAUNCHER_TEST_PIECE", "1000000000"));
  settings.patience = std::chrono::milliseconds(number(setting("LAUNCHER_TEST_PATIENCE", "10000")));
  const auto first = [&](Workers& workers) { return run_all(workers, words.subspan(2)); };
  if (const auto launched = launcher_processes([](const char* name) { return std::getenv(name); }))
    return with_launcher(*launched, settings, kWorks, first);
  OneWorker alone;
  return first(alone);
}

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
  try {
    return plumbline::run({argv, static_cast<std::size_t>(argc)});
  } catch (const plumbline::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return static_cast<int>(error.code());
  } catch (const plumbline::InternalFault& fault) {
    fmt::print(stderr, "fault: {}\n", fault.what());
    return static_cast<int>(plumbline::ExitCode::kInternal);
  }
}
