// What the storage families must give, tried inside of an MPI job. No absolute time is asserted.

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "bench/ranks/storage/clients.hpp"
#include "bench/ranks/storage/families.hpp"
#include "bench/ranks/storage/timed_calls.hpp"
#include "bench/results/storage_cells.hpp"
#include "tests/bench/mpi_cases.hpp"

namespace {

using namespace plumbline::bench;
using plumbline::Error;
using plumbline::test::directory;
using plumbline::test::rank;
using plumbline::test::size;

// Two ranks to a node, as if there were several.
Places places_in_pairs() {
  Places places;
  for (int i = 0; i < size; ++i) places.node_of.push_back(static_cast<std::uint32_t>(i / 2));
  for (int i = 0; i < (size + 1) / 2; ++i) places.hosts.push_back(fmt::format("n{}", i));
  return places;
}

Request small(const std::string& operation, std::vector<std::uint64_t> sizes = {0}) {
  Request request;
  request.operation = operation;
  request.sizes = std::move(sizes);
  request.words["directory"] = directory;
  request.numbers["most_mib"] = 16;
  request.effort.warm_up = 1;
  request.effort.least = 6;
  request.effort.most = 12;
  request.effort.budget_s = 1;
  request.keep_ranks = true;
  return request;
}

struct Given {
  std::vector<Cell> cells;
  std::vector<std::string> notes;
};

Given measured(const Family& family, const Request& request) {
  Given given;
  const Places places = places_in_pairs();
  const auto keeps = [](auto keep) {
    return [keep](auto value) {
      if (rank == 0) keep(std::move(value));
    };
  };
  const Context context{MPI_COMM_WORLD, places, 7, keeps([&](Cell cell) { given.cells.push_back(std::move(cell)); }),
                        keeps([&](std::string_view note) { given.notes.emplace_back(note); })};
  family.measure(context, request);
  return given;
}

void expect_whole(const Cell& cell) {
  const std::string call = cell.words.at(cells::kCall);
  EXPECT(!cell.seconds.empty(), "{}", call);
  EXPECT(cell.flags.size() == cell.seconds.size(), "{}", call);
  EXPECT(std::all_of(cell.seconds.begin(), cell.seconds.end(), [](double s) { return s > 0; }), "{}", call);
  EXPECT(cell.of_ranks.empty() || cell.of_ranks.size() == cell.seconds.size() * cell.ranks.size(), "{}", call);
  EXPECT(cell.words.at(cells::kDirectory) == directory, "{}", cell.words.at(cells::kDirectory));
  EXPECT(!cell.words.at(cells::kMountPoint).empty(), "{}", call);
}

void expect_nothing_left() {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) EXPECT(std::filesystem::is_empty(directory), "files are left");
}

void calls() {
  const Given given = measured(kStorageCallsFamily, small("storage_calls", {1, 65'536}));
  expect_nothing_left();
  std::map<std::pair<std::string, double>, std::set<std::uint64_t>> seen;  // call and clients: sizes
  for (const Cell& cell : given.cells) {
    expect_whole(cell);
    seen[{cell.words.at(cells::kCall), cell.numbers.at(cells::kClients)}].insert(cell.bytes);
    if (cell.words.at(cells::kCall) == kDeviceWrite && cell.bytes == 1)
      EXPECT(cell.words.at(cells::kDevice) == cells::kSynced, "{}", cell.words.at(cells::kDevice));
  }
  if (rank != 0) return;
  for (const std::uint32_t clients : client_counts(static_cast<std::uint32_t>(size)))
    for (const std::string_view call : {kCachedWrite, kCachedRead, kDeviceWrite, kDeviceRead, kSyncDirty})
      EXPECT((seen[{std::string(call), clients}] == std::set<std::uint64_t>{1, 65'536}), "{} of {}", call, clients);
  EXPECT((seen[{std::string(kSyncClean), 1}] == std::set<std::uint64_t>{0}), "sync-clean");
}

void seeks() {
  Request request = small("storage_seek", {4096, 65'536});
  request.numbers["file_mib"] = 4;
  request.numbers["threads"] = 2;
  request.words["nodes"] = "all";
  const Given given = measured(kStorageSeekFamily, request);
  expect_nothing_left();
  std::map<std::string, std::set<double>> distances, threads;
  for (const Cell& cell : given.cells) {
    expect_whole(cell);
    const std::string node = cell.words.at(cells::kNode);
    EXPECT(cell.ranks == std::vector<std::uint32_t>{node == "n0" ? 0U : 2U}, "{}", node);
    if (cell.numbers.contains(cells::kDistance)) distances[node].insert(cell.numbers.at(cells::kDistance));
    if (cell.numbers.contains(cells::kThreads)) threads[node].insert(cell.numbers.at(cells::kThreads));
  }
  if (rank != 0) return;
  EXPECT(distances.size() == static_cast<std::size_t>((size + 1) / 2), "{} nodes", distances.size());
  for (const auto& [node, of_node] : distances)
    EXPECT((of_node == std::set<double>{0, 65'536, 131'072, 262'144, 524'288, 1'048'576, 2'097'152}), "of {}", node);
  EXPECT((threads["n0"] == std::set<double>{1, 2}), "threads");
}

void cache() {
  Request request = small("storage_cache");
  request.numbers["fill_mib"] = 8;
  const Given given = measured(kStorageCacheFamily, request);
  expect_nothing_left();
  if (rank != 0) return;
  std::map<std::string, std::vector<std::uint64_t>> bytes;
  for (const Cell& cell : given.cells) {
    expect_whole(cell);
    bytes[cell.words.at(cells::kCall)].push_back(cell.bytes);
    if (cell.words.at(cells::kCall) == cells::kFillWrite) EXPECT(cell.seconds.size() == 8, "{}", cell.seconds.size());
    EXPECT(cell.numbers.at(cells::kToldLimit) > 0, "the kernel tells its limit");
  }
  EXPECT((bytes[cells::kFillWrite] == std::vector<std::uint64_t>{1U << 20}), "chunk");
  EXPECT((bytes[cells::kFillSync] == std::vector<std::uint64_t>{8U << 20}), "sync");
  EXPECT((bytes[cells::kReadAgain] == std::vector<std::uint64_t>{4U << 20, 8U << 20}), "read again");
}

void metadata() {
  const Given given = measured(kStorageMetadataFamily, small("storage_metadata"));
  expect_nothing_left();
  std::set<std::tuple<std::string, std::string, double>> seen;
  for (const Cell& cell : given.cells) {
    expect_whole(cell);
    seen.insert({cell.words.at(cells::kCall), cell.words.at(cells::kWhere), cell.numbers.at(cells::kClients)});
  }
  if (rank != 0) return;
  EXPECT(seen.size() == given.cells.size(), "each once");
  EXPECT(seen.size() == 5 * 2 * client_counts(static_cast<std::uint32_t>(size)).size(), "{} cells", seen.size());
}

// The second rank takes 20 ms longer: the time of a repetition is that of the slowest, and what is prepared is not
// timed.
void timing() {
  const TimedCall call{[] { usleep(30'000); }, [] { usleep(rank == 1 ? 20'000 : 0); }};
  Effort effort;
  effort.warm_up = 0, effort.least = 4, effort.most = 4, effort.stop = "count";
  const std::vector<CallTimes> times = time_calls(MPI_COMM_WORLD, {&call, 1}, effort);
  if (rank != 0) return;
  EXPECT(times.front().seconds.size() == 4, "{} repetitions", times.front().seconds.size());
  const auto ranks = static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < times.front().seconds.size(); ++i) {
    EXPECT(times.front().seconds[i] >= 0.020, "{} s", times.front().seconds[i]);
    EXPECT(times.front().seconds[i] == *std::max_element(times.front().of_ranks.begin() + i * ranks,
                                                         times.front().of_ranks.begin() + (i + 1) * ranks),
           "the slowest of its repetition");
  }
  std::vector<double> sorted = times.front().seconds;
  std::sort(sorted.begin(), sorted.end());
  EXPECT(sorted.front() < 0.050, "preparing takes 30 ms of its own, and was timed: {} s", sorted.front());
}

std::string error_of(const std::function<void()>& part) {
  try {
    part();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// What one rank cannot, all ranks say.
void failures() {
  const TimedCall call{{}, [] {
                         if (rank == 1) throw Error("here", "is full", "make room");
                       }};
  const std::string one = error_of([&] {
    all_or_none(MPI_COMM_WORLD, [&] {
      EXPECT(time_calls(MPI_COMM_WORLD, {&call, 1}, Effort{}).empty(), "nothing where another failed");
    });
  });
  EXPECT(one == "rank 1: here: is full; make room", "'{}'", one);
  Request request = small("storage_calls", {4096});
  request.words["calls"] = "cached-write device-wirte";
  const std::string word = error_of([&] { measured(kStorageCallsFamily, request); });
  EXPECT(word.find("unknown 'device-wirte'") != word.npos, "'{}'", word);
  request = small("storage_calls", {4096});
  request.words["directory"] = directory + "/not-there";
  const std::string missing = error_of([&] { measured(kStorageCallsFamily, request); });
  EXPECT(missing.find("not-there") != missing.npos, "'{}'", missing);
  const std::string odd = error_of([&] { measured(kStorageSeekFamily, small("storage_seek", {100})); });
  EXPECT(odd.find("multiples of 4096") != odd.npos, "'{}'", odd);
  request = small("storage_cache");
  request.numbers["most_mib"] = 0.5;
  const std::string little = error_of([&] { measured(kStorageCacheFamily, request); });
  EXPECT(little.find("most_mib") != little.npos, "'{}'", little);
  expect_nothing_left();
}

// Nodes in turn, so that few clients are on many nodes.
void order() {
  Places places;
  places.hosts = {"n0", "n1", "n2"};
  places.node_of = {0, 0, 0, 1, 1, 2};
  EXPECT((client_order(places) == std::vector<std::uint32_t>{0, 3, 5, 1, 4, 2}), "order");
  EXPECT((client_counts(6) == std::vector<std::uint32_t>{1, 2, 4, 6}), "counts");
  EXPECT((client_counts(4) == std::vector<std::uint32_t>{1, 2, 4}), "counts");
  EXPECT((client_counts(1) == std::vector<std::uint32_t>{1}), "counts");
}

}  // namespace

int main(int argc, char** argv) {
  return plumbline::test::run_cases(argc, argv,
                                    {{"calls", calls},
                                     {"seeks", seeks},
                                     {"cache", cache},
                                     {"metadata", metadata},
                                     {"timing", timing},
                                     {"failures", failures},
                                     {"order", order}});
}
