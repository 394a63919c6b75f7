// Archives with a few bytes changed, cut off or put in: reading them ends with an Error or with events, within a time
// limit, and never takes the process with it.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "tests/support/seed.hpp"
#include "tests/tracer/archive_support.hpp"

namespace plumbline::archive {
namespace {

constexpr int kMutations = 400;
constexpr unsigned kSecondsEach = 10;

std::vector<std::filesystem::path> files_of(const std::filesystem::path& archive) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(archive))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string mutated(std::string bytes, std::mt19937_64& random) {
  if (bytes.empty()) return bytes;
  const auto at = [&] { return random() % bytes.size(); };
  switch (random() % 5) {
    case 0:
      bytes.resize(at());
      break;
    case 1:
      for (std::uint64_t n = 1 + random() % 4; n != 0; --n) bytes[at()] = static_cast<char>(random());
      break;
    case 2:
      bytes[at()] ^= static_cast<char>(1U << (random() % 8));
      break;
    case 3:
      bytes.insert(at(), 1 + random() % 3, static_cast<char>(random()));
      break;
    default:
      bytes.erase(at(), 1 + random() % 16);
      break;
  }
  return bytes;
}

// In a child of its own, so that what happens to it can be told.
int status_of_reading(const std::filesystem::path& archive) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSecondsEach);
    try {
      Reader reader(archive);
      for (std::uint32_t i = 0; i < reader.definitions().locations.size(); ++i) reader.read(i, [](const Event&) {});
      _exit(0);
    } catch (const Error& error) {
      if (std::getenv("PLUMBLINE_FUZZ_VERBOSE") != nullptr) std::fprintf(stderr, "%s\n", error.what());
      _exit(3);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// Returns how many of the damaged archives were refused.
int damage(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  const test::TemporaryDirectory directory;
  const std::filesystem::path archive = directory.path() / "obs";
  test::write_archive(test::random_archive(random, 60), archive);
  const std::vector<std::filesystem::path> files = files_of(archive);
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    const std::filesystem::path& file = files[random() % files.size()];
    const std::string good = contents(file);
    const std::string bad = mutated(good, random);
    std::ofstream(file, std::ios::binary) << bad;
    const int status = status_of_reading(archive);
    EXPECT_TRUE(WIFEXITED(status)) << "mutation " << i << " of " << file << ": signal " << WTERMSIG(status);
    if (const char* keep = std::getenv("PLUMBLINE_FUZZ_KEEP"); keep != nullptr && !WIFEXITED(status))
      std::filesystem::copy(archive, keep, std::filesystem::copy_options::recursive);
    if (WIFEXITED(status)) {
      EXPECT_TRUE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3) << "mutation " << i << " of " << file;
      if (WEXITSTATUS(status) == 3) ++refused;
    }
    std::ofstream(file, std::ios::binary) << good;
  }
  std::printf("%d of %d refused\n", refused, count);
  return refused;
}

TEST(ArchiveFuzz, ADamagedArchiveNeverTakesTheProcessWithIt) {
  const std::uint64_t seed = plumbline::test::random_seed();
  const char* rounds = std::getenv("PLUMBLINE_FUZZ_ROUNDS");
  const int count = rounds != nullptr ? std::atoi(rounds) : kMutations;
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  EXPECT_GT(damage(seed, count), count / 4);
}

// What lay in memory that writing this archive had left was taken for the rest of files that were cut off.
TEST(ArchiveFuzz, MemoryThatWasUsedBeforeIsNotTakenForData) { EXPECT_GT(damage(3210173661, 40), 10); }

}  // namespace
}  // namespace plumbline::archive
