// The program of the ranks under both MPIs: everything in its catalogue gives cells, and what it cannot do gives a
// note.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/statistics/order.hpp"
#include "bench/ranks/environment/socket.hpp"
#include "tests/bench/ranks_run.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

using plumbline::test::run_command;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Ranks : public testing::TestWithParam<const char*> {
 protected:
  std::string program() const { return fmt::format("{}/plumbline-bench-ranks-{}", PLUMBLINE_PROGRAMS, GetParam()); }
  bool is_open() const { return GetParam() == std::string("openmpi"); }

  // Few repetitions: what is asked for here is that there are any.
  Request request(const std::string& operation, std::vector<std::uint64_t> sizes = {0, 1000}) const {
    Request made;
    made.operation = operation;
    made.sizes = std::move(sizes);
    made.effort.stop = "count";
    made.effort.least = made.effort.most = 6;
    made.effort.warm_up = 1;
    made.effort.budget_s = 2;
    made.keep_ranks = true;
    return made;
  }

  Request file_request(const std::string& operation) const {
    Request made = request(operation);
    made.words["directory"] = files();
    made.numbers["verify"] = 1;
    return made;
  }

  std::string files() const {
    std::filesystem::create_directories(directory_ / "files");
    return (directory_ / "files").string();
  }

  void run(const std::vector<Request>& requests, int ranks = 2, int seconds = 60) {
    const test::RanksRun run =
        test::run_ranks({GetParam(), ranks, seconds}, program(), {7, requests}, directory_.path());
    status_ = run.result.status;
    campaign_ = run.campaign;
    done_ = run.done;
    EXPECT_TRUE(run.result.err.empty() || status_ != 0) << run.result.err;
  }

  void run_wholly(const std::vector<Request>& requests, int ranks = 2, int seconds = 60) {
    run(requests, ranks, seconds);
    ASSERT_EQ(status_, 0);
    ASSERT_TRUE(campaign_.runs.at(0).finished);
    EXPECT_EQ(done_.size(), requests.size());
    EXPECT_THAT(campaign_.notes, IsEmpty());
    for (const Cell& cell : campaign_.cells) expect_whole(cell, static_cast<std::size_t>(ranks));
    if (std::filesystem::exists(directory_ / "files")) {
      EXPECT_TRUE(std::filesystem::is_empty(directory_ / "files")) << "files are left";
    }
  }

  static void expect_whole(const Cell& cell, std::size_t ranks) {
    const std::string name = fmt::format("{} {} {}", cell.operation, cell.implementation, cell.bytes);
    EXPECT_GE(cell.seconds.size(), 6) << name;
    EXPECT_EQ(cell.flags.size(), cell.seconds.size()) << name;
    EXPECT_EQ(cell.of_ranks.size(), cell.seconds.size() * (cell.ranks.empty() ? ranks : cell.ranks.size())) << name;
    for (std::size_t i = 0; i < cell.seconds.size(); ++i)
      EXPECT_TRUE(cell.flags[i] != 0 || cell.seconds[i] > 0) << name;
    EXPECT_GE(cell.in_flight, 1) << name;
    EXPECT_FALSE(cell.timing.empty() || cell.isolation.empty() || cell.stop.empty()) << name;
    if (cell.numbers.contains("wrong_bytes")) {
      EXPECT_EQ(cell.numbers.at("wrong_bytes"), 0) << name;
    }
  }

  std::vector<Cell> cells_of(const std::string& operation) const {
    std::vector<Cell> found;
    std::ranges::copy_if(campaign_.cells, std::back_inserter(found),
                         [&](const Cell& cell) { return cell.operation == operation; });
    return found;
  }

  const plumbline::test::TemporaryDirectory directory_;
  int status_ = -1;
  Campaign campaign_;
  std::vector<std::uint32_t> done_;
};

TEST_P(Ranks, MeasureEveryOperationOfTheCatalogueByEveryImplementation) {
  const auto described = run_command(program() + " --describe");
  ASSERT_EQ(described.status, 0);
  const nlohmann::json catalogue = nlohmann::json::parse(described.out);
  EXPECT_EQ(catalogue["mpi"], GetParam());
  std::vector<Request> requests;
  for (const auto& family : catalogue["families"]) {
    if (family["least_ranks"] > 2) continue;
    // Tried in tests/bench/network and tests/bench/storage.
    static const std::set<std::string> elsewhere = {
        "prtt",         "pairs",         "streams",          "protocol", "progress", "overheads", "storage_calls",
        "storage_seek", "storage_cache", "storage_metadata", "order",    "frames",   "queue"};
    if (elsewhere.contains(family["name"])) continue;
    for (const auto& implementation : family["implementations"]) {
      Request& each = requests.emplace_back(request(family["name"]));
      each.implementation = implementation;
      if (family["bytes"] == "") each.sizes = {0};
      for (const auto& parameter : family["parameters"])
        if (parameter["name"] == "directory") each.words["directory"] = files();
    }
  }
  EXPECT_GT(requests.size(), 80);
  run_wholly(requests);
  std::set<std::string> wanted, measured;
  for (const Request& each : requests)
    for (const std::uint64_t size : each.sizes)
      wanted.insert(fmt::format("{} {} {}", each.operation, each.implementation, size));
  for (const Cell& cell : campaign_.cells)
    measured.insert(fmt::format("{} {} {}", cell.operation, cell.implementation, cell.bytes));
  for (const std::string& name : wanted) EXPECT_THAT(measured, Contains(name));
}

TEST_P(Ranks, SayWhatTheRunWas) {
  run_wholly({request("barrier", {0})});
  const bench::Run& facts = campaign_.runs.at(0);
  EXPECT_EQ(facts.mpi, GetParam());
  EXPECT_THAT(facts.library, HasSubstr(is_open() ? "Open MPI" : "MPICH"));
  EXPECT_EQ(facts.nodes, 1);
  EXPECT_EQ(facts.per_node, 2);
  EXPECT_THAT(facts.hosts, SizeIs(2));
  EXPECT_THAT(facts.node_of, ElementsAre(0, 0));
  EXPECT_THAT(facts.bindings, SizeIs(2));
  EXPECT_THAT(facts.bindings, Each(testing::MatchesRegex("[0-9,-]+")));
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  EXPECT_THAT(facts.boots, ElementsAre(boot, boot));
  EXPECT_THAT(facts.involuntary_switches, SizeIs(2));
  EXPECT_THAT(facts.created, SizeIs(20));
}

// Those of this test; ranks that are bound to one CPU of it tell its socket.
TEST_P(Ranks, TellTheSocketThatTheyAreBoundTo) {
  const std::vector<std::uint32_t> cpus = allowed_cpus();
  ASSERT_FALSE(cpus.empty());
  const std::uint32_t socket = socket_of_cpus(std::vector{cpus.front()});
  if (socket == kNoSocket) GTEST_SKIP() << "the kernel does not tell";
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpus.front(), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  const std::uint32_t bound = socket_of_cpus(allowed_cpus());
  run_wholly({request("barrier", {0})}, 1);
  cpu_set_t all;
  CPU_ZERO(&all);
  for (const std::uint32_t cpu : cpus) CPU_SET(cpu, &all);
  ::sched_setaffinity(0, sizeof all, &all);
  EXPECT_EQ(bound, socket);
  EXPECT_THAT(campaign_.runs.at(0).socket_of, ElementsAre(socket));
}

TEST_P(Ranks, AskMpiForALevelOfThreads) {
  for (const std::string level : {"single", "multiple"}) {
    const test::RanksRun run =
        test::run_ranks({GetParam()}, program(), {7, {request("barrier", {0})}}, directory_.path(), "threads=" + level);
    ASSERT_EQ(run.result.status, 0) << run.result.err;
    ASSERT_THAT(run.campaign.cells, SizeIs(1));
    EXPECT_EQ(run.campaign.cells[0].words.at(kThreads), level);
    EXPECT_THAT(run.campaign.notes, IsEmpty());
  }
  run_wholly({request("barrier", {0})});
  EXPECT_FALSE(campaign_.cells[0].words.contains(kThreads));
  EXPECT_EQ(run_command(program() + " plan stream threads=many").status, 2);
}

TEST_P(Ranks, AreAllNeighboursInACompleteGraph) {
  std::vector<Request> requests;
  for (const char* operation :
       {"neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw"})
    requests.emplace_back(request(operation)).words["topology"] = "complete";
  run_wholly(requests);
  EXPECT_THAT(campaign_.cells, SizeIs(10));
}

// On 2 ranks a grid of 2 x 1: each is the other's neighbour twice, by both ends, and its own.
TEST_P(Ranks, HaveNeighboursInEveryTopologyThatTheirParametersCanTell) {
  std::vector<Request> requests;
  const auto add = [&](const char* operation, const char* topology, const char* order, int constructor, int more) {
    Request& each = requests.emplace_back(request(operation));
    each.words["topology"] = topology;
    each.words["order"] = order;
    each.words["constructor"] = constructor == 0 ? "adjacent" : "general";
    each.numbers["reorder"] = more % 2;
    each.numbers["finite"] = more % 3;
    each.numbers["radius"] = 1 + more % 2;
  };
  int more = 0;
  for (const char* operation : {"neighbor_allgather", "neighbor_alltoallv", "neighbor_alltoallw"}) {
    for (const char* topology : {"moore", "von_neumann"})
      for (const char* order : {"ascending", "last_major", "random"}) {
        ++more;
        add(operation, topology, order, more % 2, more);
      }
    add(operation, "complete", "random", 1, 0);
    add(operation, "cartesian", "ascending", 0, 2);
    add(operation, "cartesian", "ascending", 0, 1);
  }
  run_wholly(requests);
  EXPECT_THAT(campaign_.cells, SizeIs(2 * requests.size()));
}

TEST_P(Ranks, MakeTopologiesMoreOftenThanALibraryHasContexts) {
  std::vector<Request> requests;
  for (const char* operation : {"cart_create", "dist_graph_create", "dist_graph_create_adjacent"}) {
    Request& each = requests.emplace_back(request(operation, {0}));
    each.effort.stop = "count";
    each.effort.most = 2200;  // MPICH has 2048
    each.effort.budget_s = 60;
    each.numbers["reorder"] = 1;
  }
  run_wholly(requests, 2, 200);
  ASSERT_THAT(campaign_.cells, SizeIs(3));
  for (const Cell& cell : campaign_.cells) EXPECT_EQ(cell.seconds.size(), 2200U) << cell.operation;
}

TEST_P(Ranks, SayWhichTopologyThereCannotBe) {
  std::vector<Request> requests(4, request("neighbor_allgather"));
  requests[0].numbers["finite"] = 3;
  requests[1].words["order"] = "random";
  requests[2].words["topology"] = "moore";
  requests[2].numbers["dimensions"] = 10;
  requests[3].words["topology"] = "von_neumann";  // of 20 neighbours, among 3^10 places
  requests[3].numbers["dimensions"] = 10;
  run(requests);
  EXPECT_THAT(campaign_.cells, IsEmpty());
  ASSERT_THAT(campaign_.notes, SizeIs(4));
  EXPECT_THAT(campaign_.notes[0], HasSubstr("'finite' is 3 of 2 dimensions"));
  EXPECT_THAT(campaign_.notes[1], HasSubstr("'order' of a topology whose neighbours have none"));
  EXPECT_THAT(campaign_.notes[2], HasSubstr("the shape has 10000 places or more"));
  EXPECT_THAT(campaign_.notes[3], HasSubstr("the shape is sought in a cube of 10000 places or more"));
}

TEST_P(Ranks, SendInEachMode) {
  std::vector<Request> requests;
  for (const char* mode : {"Send", "Ssend", "Bsend", "Rsend", "Isend", "persistent"})
    for (const char* operation : {"round_trip", "one_way", "burst"}) {
      Request& each = requests.emplace_back(request(operation, {1, 100000}));
      each.words["send"] = mode;
      if (operation == std::string("round_trip")) each.numbers["back_bytes"] = 10;
      if (std::string(mode) != "persistent") each.numbers["fresh_mib"] = 1;
    }
  run_wholly(requests);
  EXPECT_THAT(cells_of("burst"), SizeIs(12));
  for (const Cell& cell : cells_of("burst")) EXPECT_EQ(cell.in_flight, 16);
  for (const Cell& cell : cells_of("one_way")) EXPECT_EQ(cell.timing, "global");
}

TEST_P(Ranks, ReadWhatTheyWroteAtEachLevelOfAccess) {
  std::vector<Request> requests;
  for (const char* operation : {"file_write_at", "file_write_at_all", "file_read_at", "file_read_at_all"})
    for (const char* layout : {"contiguous", "strided"})
      for (const char* file : {"shared", "own"}) {
        Request& each = requests.emplace_back(file_request(operation));
        each.words["layout"] = layout;
        each.words["file"] = file;
        each.words["hint.cb_nodes"] = "1";
        each.numbers["piece"] = 64;
        if (file == std::string("own")) each.numbers["rewrite"] = 1;
      }
  requests.back().numbers["rewrite"] = 0;
  run_wholly(requests);
  EXPECT_THAT(campaign_.cells, SizeIs(32));
}

TEST_P(Ranks, TellThePartsOfTheLifeOfAFile) {
  Request metadata = request("file_metadata", {4096});
  metadata.words = {{"directory", files()}, {"file", "own"}};
  run_wholly({metadata});
  std::vector<std::string> phases;
  for (const Cell& cell : campaign_.cells) phases.push_back(cell.words.at("phase"));
  EXPECT_THAT(phases, ElementsAre("all", "create", "set_size", "get_size", "preallocate", "close_first", "open",
                                  "close", "delete"));
  const Cell& whole = campaign_.cells[0];
  for (std::size_t i = 0; i < whole.seconds.size(); ++i)
    for (const Cell& part : campaign_.cells) EXPECT_LE(part.seconds[i], whole.seconds[i]) << part.words.at("phase");
}

TEST_P(Ranks, TellHowMuchOfAnOperationGoesOnBesideComputing) {
  Request bcast = request("ibcast", {100000});
  bcast.numbers = {{"tests", 3}, {"compute", 2}};
  run_wholly({bcast});
  ASSERT_THAT(campaign_.cells, SizeIs(3));
  EXPECT_EQ(campaign_.cells[1].words.at("phase"), "compute");
  // Computing takes at least what it was meant to: steps are counted on a core that nobody else has.
  EXPECT_GE(campaign_.cells[1].seconds[0], 0.5 * campaign_.cells[1].numbers.at("compute_s"));
  const double overlap = campaign_.cells[2].numbers.at("overlap_percent");
  EXPECT_TRUE(overlap >= 0 && overlap <= 100) << overlap;
}

// Every method sees a delay that is known. Others may have the cores, so how much longer it was is told by what each
// rank saw itself.
TEST_P(Ranks, SeeAnInjectedDelayByEachMethodOfTiming) {
  std::vector<Request> requests;
  for (const char* timing : {"max", "root", "global"}) {
    Request& each = requests.emplace_back(request("delay", {0}));
    each.effort.timing = timing;
    each.effort.most = each.effort.least = 40;
    each.numbers = {{"delay_us", 1000}};
  }
  run_wholly(requests);
  ASSERT_THAT(campaign_.cells, SizeIs(3));
  for (const Cell& cell : campaign_.cells) {
    std::vector<double> valid;
    for (std::size_t i = 0; i < cell.seconds.size(); ++i)
      if (cell.flags[i] == 0) valid.push_back(cell.seconds[i]);
    // On a busy machine a barrier can take longer than the delay: then root says of all that they do not count.
    ASSERT_TRUE(!valid.empty() || cell.timing == "root");
    if (valid.empty()) continue;
    const statistics::Interval interval = statistics::interval_of_median(valid);
    const double least = *std::ranges::min_element(valid);
    std::printf("%s: %.1f .. %.1f us, least %.1f us of %zu\n", cell.timing.c_str(), interval.low * 1e6,
                interval.high * 1e6, least * 1e6, valid.size());
    if (cell.timing != "root") {
      EXPECT_GE(least, 1e-3) << cell.timing;
    } else {
      EXPECT_GE(interval.high, 0.5e-3) << "a barrier less";
    }
    for (std::size_t i = 0; i < cell.seconds.size(); ++i) {
      const double first = cell.of_ranks[2 * i], longest = std::max(first, cell.of_ranks[2 * i + 1]);
      if (cell.timing == "max") {
        EXPECT_DOUBLE_EQ(cell.seconds[i], longest);
      } else if (cell.timing == "root") {
        EXPECT_LE(cell.seconds[i], first) << "of which a barrier was taken off";
      } else {
        EXPECT_GE(cell.seconds[i], longest - 1e-9) << "from the first begin to the last end";
      }
    }
  }
}

TEST_P(Ranks, GoOnBehindWhatCannotBeMeasured) {
  Request unknown = request("nonsense"), implementation = request("bcast"), parameter = request("bcast"),
          missing = request("file_write_at"), nowhere = request("file_write_at"), method = request("barrier", {0}),
          sizes = request("barrier", {8}), root = request("bcast"), large = request("bcast", {8, 1ULL << 40}),
          few = request("point_to_two");
  implementation.implementation = "magic";
  parameter.numbers["colour"] = 1;
  nowhere.words["directory"] = "/nowhere/at/all";
  method.effort.isolation = "walls";
  root.effort.root = 2;
  run({unknown, implementation, parameter, missing, nowhere, method, sizes, root, large, few, request("barrier", {0})});
  EXPECT_EQ(status_, 0);
  ASSERT_TRUE(campaign_.runs.at(0).finished);
  EXPECT_THAT(done_, SizeIs(11));
  const char* expected[] = {"request 0 (nonsense): nonsense: is no operation of the catalogue",
                            "request 1 (bcast): bcast: has no implementation 'magic'; it has library, linear",
                            "request 2 (bcast): bcast: has no number 'colour'; it has",
                            "request 3 (file_write_at): file_write_at: 'directory' must be given",
                            "request 4 (file_write_at): MPI failed: ",
                            "request 5 (barrier): there is no isolation 'walls'; there are barrier, two barriers",
                            "request 6 (barrier): barrier: is not measured for sizes",
                            "request 7 (bcast): bcast: the root is 2, of 2 ranks",
                            "request 8 (bcast): bcast: 1099511627776 bytes are more than MPI counts here",
                            "request 9 (point_to_two): point_to_two: needs 3 ranks or more, and there are 2"};
  ASSERT_EQ(campaign_.notes.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) EXPECT_THAT(campaign_.notes[i], HasSubstr(expected[i]));
  EXPECT_THAT(campaign_.cells, SizeIs(2)) << "what a request measured before it failed is kept";
}

TEST_P(Ranks, KeepWhatTheyMeasuredWhenTheyAreStopped) {
  Request endless = request("delay", {0});
  endless.effort.most = endless.effort.least = 1000;
  endless.effort.budget_s = 0;
  endless.numbers = {{"delay_us", 1e6}};
  run({request("barrier", {0}), endless}, 2, 4);
  EXPECT_NE(status_, 0);
  ASSERT_THAT(campaign_.runs, SizeIs(1));
  EXPECT_FALSE(campaign_.runs[0].finished);
  EXPECT_THAT(done_, ElementsAre(0));
  EXPECT_THAT(cells_of("barrier"), SizeIs(1));
}

TEST_P(Ranks, RefuseAPlanThatIsNone) {
  const auto result =
      test::run_job({GetParam()}, fmt::format("{} /nowhere/plan {}/stream", program(), directory_.path().string()));
  EXPECT_NE(result.status, 0);
  EXPECT_THAT(result.err, HasSubstr("/nowhere/plan: cannot be read"));
  EXPECT_EQ(run_command(program()).status, 2);
}

// Ranks beyond the cores: MPICH would spin.
TEST_P(Ranks, MeasureAllPairsOneByOneOrInRounds) {
  if (!is_open()) GTEST_SKIP() << "only Open MPI gives its cores away";
  Request one_by_one = request("round_trip", {8}), rounds = one_by_one, bisection = request("bisection", {8}),
          triplets = request("point_to_two", {8});
  one_by_one.words["ranks"] = "all";
  rounds.words["ranks"] = triplets.words["ranks"] = "rounds";
  triplets.words["send"] = "Isend";
  bisection.numbers["matchings"] = 2;
  run_wholly({one_by_one, rounds, bisection, triplets}, 4);
  const std::vector<Cell> pairs = cells_of("round_trip");
  ASSERT_THAT(pairs, SizeIs(12));
  std::set<std::vector<std::uint32_t>> seen;
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(pairs[i].in_flight, i < 6 ? 1 : 2);
    seen.insert(pairs[i].ranks);
  }
  EXPECT_THAT(seen, ElementsAre(ElementsAre(0, 1), ElementsAre(0, 2), ElementsAre(0, 3), ElementsAre(1, 2),
                                ElementsAre(1, 3), ElementsAre(2, 3)));
  EXPECT_THAT(cells_of("point_to_two"), SizeIs(12));
  ASSERT_THAT(cells_of("bisection"), SizeIs(2));
  for (const Cell& cell : cells_of("bisection")) EXPECT_THAT(cell.ranks, SizeIs(4));
}

INSTANTIATE_TEST_SUITE_P(OfBoth, Ranks, testing::Values(PLUMBLINE_FLAVOURS),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace plumbline::bench
