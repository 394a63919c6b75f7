#pragma once
// The first pass over a spool: everything that explains its records. Grows with the number of definitions, file
// openings, file views and late ends of inner messages, not with the number of calls.

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracer/record/definitions/datatypes.hpp"
#include "tracer/record/definitions/mounts.hpp"
#include "tracer/record/definitions/symbols.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::record {

struct FunctionFact {
  std::string name;
  std::uint32_t layout = PL_LAYOUT_NONE;
};

struct SiteFact {
  std::uint64_t address = 0;
  std::size_t mappings = 0;  // index into ProcessFacts::mappings
};

struct CommFact {
  std::uint32_t parent = 0, sequence = 0;
  std::uint32_t size = 0;                      // as stated; there may be more members than a record can list
  std::vector<std::uint32_t> members, remote;  // world ranks
  std::string name;
  std::vector<std::uint32_t> neighbours_to, neighbours_from;  // ranks in it, PL_PROC_NULL as it is
};

// A persistent request: what a start of it means.
struct PersistentFact {
  FunctionFact function;  // that made it, with the layout of the payload
  std::vector<std::uint64_t> payload;
};

// MPI_Pcontrol, or a limit of the user's, switched recording on or off.
struct SwitchFact {
  std::uint64_t ticks = 0;
  bool on = false;
};

// A window, as this rank has it.
struct WindowFact {
  std::uint32_t comm = 0, kind = 0, sequence = 0;
  std::uint64_t bytes = 0, unit = 1;
  std::string name;
};

struct Hints {
  std::string asked, in_force;
  std::uint64_t from = std::numeric_limits<std::uint64_t>::max();  // ticks, where the call may not be recorded
};

struct ViewFact {
  std::uint64_t from = 0;  // ticks: holds for what begins later
  std::int64_t displacement = 0;
  std::uint32_t etype = 0, filetype = 0;
};

struct MpiFileFact {
  std::uint32_t comm = 0, path = 0;
  std::vector<Hints> hints;  // after the opening, and after each set_view and set_info
  std::vector<ViewFact> views;
};

struct DescriptorFact {
  std::int32_t fd = -1;
  std::uint32_t path = 0;
  std::uint64_t from = 0;  // ticks
};

// PL_DEF_INNER_PEER: this process has sent to `receiver`, by that context, in which it has that rank.
struct InnerPeerFact {
  std::uint32_t context = 0, own_rank = 0, receiver = 0;
  std::uint64_t ticks = 0;
};

// PL_LAYOUT_INNER_END: the message of that number was complete then.
struct InnerEndFact {
  std::uint32_t number = 0;
  std::uint64_t ticks = 0;
  std::int32_t peer = 0, tag = 0;
  std::uint64_t bytes_flags = 0;
};

struct ProcessFacts {
  std::map<std::uint32_t, FunctionFact> functions;
  std::map<std::uint32_t, SiteFact> sites;
  std::vector<std::vector<Mapping>> mappings;
  std::map<std::uint32_t, CommFact> comms;
  std::map<std::uint32_t, std::string> paths;
  std::map<std::uint32_t, MpiFileFact> mpi_files;
  std::map<std::uint32_t, PersistentFact> persistents;
  std::map<std::uint32_t, WindowFact> windows;
  std::vector<SwitchFact> switches;         // by time, off first and then in turns
  std::vector<DescriptorFact> descriptors;  // only where opening may be on another thread or not recorded, by time
  std::map<std::string, std::string> meta;
  std::map<std::string, std::string> components;  // loaded_components(), for whoever has no mappings
  std::vector<InnerPeerFact> inner_peers;
  std::vector<InnerEndFact> inner_ends;  // by number and time
  Mounts mounts;
  std::vector<pl_clock_reading> readings;
  Datatypes datatypes;
  std::optional<std::uint64_t> first_tick;  // of the first record
  std::uint64_t last_tick = 0;
  std::uint64_t records = 0;                              // calls
  std::uint64_t announced = 0;                            // of these: files that were open at the start
  std::optional<std::uint64_t> window_end;                // ticks: the user does not want what the program calls later
  std::uint64_t dropped_calls = 0, dropped_segments = 0;  // that have given way to newer ones

  // Whether what a record refers to may be missing without any damage.
  bool has_gaps() const { return !switches.empty() || dropped_segments > 0; }

  const FunctionFact& function(std::uint32_t id) const;
};

ProcessFacts collect_facts(const spool::Spool& spool);

}  // namespace plumbline::record
