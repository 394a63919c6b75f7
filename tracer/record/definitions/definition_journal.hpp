#pragma once
// What a registry of definitions was asked for, in order, for another one to follow: several processes that assemble
// one archive number its definitions as one process would.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/team/bytes.hpp"

namespace plumbline::record {

struct DefinitionJournal {
  enum class Entry : std::uint8_t { kString, kRegion, kComm, kContext, kWindow, kGroup, kFile, kHandles };

  ByteWriter out;
  std::size_t comms_before = 0;                  // its number of communicators when it began
  std::vector<bool> noted_strings, noted_comms;  // by number

  // Whether it is asked for the first time.
  static bool is_first(std::vector<bool>& noted, std::uint32_t number) {
    if (number >= noted.size()) noted.resize(number + std::size_t{1});
    const bool is_first = !noted[number];
    noted[number] = true;
    return is_first;
  }
};

}  // namespace plumbline::record
