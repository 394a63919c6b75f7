#pragma once
// What a replay keeps of accesses to files that are under way.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "hwmodels/storage/storage.hpp"
#include "replay/collectives/collective_plan.hpp"
#include "replay/engine/distributed_files.hpp"
#include "replay/engine/model_coverage.hpp"
#include "replay/engine/replay.hpp"
#include "replay/io/collective_calls.hpp"
#include "replay/io/independent.hpp"
#include "replay/io/library_call.hpp"
#include "replay/io/lock_table.hpp"
#include "replay/io/plan.hpp"
#include "replay/io/settings.hpp"

namespace plumbline::replay::engine {

// A collective access, which its ranks share until the last of them has left it.
struct SharedAccess {
  std::uint32_t left = 0;             // ranks that have left
  io::CollectivePlan plan;            // of the ideal form
  std::vector<io::Pattern> patterns;  // of the library's form
  io::LibraryCall library;
  bool is_made = false;
  std::map<const io::CollectiveExchange*, collectives::CollectivePlan*>
      exchanges;  // algorithms of the library's collectives, where known

  // Rounds that not all ranks have left.
  struct LiveRound {
    io::Round round;
    std::uint32_t left = 0;
  };
  std::deque<LiveRound> rounds;
  std::uint64_t first_round = 0;
  std::vector<io::Round> spare;

  io::Round& round(std::uint64_t number);
  void leave_round(std::uint64_t number, std::uint32_t ranks);
};

// Those under way, by communicator and number of the call there.
class SharedAccesses {
 public:
  SharedAccess& of(std::uint32_t comm, std::uint32_t number) { return accesses_[{comm, number}]; }
  void leave(std::uint32_t comm, std::uint32_t number, std::uint32_t ranks);

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, SharedAccess> accesses_;  // addresses stay
};

// A rank in an access as its library carries it out.
struct LibraryWork {
  enum class Stage : std::uint8_t {
    kBefore,
    kAlone,
    kOpening,
    kReadFirst,  // from here on in each round
    kExchanges,
    kReadHole,
    kExchange,
    kWaitSubmitted,
    kWrite,
    kClosing,
    kOver
  };
  const io::FileSettings* settings = nullptr;
  SharedAccess* shared = nullptr;  // null: the rank is alone from the beginning
  std::uint32_t comm = 0, number = 0, own = 0;
  std::uint32_t sequence = 0;  // of the messages beside collectives
  Stage stage = Stage::kOver;
  std::size_t step = 0;  // of the stage
  std::uint64_t round = 0;
  io::IndependentAccess alone;
};

// What a rank does to files.
struct FileCalls {
  io::Accesses accesses;         // of the operation in hand, still to be done
  std::uint32_t collective = 0;  // number of the collective access in hand on its communicator
  bool in_call = false;          // the rank waits for a call
  std::uint32_t file = 0;        // of the submitted ones
  io::FileOperations submitted;  // by aio_write, from `begun` on still to be done, one after the other
  std::size_t begun = 0;
  bool waits_for_submitted = false;
  std::uint32_t sequence = 0;  // of its calls
};

// Settings by file, hints and flags of accesses; addresses stay.
using SettingsTable = std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>, io::FileSettings>;

struct FileState {
  FileState(const Program& program, const hw::Platform& platform, const ReplayOptions& options,
            const ModelCoverage& coverage);

  hw::Storage storage;  // local file systems
  const io::FileViews views;
  const io::CollectiveCalls collective;
  const io::Patterns patterns;
  SharedAccesses shared;
  SettingsTable settings;
  std::vector<io::LockTable> locks;  // by file
  std::vector<LibraryWork> works;    // by rank; empty in the ideal form, and without files
  std::vector<FileCalls> calls;      // by rank; empty without files
  std::vector<FileCall> served;      // scratch of serve_files()
};

}  // namespace plumbline::replay::engine
