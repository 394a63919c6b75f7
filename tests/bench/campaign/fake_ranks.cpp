// In place of the ranks: the same arguments and the same stream, without MPI and without measuring. FAKE_HANG,
// FAKE_CRASH and FAKE_FAULT name an operation that they hang in, die in, or say they cannot measure; FAKE_DELAY_MS is
// what each request takes, FAKE_EXPECT_S what it says that it may take; with FAKE_NO_START no start succeeds, and with
// FAKE_SECOND_FAILS, a file to count in, all but the second. with FAKE_SHARED both ranks have one core. The time of a
// size is that many nanoseconds and one.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>

#include "bench/results/plan.hpp"
#include "bench/results/stream.hpp"
#include "tests/bench/campaign/families.hpp"

namespace {

using namespace plumbline::bench;

bool is_named(const char* variable, const Request& request) {
  const char* value = std::getenv(variable);
  return value != nullptr && request.operation == value;
}

using Words = std::map<std::string, std::string>;

Cell cell_of(const Request& request, std::uint32_t position, const Words& words) {
  Cell cell{request.operation, request.implementation, request.sizes.at(0)};
  cell.position = position;
  cell.numbers = request.numbers;
  cell.words = request.words;
  for (const auto& [name, word] : words) cell.words[name] = word;
  cell.timing = request.effort.timing;
  cell.isolation = request.effort.isolation;
  cell.stop = request.effort.stop;
  cell.seconds.assign(30, 1e-9 * static_cast<double>(cell.bytes + 1));
  cell.flags.assign(30, 0);
  return cell;
}

void measure(const Plan& plan, std::FILE* stream, const Words& words) {
  const char* delay = std::getenv("FAKE_DELAY_MS");
  for (std::uint32_t i = 0; i < plan.requests.size(); ++i) {
    const Request& request = plan.requests[i];
    if (is_named("FAKE_HANG", request)) pause();
    if (is_named("FAKE_CRASH", request)) {
      std::fputs("fake crash\n", stderr);
      _exit(9);
    }
    if (const char* seconds = std::getenv("FAKE_EXPECT_S")) write_expect(stream, std::atof(seconds));
    if (delay != nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(delay)));
    if (is_named("FAKE_FAULT", request))
      write_note(stream, "request " + std::to_string(i) + " (" + request.operation + "): is not to be had");
    else
      write_cell(stream, cell_of(request, i, words));
    write_done(stream, i);
  }
}

// Of "loopback" and "threads=LEVEL".
Words words_of(int argc, char** argv) {
  Words words;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    if (const std::size_t equals = word.find('='); equals != std::string::npos)
      words[word.substr(0, equals)] = word.substr(equals + 1);
    else
      words[kWay] = word;
  }
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--describe") == 0) {
    std::puts(plumbline::bench::test::kFamilies);
    return 0;
  }
  if (argc < 3) return 2;
  if (std::getenv("FAKE_NO_START") != nullptr) {
    std::fputs("no such network\n", stderr);
    return 1;
  }
  if (const char* counter = std::getenv("FAKE_SECOND_FAILS"); counter != nullptr) {
    std::ofstream(counter, std::ios::app) << 'x';
    if (std::filesystem::file_size(counter) == 2) return 1;
  }
  std::ifstream file(argv[1]);
  const Plan plan = parse_plan({std::istreambuf_iterator<char>(file), {}}, argv[1]);
  std::FILE* stream = std::fopen(argv[2], "wb");
  if (stream == nullptr) return 3;
  Run run;
  run.library = "fake";
  run.created = "2026-01-01T00:00:00Z";
  run.hosts = {"here", "here"};
  run.node_of = {0, 0};
  const bool share = std::getenv("FAKE_SHARED") != nullptr;
  run.bindings = {"0", share ? "0" : "1"};
  write_run(stream, run);
  measure(plan, stream, words_of(argc, argv));
  run.involuntary_switches.assign(2, share ? 500 : 0);
  write_end(stream, run);
  return std::fclose(stream);
}
