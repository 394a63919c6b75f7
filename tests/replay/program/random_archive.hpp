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
};

void write_random_archive(const std::filesystem::path& directory, const RandomArchive& archive);

}  // namespace plumbline::replay
