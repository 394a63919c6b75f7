// The examples as they are: the same result on any number of ranks and under any MPI.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "base/process/child.hpp"
#include "bench/storage/scratch.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Flavour {
  const char* name;
  std::vector<std::string> launcher, environment;
};

void PrintTo(const Flavour& flavour, std::ostream* out) { *out << flavour.name; }

std::vector<Flavour> flavours() {
  std::vector<Flavour> result;
#ifdef PLUMBLINE_HAS_openmpi
  result.push_back({"openmpi",
                    {"mpirun.openmpi", "--oversubscribe"},
                    {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}});
#endif
#ifdef PLUMBLINE_HAS_mpich
  result.push_back({"mpich", {"mpirun.mpich"}, {}});
#endif
  return result;
}

class Examples : public ::testing::TestWithParam<Flavour> {
 protected:
  // What the example prints.
  std::string run(const std::string& name, int ranks, const std::vector<std::string>& arguments) {
    const fs::path log = scratch_.path() / ("log" + std::to_string(runs_++));
    std::vector<std::string> command = GetParam().launcher;
    command.insert(command.end(), {"-n", std::to_string(ranks), PLUMBLINE_EXAMPLES "/" + name + "-" + GetParam().name});
    command.insert(command.end(), arguments.begin(), arguments.end());
    Child child(command, GetParam().environment, log);
    while (child.running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(child.failure(), "") << contents(log);
    return contents(log);
  }

  ScratchDirectory scratch_{fs::temp_directory_path()};

 private:
  int runs_ = 0;
};

TEST_P(Examples, JacobiGivesTheSameOnAnyNumberOfRanksAndWithAnyHints) {
  const std::string expected = "60 iterations, residual 0.00400148111404941, checksum f45dd0e40caa693d\n";
  std::string plate;
  for (const int ranks : {1, 2, 4}) {
    const fs::path file = scratch_.path() / std::to_string(ranks);
    std::vector<std::string> arguments = {"--rows", "101",     "--columns", "37",     "--iterations",
                                          "60",     "--every", "30",        "--file", file.string()};
    if (ranks == 2) arguments.insert(arguments.end(), {"--hint", "romio_cb_write=disable", "--hint", "cb_nodes=1"});
    EXPECT_EQ(run("jacobi", ranks, arguments), expected) << ranks;
    EXPECT_EQ(fs::file_size(file), 101U * 37 * 8);
    if (plate.empty()) plate = contents(file);
    EXPECT_EQ(contents(file), plate) << ranks;
  }
}

TEST_P(Examples, SmallOnesRun) {
  EXPECT_EQ(run("ring", 3, {"10"}), "10 rounds of 3 ranks: 30\n");
  EXPECT_EQ(run("late_sender", 3, {"1"}), "10 steps of 3 ranks: 30\n");
  EXPECT_EQ(run("posix_writer", 2, {(scratch_.path() / "own").string(), "4", "100"}), "800 bytes written, 200 read\n");
  EXPECT_THAT(run("hello_io", 3, {(scratch_.path() / "hello").string()}),
              HasSubstr("3 ranks; my neighbour says: hello from rank 1"));
}

// The sum of keys, each times its place, of the keys that sort.c makes for its last iteration.
std::uint64_t checksum_of_sorted(std::uint32_t keys, std::uint32_t iteration) {
  std::vector<std::uint32_t> all(keys);
  for (std::uint32_t i = 0; i < keys; ++i) {
    std::uint32_t h = i * 2654435761U + iteration;
    h = (h ^ (h >> 16U)) * 0x85ebca6bU;
    h = (h ^ (h >> 13U)) * 0xc2b2ae35U;
    all[i] = (h ^ (h >> 16U)) >> 12U;
  }
  std::ranges::sort(all);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < keys; ++i) sum += all[i] * (i + 1);
  return sum;
}

TEST_P(Examples, SortPutsTheKeysOfAllRanksInOrder) {
  for (const std::uint32_t keys : {3U, 20000U})
    for (const int ranks : {1, 2, 4})
      EXPECT_EQ(run("sort", ranks, {std::to_string(keys), "3"}),
                fmt::format("{} keys, 3 times, checksum {:016x}\n", keys, checksum_of_sorted(keys, 2)))
          << ranks;
}

TEST_P(Examples, WavefrontHasTheLastCellThatFollowsFromItsEdges) {
  for (const int ranks : {1, 2, 4})
    EXPECT_EQ(run("wavefront", ranks, {"30", "50", "4"}),
              "30 rows, 50 columns, 4 iterations: the last cell is 312, as it must be\n")
        << ranks;
}

TEST_P(Examples, FastestMeasuresOnceAndReadsItsChoicesFromThenOn) {
  const std::string file = (scratch_.path() / "broadcasts").string();
  const std::string measured = run("fastest", 2, {file}), read = run("fastest", 2, {file});
  EXPECT_THAT(measured, HasSubstr("measuring: " + file + ": cannot be read"));
  EXPECT_THAT(measured, HasSubstr("20 broadcasts to 2 ranks, 0 numbers wrong\n"));
  EXPECT_THAT(read, HasSubstr("choices of " + file));
  const auto table = [](const std::string& printed) { return printed.substr(printed.find("from ")); };
  EXPECT_EQ(table(read), table(measured));
  EXPECT_THAT(run("fastest", 1, {file}), HasSubstr("was measured with 2 ranks on 1 node "));
}

INSTANTIATE_TEST_SUITE_P(Mpi, Examples, ::testing::ValuesIn(flavours()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace plumbline::bench
