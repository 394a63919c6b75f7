#pragma once
// Packed payloads (end of format.h) in the shape of their layouts, so that nobody else need know them.

#include <cstdint>
#include <span>
#include <vector>

#include "tracer/spool/format.h"

namespace plumbline::spool {

class Unpacker {
 public:
  // Functions and vectors of bytes, in any order, before what refers to them. `payload` outlives this.
  void define_function(std::span<const std::uint64_t> payload);
  void note_vectors(std::uint16_t function, std::span<const std::uint64_t> payload);

  // In the shape of the function's layout, into `words`. False when a layout has no packed shape, or too few words.
  bool unpack(std::uint16_t function, bool done, std::span<const std::uint64_t> payload,
              std::vector<std::uint64_t>& words) const;

 private:
  using Vector = std::span<const std::uint64_t>;
  void collective(std::span<const std::uint64_t> payload, std::vector<std::uint64_t>& words) const;
  Vector vector_of(std::uint64_t moved, std::span<const std::uint64_t>& lists) const;

  std::vector<std::uint8_t> layouts_;  // by function
  std::vector<Vector> vectors_;        // by number
};

}  // namespace plumbline::spool
