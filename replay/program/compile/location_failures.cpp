#include <fmt/format.h>

#include <limits>

#include "replay/program/compile/location_compiler.hpp"

// Calls of a location that failed: as the archive says, or as the arguments in their records show. Archives that do not
// say which calls failed have records of them as if they had been done.

namespace plumbline::replay {

using archive::Event;
using archive::EventKind;

bool LocationCompiler::refuse(std::string_view error_class, std::string_view what) {
  call_.error_class = error_class;
  Tally& tally = context_.tally;
  if (tally.refused++ == 0) {
    const archive::Definitions& d = context_.definitions;
    tally.first_refused =
        fmt::format("rank {}, event {}: {}, {}", rank_, events_, d.strings[d.regions[call_.region].name], what);
  }
  return true;
}

bool LocationCompiler::refuses_rank(const Event& event, const CommOfRank& comm, std::string_view error_class) {
  if (event.peer == archive::kUndefined || event.peer < comm.peers) return false;
  return refuse(error_class, fmt::format("rank {} of a communicator of {}", event.peer, comm.peers));
}

// Of a record that tells what the call does to others. Its call is one operation for each request that it posts.
bool LocationCompiler::refuses(const Event& event) {
  switch (event.kind) {
    case EventKind::kMpiSend:
    case EventKind::kMpiIsend: {
      constexpr auto kLargest = static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max());
      const bool refused =
          refuses_rank(event, comm_of(event), "MPI_ERR_RANK") ||
          (event.tag > kLargest && refuse("MPI_ERR_TAG", fmt::format("tag {}", static_cast<std::int32_t>(event.tag))));
      if (refused && event.kind == EventKind::kMpiIsend) posts_.push_back(Operation{.kind = OpKind::kUnmodelled});
      return refused;
    }
    case EventKind::kMpiCollectiveEnd: {
      const CommOfRank comm = comm_of(event);
      return !comm.is_inter && collective_of(event.collective) && refuses_rank(event, comm, "MPI_ERR_ROOT");
    }
    case EventKind::kRmaPut:
    case EventKind::kRmaGet:
    case EventKind::kRmaAtomic:
    case EventKind::kRmaRequestLock: {
      const WindowOfRank window = window_of(event);
      return window.index != kNone && refuses_rank(event, window.comm, "MPI_ERR_RANK");
    }
    default:
      return false;
  }
}

// Neither its records nor its name say then what it does.
bool LocationCompiler::has_no_effect() const {
  const bool has_records = call_.io || call_.one_sided || call_.send || call_.receive || call_.has_collective ||
                           call_.neighbourhood || call_.created_comm != kNone || !completed_.empty();
  return !call_.error_class.empty() && !has_records && call_.traits.shape != CallShape::kStartUp;
}

void LocationCompiler::note_failure(const Event* leave) {
  if (leave == nullptr) return;
  if (const archive::AttributeValue* told = find(*leave, context_.attributes.error_class))
    call_.error_class = context_.definitions.strings[told->string];
}

}  // namespace plumbline::replay
