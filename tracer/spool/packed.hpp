#pragma once
// Packed payloads (end of format.h) in the shape of their layouts, so that nobody else need know them.

#include <cstdint>
#include <span>
#include <vector>

#include "tracer/spool/format/format.h"

namespace plumbline::spool {

// A poll of a run, in the shape of its layout.
struct Poll {
  std::uint16_t function = 0;
  std::uint32_t site = 0;
  std::vector<std::uint64_t> payload;
};

// What a record tells beside the call: a run of polls, which the call ended; or the first of them, if none did.
struct PollRun {
  std::uint64_t polls = 0;                                   // calls, with this one
  std::uint64_t longest_gap = 0, computed = 0, off_cpu = 0;  // ticks, as in pl_polls
  std::uint64_t long_gaps = 0, run_delay_ns = 0;
  std::vector<Poll> others;  // that were asked besides
};

class Unpacker {
 public:
  // Functions and vectors of bytes, in any order, before what refers to them. `payload` outlives this.
  void define_function(std::span<const std::uint64_t> payload);
  void note_vectors(std::uint16_t function, std::span<const std::uint64_t> payload);

  // In the shape of the function's layout, into `words`. False when a layout has no packed shape, or too few words.
  bool unpack(std::uint16_t function, bool done, std::span<const std::uint64_t> payload,
              std::vector<std::uint64_t>& words) const;

  // The same of a record with PL_POLLED. `call` becomes the function and site of the poll that ended the run, if one
  // did. False when it is damaged.
  struct Call {
    std::uint16_t function = 0;
    std::uint32_t site = 0;
  };
  bool unpack_run(Call& call, std::span<const std::uint64_t> payload, std::vector<std::uint64_t>& words,
                  PollRun& run) const;

 private:
  using Vector = std::span<const std::uint64_t>;
  void collective(std::span<const std::uint64_t> payload, std::vector<std::uint64_t>& words) const;
  Vector vector_of(std::uint64_t moved, std::span<const std::uint64_t>& lists) const;
  unsigned layout_of(std::uint16_t function) const;
  bool unpack_poll(std::uint16_t function, std::span<const std::uint64_t> payload,
                   std::vector<std::uint64_t>& words) const;

  std::vector<std::uint8_t> layouts_;  // by function
  std::vector<Vector> vectors_;        // by number
};

}  // namespace plumbline::spool
