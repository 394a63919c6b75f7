#pragma once
// What every rank of a recorded run was doing at its end, or at the moment when its user stopped it: calls in flight,
// messages under way, collectives reached. Read out of an archive; ranks are those of MPI_COMM_WORLD.

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/units.hpp"

namespace plumbline::record {

struct Receive {
  std::uint32_t comm = 0;
  std::optional<std::uint32_t> source, tag;  // nothing: any
  std::uint64_t request = 0;                 // 0: blocking
};

struct Send {
  std::uint32_t comm = 0, dest = 0, tag = 0;
  std::uint64_t bytes = 0;
  bool synchronous = false;
};

// Where ranks meet. `id`: communicator; I/O handle; file and function together; nothing.
struct Place {
  enum class Kind : std::uint8_t { kComm, kFileAccess, kFileCall, kFinalize };
  Kind kind = Kind::kComm;
  std::string file_call;  // "MPI_File_close /data/x"
  std::uint32_t id = 0;

  auto operator<=>(const Place&) const = default;
};

struct Collective {
  Place place;
  std::uint32_t comm = 0;    // whose members take part
  std::string name;          // of the function that began it
  std::uint64_t number = 0;  // of this call among the rank's calls at the place, from 1; 0: they are not counted
};

struct FileRequest {};  // asynchronous I/O
struct Unknown {};

// What a call in flight waits for.
using Need = std::variant<Unknown, FileRequest, Receive, Send, Collective>;

struct CallInFlight {
  std::string name, site, path;
  std::string inner;  // a call that it made and that is in flight too
  std::string error;  // class of the error that it must have met: MPI's default error handler ended the process in it
  Time begin;
  std::vector<Need> needs;  // empty: no other rank, as far as is known
  bool any = false;         // one of them is enough
  bool is_wait = false;     // for requests
  bool polls = false;       // returns at once, but the program calls it again and again
};

struct LastCall {
  std::string name, site;
  Time end;
};

struct ThreadState {
  std::optional<CallInFlight> in_flight;
  std::optional<LastCall> last;  // that returned
};

struct RankState {
  std::string end;            // PLUMBLINE::END
  std::optional<Time> ended;  // where it is known
  std::vector<ThreadState> threads;
  std::map<Place, std::uint64_t> reached;     // calls begun, by place
  std::map<std::uint64_t, Receive> receives;  // posted by requests, not completed
  std::map<std::uint64_t, Send> sends;        // likewise
  std::map<std::uint64_t, Collective> collectives;

  bool recorded() const { return !threads.empty(); }
  // Recording stopped before its end: what it did then is not known.
  bool recording_stopped() const { return end.starts_with("recording stopped"); }
};

struct Channel {
  std::uint32_t comm = 0, source = 0, dest = 0, tag = 0;

  auto operator<=>(const Channel&) const = default;
};

struct Traffic {
  std::uint64_t sent = 0, received = 0;
};

struct CommMembers {
  std::string name;
  std::vector<std::uint32_t> ranks;  // of both groups
};

struct EndState {
  std::optional<Time> stopped;  // the moment that this is about; else each rank's end
  Time end;                     // of the trace
  std::vector<RankState> ranks;
  std::vector<CommMembers> comms;
  std::map<Channel, Traffic> channels;
  bool incomplete = false;  // calls were not recorded: what is said of messages may be wrong
};

// Reads the whole archive. Throws Error when it cannot be read.
EndState read_end_state(const std::filesystem::path& archive);

}  // namespace plumbline::record
