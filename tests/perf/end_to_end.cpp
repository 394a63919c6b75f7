// What `plumbline replay -o` takes on an archive that it sees for the first time, beside the sum of its parts: reading
// the archive with libotf2 alone, the replays from the compiled program, and writing the expected events with libotf2
// alone. The workload halo2d on 256 nodes.
//
// usage: end_to_end PLUMBLINE PLATFORM [ITERATIONS [RUNS]]     defaults 1000 5
//
//        end_to_end --write DIRECTORY [ITERATIONS]     only writes the archive
//
// CPU seconds of the process, the best of RUNS; the parts take turns. Everything is written to new directories, and
// nothing is removed before the end: ext4 looks at each inode that was freed in the last minutes before it gives one
// away (recently_deleted(), fs/ext4/ialloc.c), 0.2 to 1.2 s for the 1300 files of this workload.

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bare_otf2.hpp"
#include "base/check.hpp"
#include "base/error.hpp"
#include "halo_archive.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/expect/expect.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay_bench.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace plumbline;
namespace fs = std::filesystem;

struct Process {
  double seconds = 0;       // CPU
  double resident_mib = 0;  // the most, with what it had mapped
};

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

Process run(const fs::path& program, const std::vector<std::string>& arguments) {
  std::fflush(stdout);  // else the child has it too
  const pid_t child = fork();
  PLUMBLINE_CHECK(child >= 0, "a process can be made");
  if (child == 0) {
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    if (std::freopen("/dev/null", "w", stdout) != nullptr) execv(program.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  PLUMBLINE_CHECK(wait4(child, &status, 0, &usage) == child, "a child can be waited for");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(program.string(), fmt::format("ended with status {}", status));
  return {seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024};
}

// Runs `work` in a process of its own, where no memory has been used before, and returns what it returns.
template <class Work>
auto in_child(Work work) {
  using Result = decltype(work());
  static_assert(std::is_trivially_copyable_v<Result>);
  int ends[2];
  PLUMBLINE_CHECK(pipe(ends) == 0, "a pipe can be made");
  std::fflush(stdout);
  const pid_t child = fork();
  PLUMBLINE_CHECK(child >= 0, "a process can be made");
  if (child == 0) {
    const Result result = work();
    _exit(::write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
  }
  close(ends[1]);
  Result result{};
  const bool told = ::read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  PLUMBLINE_CHECK(told && WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child does its work");
  return result;
}

struct Replays {
  double seconds = 0;  // CPU
  std::uint32_t count = 0;
  std::uint64_t messages = 0;  // of each
};

// Keeps the one that took the least.
template <class Cost>
void improve(Cost& best, const Cost& cost) {
  if (best.seconds == 0 || cost.seconds < best.seconds) best = cost;
}

class EndToEnd {
 public:
  EndToEnd(fs::path plumbline, fs::path platform, const perf::Halo& halo)
      : plumbline_(std::move(plumbline)), platform_file_(std::move(platform)), halo_(halo) {
    perf::write_halo_archive(observed_, halo);
    fmt::print("{} ranks, {} iterations: archive of {:.0f} MiB\n", halo.ranks(), halo.iterations, mib_below(observed_));
    malloc_trim(0);
  }

  void measure() {
    for (int i = 0; i < halo_.runs; ++i) {
      improve(whole_, run_whole(i));
      improve(read_, in_child([&] { return perf::read_bare(observed_); }));
      improve(replays_, in_child([&] { return run_replays(); }));
      improve(write_, in_child([&] { return write_again(i); }));
    }
    const double sum = read_.seconds + replays_.seconds + write_.seconds;
    fmt::print("bare reading: {:.3f} CPU s, {:.0f} ns per event, {} events\n", read_.seconds, per_event(read_),
               read_.events);
    fmt::print("{} replays, from the compiled program: {:.3f} CPU s, {:.2f} M messages/s\n", replays_.count,
               replays_.seconds, static_cast<double>(replays_.messages * replays_.count) / replays_.seconds * 1e-6);
    fmt::print("bare writing: {:.3f} CPU s, {:.0f} ns per event, {} events, {:.0f} MiB\n", write_.seconds,
               per_event(write_), write_.events, mib_below(directory_.path() / "expected-0"));
    fmt::print("end to end: {:.3f} CPU s, {:.2f} times their sum of {:.3f} s; at most {:.0f} MiB resident\n",
               whole_.seconds, whole_.seconds / sum, sum, whole_.resident_mib);
  }

 private:
  static double per_event(const perf::BareCost& cost) { return cost.seconds / static_cast<double>(cost.events) * 1e9; }

  static double mib_below(const fs::path& directory) {
    double bytes = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory))
      if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
    return bytes / (1 << 20);
  }

  fs::path expected(int run) const { return directory_.path() / fmt::format("expected-{}", run); }

  Process run_whole(int number) const {
    fs::remove(observed_ / "plumbline.program");
    return run(plumbline_, {"replay", observed_, "-p", platform_file_, "-o", expected(number)});
  }

  Replays run_replays() const {
    replay::CompileSummary summary;
    const replay::Program program = replay::program_of(observed_, summary);  // compiled by the run before
    const hw::Platform platform = hw::read_platform(platform_file_);
    const double begin = perf::cpu_seconds();
    const replay::expect::Expectation expectation = replay::expect::expectation_of(program, platform, {});
    return {perf::cpu_seconds() - begin, expectation.runs, expectation.free.messages};
  }

  perf::BareCost write_again(int number) const {
    return perf::write_bare(expected(number), directory_.path() / fmt::format("bare-{}", number));
  }

  const test::TemporaryDirectory directory_;
  const fs::path plumbline_, platform_file_, observed_ = directory_ / "observed";
  const perf::Halo halo_;
  perf::BareCost read_, write_;
  Replays replays_;
  Process whole_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: end_to_end PLUMBLINE PLATFORM [ITERATIONS [RUNS]] | --write DIRECTORY [ITERATIONS]\n");
    return 2;
  }
  perf::Halo halo;
  if (argc > 3) halo.iterations = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
  if (argc > 4) halo.runs = std::atoi(argv[4]);
  try {
    if (std::string_view(argv[1]) == "--write") {
      perf::write_halo_archive(argv[2], halo);
      return EXIT_SUCCESS;
    }
    EndToEnd(argv[1], argv[2], halo).measure();
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
  return EXIT_SUCCESS;
}
