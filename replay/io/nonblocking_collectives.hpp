#pragma once
// Collective accesses that do not block: who carries them out, and when. It is the library's choice, and of some it is
// not modelled. Rules and sources: docs/models/mpi-io.md, "Calls that do not block".

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "replay/io/settings.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::io {

enum class NonblockingCollective : std::uint8_t {
  kCollective,    // by all ranks, in the call that begins it, as the blocking form: its request is complete then
  kIndependent,   // by each rank for itself, as a non-blocking access that is not collective
  kInLaterCalls,  // by all ranks, in whatever calls of MPI come later
  kNotKnown,
};

// `alone`: the hints in force switch collective buffering off for it.
NonblockingCollective begun_collective(MpiIoLibrary library, std::string_view call, bool alone);

// Of a program.
class NonblockingCollectives {
 public:
  // `library`: as for file_settings().
  NonblockingCollectives(const Program& program, std::string_view library);

  // Of a collective operation that does not block.
  NonblockingCollective of(const RankProgram& rank, const Operation& op) const;
  // Whether it is a wait for an access that is not modelled: what is left of that comes to pass in it.
  bool ends_not_modelled(std::uint32_t rank, std::uint32_t operation) const {
    return !waits_.empty() && std::ranges::binary_search(waits_[rank], operation);
  }

 private:
  struct Choice {
    MpiIoLibrary library = MpiIoLibrary::kUnknown;
    bool reads_alone = false, writes_alone = false;  // ROMIO without collective buffering
  };

  Choice choice(std::uint16_t hints, std::string_view library) const;
  void find_waits(std::uint32_t rank);

  const Program& program_;
  std::map<std::uint16_t, Choice> choices_;        // by hints of such operations
  std::vector<std::vector<std::uint32_t>> waits_;  // by rank, ascending; empty: there are none
};

}  // namespace plumbline::replay::io
