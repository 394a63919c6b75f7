#pragma once
// A collective access as the library carries it out: what the ranks tell each other, whether they collect, and the
// rounds if they do. docs/models/mpi-io.md.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "replay/io/pattern.hpp"
#include "replay/io/rounds.hpp"
#include "replay/io/settings.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::io {

inline constexpr std::uint64_t kListEntryBytes = 16;  // offset and length of a piece

// Something that all ranks do beside the exchange of data.
struct CollectiveExchange {
  enum class Kind : std::uint8_t {
    kCollective,  // of the communicator
    kLists,       // each rank sends its list of pieces to the aggregators that own some of them
    kToFirst,     // of a group: each rank sends `bytes` to its aggregator
    kFromFirst,   // and the other way
  };
  Kind kind = Kind::kCollective;
  Collective collective = Collective::kBarrier;
  std::uint64_t sent = 0, received = 0;      // of a rank
  std::vector<std::uint64_t> per_rank = {};  // allgatherv: from each rank; kToFirst, kFromFirst: likewise
};

struct Participant {
  std::string_view processor;  // MPI_Get_processor_name
  const ViewMap* view = nullptr;
};

struct LibraryCall {
  std::vector<CollectiveExchange> before;  // it is known whether ranks collect
  bool alone = false;                      // they do not: each accesses the file itself, and that is all
  std::vector<CollectiveExchange> opening, each_round, closing;
  bool reads_first = false;  // in a round: what aggregators do before the exchange also comes before each_round
  Rounds rounds;
  std::uint64_t list_bytes = 0, list_messages = 1;  // of kLists: bytes of a piece; messages that they are
  // Of a rank in rounds.aggregators(); kNone: it is none.
  std::vector<std::uint32_t> aggregator_of;
};

// Whether the ranks access the file themselves whatever they want of it: then they tell each other nothing.
bool is_always_alone(const FileSettings& settings, hw::Access kind, std::uint32_t ranks);

// `settings` and `patterns` outlive it; patterns and participants: of each rank of the communicator.
LibraryCall library_call(const FileSettings& settings, hw::Access kind, std::span<const Pattern> patterns,
                         std::span<const Participant> participants);

}  // namespace plumbline::replay::io
