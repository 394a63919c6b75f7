#pragma once
// Operations whose other end is not in the recording: it belonged to another thread, to a rank or to a time that was
// not recorded, or to a process that died. A replay would wait for it for ever. Asked only of recordings
// that say that something is missing: in others it is a fault, which is told. Of equal messages the first find each
// other; of collectives of a communicator, those that all of its ranks have.

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "replay/program/program.hpp"

namespace plumbline::replay {

class UnmatchedOperations {
 public:
  enum Part : std::uint8_t { kNothing = 0, kSends = 1, kReceives = 2, kGathers = 4 };
  static constexpr std::string_view kReason =
      "its other end is not in the recording: of another thread, or not recorded, or of a process that died";

  explicit UnmatchedOperations(const Program& program);

  // What of the operation nobody answers: of a sendrecv either part, or both.
  std::uint8_t of(std::uint32_t rank, std::uint32_t operation) const;
  bool any() const;

 private:
  struct Found {
    std::uint32_t operation = 0;
    std::uint8_t parts = kNothing;
  };
  void add(std::uint32_t rank, std::uint32_t operation, std::uint8_t part);

  std::vector<std::vector<Found>> ranks_;  // ascending
};

// The recording says itself that something is missing: otherwise what nobody answers is a fault of the program, or of
// ours.
bool says_it_is_incomplete(const Program& program);

}  // namespace plumbline::replay
