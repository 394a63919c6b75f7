#pragma once
// What a program must satisfy so that a replay can walk through it without looking: asked once, when it is opened.

#include <cstdint>
#include <span>
#include <string>

#include "replay/program/rank_program.hpp"
#include "replay/program/records.hpp"

namespace plumbline::replay {

// What records of ranks point to by index: so many of each.
struct ProgramTables {
  std::span<const CommView> comms;
  std::span<const Window> windows;
  std::uint32_t calls = 0, sites = 0, files = 0, layouts = 0, nodes = 0, reasons = 0, hint_texts = 0;
};

// The first fault of that rank, "operation 7: no such communicator"; "" when there is none.
std::string fault_of(const RankProgram& program, std::uint32_t rank, const ProgramTables& tables);

}  // namespace plumbline::replay
