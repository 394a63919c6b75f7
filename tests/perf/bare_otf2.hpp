#pragma once
// What libotf2 itself takes to read and to write, without anything of ours: the floor below which no tool gets that
// reads or writes an archive with it.

#include <cstdint>
#include <filesystem>

namespace plumbline::perf {

struct BareCost {
  double seconds = 0;  // CPU
  std::uint64_t events = 0;
};

// Every location, one after the other, with callbacks that do nothing.
BareCost read_bare(const std::filesystem::path& archive);

// The events of `archive`, from memory, without definitions. What it takes to get them there is not counted.
BareCost write_bare(const std::filesystem::path& archive, const std::filesystem::path& directory);

}  // namespace plumbline::perf
