#pragma once
// What the compilation of all locations of an archive shares: look-ups made once, and what was found on the way.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/scratch.hpp"
#include "replay/program/compile/context/call_table.hpp"
#include "replay/program/compile/context/tally.hpp"
#include "replay/program/program.hpp"
#include "tracer/archive/model.hpp"

namespace plumbline::replay {

// Attributes by index in the archive's definitions; kNone where it has none of that name.
struct AttributeIds {
  explicit AttributeIds(const archive::Definitions& definitions);

  std::uint32_t site, offset, absolute_offset, layout, view_position, posted_source, posted_tag, comm, waits,
      poll_computed, unfinished, run_delay, send_mode, counts_sent, counts_received, buffer_bytes, collective, root,
      bytes_sent, bytes_received, hints, call, belongs_to, unknown_bytes, inner_records, neighbours_sent,
      neighbours_received, request, completed, window, window_kind, target, assertion, found_source, found_tag,
      error_class;
};

// The value of that attribute of the event, if it has one.
inline const archive::AttributeValue* find(const archive::Event& event, std::uint32_t attribute) {
  for (const archive::AttributeValue& value : event.attributes)
    if (value.attribute == attribute) return &value;
  return nullptr;
}

// The index that an attribute tells. One that does not fit is that of nothing, not the one of its lower bits.
inline std::uint32_t index_of(const archive::AttributeValue& value) {
  return value.u64 <= archive::kUndefined ? static_cast<std::uint32_t>(value.u64) : archive::kUndefined - 1;
}

// A communicator as one rank sees it.
struct CommOfRank {
  std::uint32_t index = kNone;  // in the program
  std::uint32_t size = 0;       // of its (local) group
  std::uint32_t peers = 0;      // ranks that a message can name
  std::uint32_t own = kNone;    // the rank's number in it
  bool is_inter = false;
};

// Locations with calls, of processes that are ranks, beside the one that speaks for the rank.
std::uint64_t other_threads(const archive::Definitions& definitions);

class CompileContext {
 public:
  // Defines the communicators in `builder`: 0 is the world, then the archive's others.
  CompileContext(const archive::Definitions& definitions, std::string where, ProgramBuilder& builder);

  std::uint16_t call(std::uint32_t region);
  std::uint32_t site(archive::StringId text);
  std::uint32_t layout(archive::StringId notation);
  std::uint32_t file(std::uint32_t handle);
  std::uint16_t hints(archive::StringId lines);
  std::optional<CommOfRank> comm(std::uint32_t comm, std::uint32_t rank);  // nothing for one that is not defined
  // In the program, of a window of the archive on the communicator that the rank sees.
  std::uint32_t window(std::uint32_t window, const CommOfRank& comm);

  const archive::Definitions& definitions;
  const std::string where;  // the archive, for messages
  const Scratch scratch;    // beside it: what grows with the operations of the rank in hand
  ProgramBuilder& builder;
  const AttributeIds attributes;
  const std::vector<CallTraits> calls;  // by region
  const std::vector<bool> contexts;     // by communicator of the archive: its messages are inside of calls
  const bool is_ours;                   // recorded by Plumbline
  const bool has_other_threads;         // which may complete each other's requests
  bool all_finalized = true;            // as far as the archive tells
  Tally tally;

 private:
  std::vector<std::uint32_t> call_names_, sites_, layouts_, files_,
      hints_;                           // by region, string, string, handle, string; kNone: not yet
  std::vector<std::uint32_t> comms_;    // by communicator of the archive
  std::vector<std::uint32_t> windows_;  // by window of the archive; kNone: not yet
};

}  // namespace plumbline::replay
