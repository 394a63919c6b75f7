#pragma once
// Random archives, of everything whose number in a program depends on what other ranks have met before.

#include <cstdint>
#include <filesystem>

namespace plumbline::replay {

struct RandomArchive {
  std::uint64_t seed = 1;
  std::uint32_t ranks = 4, calls = 40;  // of each rank at most
  std::uint32_t hints = 3;              // different ones
  bool only_opens_files = false;        // so many calls, each with hints
  std::uint32_t first_bad_rank = ~0U;   // from it on each has found a message of a rank that is not there
};

void write_random_archive(const std::filesystem::path& directory, const RandomArchive& archive);

}  // namespace plumbline::replay
