// The program that the launcher starts on each rank of a run:
//   plumbline-bench-ranks-FLAVOUR --describe       what it can measure, as JSON; needs no launcher
//   plumbline-bench-ranks-FLAVOUR PLAN STREAM      measures what rank 0 reads from PLAN; it writes STREAM meanwhile
//   plumbline-bench-ranks-FLAVOUR PLAN STREAM loopback      the same, and ranks of one node share no memory
// A request that cannot be measured is a note in the stream, and the run goes on.

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>

#include "base/error.hpp"
#include "bench/ranks/describe.hpp"
#include "bench/ranks/loopback.hpp"
#include "bench/ranks/places.hpp"
#include "bench/ranks/recorder.hpp"
#include "bench/ranks/requests.hpp"
#include "bench/ranks/talk.hpp"
#include "bench/ranks/transports.hpp"

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

void run(const std::string& plan_path, const std::string& stream_path, bool loopback) {
  const OwnComm world(MPI_COMM_WORLD);
  const bool first = rank_in(world) == 0;
  std::string text, fault;
  std::optional<Recorder> recorder;
  fault = fault_of([&] {
    if (first) text = contents_of(plan_path);
    recorder.emplace(first ? stream_path : "", loopback ? kLoopback : "");
  });
  fault = first_fault(world, fault);
  if (!fault.empty()) throw Error("", fault);
  const Plan plan = parse_plan(broadcast_text(world, text), plan_path);
  Places places = find_places(world);
  RunFacts facts(world, places);
  places.share_cores = share_cores(world, facts.before());
  recorder->begin(facts.before());
  if (loopback) recorder->note(doubts_of_loopback(world));
  for (std::uint32_t i = 0; i < plan.requests.size(); ++i) run_request(i, plan, places, loopback, *recorder);
  recorder->end(facts.after());
}

int run_ranks(int argc, char** argv) {
  const bool loopback = argc == 4;
  if (loopback) leave_shared_memory();
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string fault = fault_of([&] { run(argv[1], argv[2], loopback); });
  if (!fault.empty() && rank == 0) fmt::print(stderr, "plumbline-bench-ranks: {}\n", fault);
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
  if (argc == 3 || (argc == 4 && std::string_view(argv[3]) == bench::kLoopback)) return bench::run_ranks(argc, argv);
  fmt::print(stderr, "usage: plumbline-bench-ranks --describe | PLAN STREAM [{}]\n", bench::kLoopback);
  return static_cast<int>(ExitCode::kWrongUse);
}
