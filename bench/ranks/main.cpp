// The program that the launcher starts on each rank of a run:
//   plumbline-bench-ranks-FLAVOUR --describe       what it can measure, as JSON; needs no launcher
//   plumbline-bench-ranks-FLAVOUR --identify DIR [DIRECTORY..]   who each rank is, as files in DIR; sends no message
//   plumbline-bench-ranks-FLAVOUR PLAN STREAM      measures what rank 0 reads from PLAN; it writes STREAM meanwhile
//   plumbline-bench-ranks-FLAVOUR PLAN STREAM [loopback] [threads=LEVEL] [variant=NAME]
//       the same; ranks of one node share no memory; ranks ask MPI for a level of threads (kThreadLevels); cells are of
//       a layout of that name
// A request that cannot be measured is a note in the stream, and the run goes on.

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "bench/ranks/describe.hpp"
#include "bench/ranks/environment/identify.hpp"
#include "bench/ranks/environment/loopback.hpp"
#include "bench/ranks/environment/places.hpp"
#include "bench/ranks/environment/transports.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/recorder.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench {
namespace {

std::string contents_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw_system_error(path, "cannot be read", errno);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What went wrong on this rank; empty: nothing.
template <class Work>
std::string fault_of(Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  } catch (const MpiFailure& failure) {
    return text_of_failure(failure);
  }
  return "";
}

void measure(const Context& context, const Request& request) {
  const Family* family = find_family(request.operation);
  if (family == nullptr)
    throw Error(request.operation, "is no operation of the catalogue", "docs/reference/operations.md has them");
  family->measure(context, complete(*family, request, static_cast<std::uint32_t>(size_of(context.world))));
}

// Each request has a communicator of its own: what one that failed has left under way meets nothing of the next.
void run_request(std::uint32_t number, const Plan& plan, const Places& places, bool loopback, Recorder& recorder) {
  const Request& request = plan.requests[number];
  const OwnComm outcome(MPI_COMM_WORLD), world(MPI_COMM_WORLD);
  recorder.begin_request(request.keep_ranks);
  const Context context{world,
                        places,
                        plan.seed,
                        [&](Cell cell) { recorder.give(std::move(cell)); },
                        [&](std::string_view text) { recorder.note(text); },
                        loopback,
                        [&](double seconds) { recorder.expect(seconds); }};
  const std::string fault = first_fault(outcome, fault_of([&] { measure(context, request); }));
  if (!fault.empty()) recorder.note(fmt::format("request {} ({}): {}", number, request.operation, fault));
  recorder.done(number);
}

// What the ranks are told beside plan and stream.
struct Way {
  bool loopback = false;
  std::optional<int> threads;  // MPI_THREAD_*
  std::string variant;
};

// In the order of kThreadLevels.
constexpr int kLevels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};

// Nothing where a word is not known.
std::optional<Way> way_of(int argc, char** argv) {
  Way way;
  for (int i = 3; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto* level = std::ranges::find_if(
        kThreadLevels, [&](const char* name) { return word == fmt::format("{}={}", kThreads, name); });
    constexpr std::string_view kNamed = "variant=";
    if (word == kLoopback)
      way.loopback = true;
    else if (word.starts_with(kNamed) && word.size() > kNamed.size())
      way.variant = word.substr(kNamed.size());
    else if (level != std::end(kThreadLevels))
      way.threads = kLevels[level - std::begin(kThreadLevels)];
    else
      return std::nullopt;
  }
  return way;
}

const char* level_name(int level) { return kThreadLevels[std::ranges::find(kLevels, level) - std::begin(kLevels)]; }

// Words of every cell. Behind MPI_Init.
std::map<std::string, std::string> words_of(const Way& way) {
  std::map<std::string, std::string> words;
  int given = MPI_THREAD_SINGLE;
  must(MPI_Query_thread(&given));
  if (way.loopback) words[kWay] = kLoopback;
  if (way.threads) words[kThreads] = level_name(given);
  if (!way.variant.empty()) words[kVariant] = way.variant;
  return words;
}

void note_level(const Way& way, const std::map<std::string, std::string>& words, Recorder& recorder) {
  if (!way.threads || words.at(kThreads) == level_name(*way.threads)) return;
  recorder.note(
      fmt::format("threads: {} was asked for, and the library gives {}", level_name(*way.threads), words.at(kThreads)));
}

void run(const std::string& plan_path, const std::string& stream_path, const Way& way) {
  const OwnComm world(MPI_COMM_WORLD);
  const bool first = rank_in(world) == 0;
  std::string text, fault;
  std::optional<Recorder> recorder;
  fault = fault_of([&] {
    if (first) text = contents_of(plan_path);
    recorder.emplace(first ? stream_path : "", words_of(way));
  });
  fault = first_fault(world, fault);
  if (!fault.empty()) throw Error("", fault);
  const Plan plan = parse_plan(broadcast_text(world, text), plan_path);
  Places places = find_places(world);
  RunFacts facts(world, places);
  places.share_cores = share_cores(world, facts.before());
  recorder->begin(facts.before());
  note_level(way, words_of(way), *recorder);
  if (way.loopback) recorder->note(doubts_of_loopback(world));
  for (std::uint32_t i = 0; i < plan.requests.size(); ++i) run_request(i, plan, places, way.loopback, *recorder);
  recorder->end(facts.after());
}

int run_ranks(int argc, char** argv, const Way& way) {
  if (way.loopback) leave_shared_memory();
  int given = MPI_THREAD_SINGLE;
  if (way.threads)
    MPI_Init_thread(&argc, &argv, *way.threads, &given);
  else
    MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string fault = fault_of([&] { run(argv[1], argv[2], way); });
  if (!fault.empty() && rank == 0) fmt::print(stderr, "plumbline-bench-ranks: {}\n", fault);
  MPI_Finalize();
  return static_cast<int>(fault.empty() ? ExitCode::kAsExpected : ExitCode::kBadInput);
}

// Of several processes that fail alike each says so: they may all be rank 0.
int identify_ranks(int argc, char** argv) {
  std::string fault = fault_of([&] { identify_before_init(argv[2]); });
  MPI_Init(&argc, &argv);
  if (fault.empty()) fault = fault_of([&] { identify(argv[2], {argv + 3, argv + argc}); });
  if (!fault.empty()) fmt::print(stderr, "plumbline-bench-ranks: {}\n", fault);
  MPI_Finalize();
  return static_cast<int>(fault.empty() ? ExitCode::kAsExpected : ExitCode::kBadInput);
}

}  // namespace
}  // namespace plumbline::bench

int main(int argc, char** argv) {
  using namespace plumbline;
  if (argc == 2 && std::string_view(argv[1]) == "--describe") {
    fmt::print("{}", bench::describe_families());
    return 0;
  }
  if (argc >= 3 && std::string_view(argv[1]) == "--identify") return bench::identify_ranks(argc, argv);
  if (const auto way = bench::way_of(argc, argv); argc >= 3 && way) return bench::run_ranks(argc, argv, *way);
  fmt::print(stderr,
             "usage: plumbline-bench-ranks --describe | --identify DIR [DIRECTORY..] | PLAN STREAM [{}] [{}=LEVEL] "
             "[{}=NAME]\n",
             bench::kLoopback, bench::kThreads, bench::kVariant);
  return static_cast<int>(ExitCode::kWrongUse);
}
