#pragma once
// How a rank ended: what it said of it in its spool, and what its parent saw. A parent of ours (the keeper of a rank,
// `record` of a program without a launcher) leaves an end note beside the spool, HOST.PID.spool.end. Nobody else knows
// which signal ended a process, and nothing is claimed of it then.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tracer/record/launch/child.hpp"
#include "tracer/spool/format/format.h"

namespace plumbline::record {

struct EndNote {
  int status = 0;  // exit status, where no signal ended it
  int signal = 0;
  std::uint64_t realtime_ns = 0;  // when its parent saw it
};

// Writes the note of a child that has just ended beside the spool that it left in `directory`; nothing when it left
// none there. A note that cannot be written is no fault: the end is not known then.
void write_end_note(const std::filesystem::path& directory, const ProgramEnd& end);

std::filesystem::path end_note_of(const std::filesystem::path& spool);
// Nothing when there is none. Throws Error when there is one that is not whole.
std::optional<EndNote> read_end_note(const std::filesystem::path& spool);

// Whether the process of a spool still runs, on this node.
bool still_runs(const pl_file_header& header);

// "finalized", "killed by signal 11 (SIGSEGV)", ..: docs/reference/trace-format-properties.md.
std::string end_text(const pl_file_header& header, const std::optional<EndNote>& note, bool runs);

// "signal 11 (SIGSEGV)".
std::string signal_text(int signal);

}  // namespace plumbline::record
