#pragma once
// Which regions of an archive are program-level calls, and what kind each is as far as its name tells. The records
// inside a call say the rest.

#include <cstdint>
#include <string_view>
#include <vector>

#include "replay/program/program.hpp"
#include "tracer/archive/model.hpp"

namespace plumbline::replay {

enum class CallShape : std::uint8_t {
  kRegion,     // no call: a function of the program; what it calls are calls of their own
  kByRecords,  // what the records inside say; nothing known without them
  kLocal,      // needs nobody else
  kMessage,    // a message; local without a record (MPI_PROC_NULL)
  kPost,       // MPI_Irecv: may lack the record of its post
  kWait,
  kTest,
  kNonBlockingCollective,
  kCommCreate,
  kStartUp,  // MPI_Init, MPI_Finalize
  kPosix,
  kNeighbourhood,  // described by attributes of its Enter
  kProbe,          // likewise, and of its Leave
};

// Of one-sided communication, what its records do not tell apart.
enum class WindowCall : std::uint8_t { kOther, kPost, kStart, kComplete, kWait, kFlush, kFlushLocal, kWithRequest };

struct CallTraits {
  CallShape shape = CallShape::kRegion;
  bool is_mpi = false;
  bool is_file = false;  // MPI_File_..: POSIX I/O inside it is recorded
  bool is_sendrecv = false;
  bool is_synchronous = false;      // Ssend, Issend
  bool is_buffered = false;         // Bsend, Ibsend
  bool is_collective_file = false;  // .._all, .._ordered
  bool keeps_position = false;      // pread, pwrite: the descriptor's position stays
  bool is_finalize = false;
  bool blocks = false;          // of probes: they end with a message
  bool polls = false;           // asks, and returns at once: tests, and probes that do not block
  bool sets_atomicity = false;  // of a file
  Neighbourhood neighbourhood = {};
  WindowCall window = WindowCall::kOther;
};

CallTraits traits_of(std::string_view name, archive::Paradigm paradigm, archive::Role role);

// By region.
std::vector<CallTraits> call_table(const archive::Definitions& definitions);

}  // namespace plumbline::replay
