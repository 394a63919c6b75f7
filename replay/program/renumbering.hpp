#pragma once
// From numbers of a part of a program to those of the program.

#include <array>
#include <cstdint>
#include <vector>

#include "replay/program/format.hpp"

namespace plumbline::replay {

struct Renumbering {
  std::array<std::vector<std::uint32_t>, format::kProperties> texts;  // of each table, by the number in the part
  std::vector<std::uint32_t> windows;                                 // likewise
  std::uint32_t first_own_comm = 0;                                   // those below have the same number everywhere
  std::uint32_t comms_before = 0;                                     // of the parts before
  std::uint64_t bytes_before = 0;                                     // likewise

  std::uint32_t text(format::Table table, std::uint32_t index) const {
    return index == kNone ? kNone : texts[table][index];
  }
  std::uint32_t comm(std::uint32_t index) const {
    return index == kNone || index < first_own_comm ? index : index + comms_before;
  }

  // Whether any operation may have another number in it.
  bool changes_operations() const;

  void apply(Operation& operation) const;
  void apply(IoAccess& access) const;
  void apply(InnerAccess& access) const;
  void apply(Reason& reason) const;
  void apply(format::RankEntry& rank) const;
  void apply(format::CommEntry& comm) const;
};

}  // namespace plumbline::replay
