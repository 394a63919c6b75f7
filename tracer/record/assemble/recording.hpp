#pragma once
// A spool of the run that is assembled.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tracer/record/launch/ends.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::record {

struct Recording {
  std::unique_ptr<spool::Spool> spool;  // not loaded: by whoever decodes it
  std::uint32_t rank = 0;               // of processes without MPI: a number behind all ranks
  bool is_server = false;               // recorded without MPI
  std::string end;                      // ends.hpp
  std::optional<EndNote> note;          // of its parent
  std::uint32_t threads = 0;            // of the spool, once anybody has loaded it
  bool is_own = false;                  // loaded and decoded by this process
};

// By --ranks.
inline bool is_left_out(const spool::Spool& spool) { return spool.header().end == PL_END_LEFT_OUT; }

}  // namespace plumbline::record
