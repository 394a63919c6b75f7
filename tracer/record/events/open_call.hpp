#pragma once
// A call of a thread that has been entered and not left.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "tracer/archive/model.hpp"
#include "tracer/record/definitions/facts.hpp"
#include "tracer/spool/format/payload.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::record {

struct OpenCall {
  explicit OpenCall(const spool::Record& of);

  std::span<const std::uint64_t> payload() const;
  // Its words as the struct of the layout of its function.
  template <class Payload>
  Payload as() const {
    return spool::decode<Payload>(payload());
  }
  // What follows that struct.
  template <class Payload>
  spool::Words behind() const {
    return spool::behind<Payload>(payload());
  }

  spool::Record record;
  Time begin;
  std::array<std::uint64_t, 6> few{};  // the payload where the record has it for now only
  std::vector<std::uint64_t> many;     // if it is longer
  const FunctionFact* function = nullptr;
  std::uint32_t region = archive::kUndefined;
  std::uint32_t mpi_file = 0;                  // that it works on
  std::uint32_t handle = archive::kUndefined;  // likewise
  std::uint64_t matching = 0;                  // of its I/O operation
  std::uint32_t target = archive::kUndefined;  // of a copy: the handle that is written to
  std::uint64_t target_matching = 0;
  bool is_inside = false;               // of another call; its events are those of inside
  std::uint64_t inner_records = 0;      // of an outermost call: those made inside of it
  std::uint32_t error = PL_ERROR_NONE;  // that it returned, or, of a call that never did, must have met
  bool has_effect = true;               // else only its times are told
};

}  // namespace plumbline::record
