#include "replay/program/compile/location/failures.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string_view>

#include "replay/program/compile/location/collectives.hpp"
#include "replay/program/compile/location/messages.hpp"
#include "replay/program/compile/location/references.hpp"

namespace plumbline::replay::compiling {

using archive::Event;
using archive::EventKind;

namespace {

bool refuse(LocationState& location, std::string_view error_class, std::string_view what) {
  location.call.error_class = error_class;
  Tally& tally = location.context.tally;
  if (tally.refused++ == 0) {
    const archive::Definitions& d = location.context.definitions;
    tally.first_refused = fmt::format("rank {}, event {}: {}, {}", location.rank, location.events,
                                      d.strings[d.regions[location.call.region].name], what);
  }
  return true;
}

bool refuses_asked(LocationState& location, const Event& post) {
  if (post.kind == EventKind::kMpiIrecvRequest) {
    const std::optional<Event> asked = asked_receive(location, post);
    return asked && refuses_rank(location, *asked, comm_of(location, *asked), "MPI_ERR_RANK");
  }
  const std::optional<Event> asked = asked_collective(location, post);
  if (!asked || !collective_of(asked->collective)) return false;
  const CommOfRank comm = comm_of(location, *asked);
  return !comm.is_inter && refuses_rank(location, *asked, comm, "MPI_ERR_ROOT");
}

void post_nothing(LocationState& location) { location.posts.push_back(Operation{.kind = OpKind::kUnmodelled}); }

}  // namespace

bool refuses_rank(LocationState& location, const Event& event, const CommOfRank& comm, std::string_view error_class) {
  if (event.peer == archive::kUndefined || event.peer < comm.peers) return false;
  return refuse(location, error_class, fmt::format("rank {} of a communicator of {}", event.peer, comm.peers));
}

bool refuses(LocationState& location, const Event& event) {
  switch (event.kind) {
    case EventKind::kMpiSend:
    case EventKind::kMpiIsend: {
      constexpr auto kLargest = static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max());
      const bool refused =
          refuses_rank(location, event, comm_of(location, event), "MPI_ERR_RANK") ||
          (event.tag > kLargest &&
           refuse(location, "MPI_ERR_TAG", fmt::format("tag {}", static_cast<std::int32_t>(event.tag))));
      if (refused && event.kind == EventKind::kMpiIsend) post_nothing(location);
      return refused;
    }
    case EventKind::kMpiIrecvRequest:
    case EventKind::kNonBlockingCollectiveRequest: {
      const bool refused = refuses_asked(location, event);
      if (refused) post_nothing(location);
      return refused;
    }
    case EventKind::kMpiCollectiveEnd: {
      const CommOfRank comm = comm_of(location, event);
      return !comm.is_inter && collective_of(event.collective) && refuses_rank(location, event, comm, "MPI_ERR_ROOT");
    }
    case EventKind::kRmaPut:
    case EventKind::kRmaGet:
    case EventKind::kRmaAtomic:
    case EventKind::kRmaRequestLock:
    case EventKind::kRmaReleaseLock: {
      const WindowOfRank window = window_of(location, event);
      return window.index != kNone && refuses_rank(location, event, window.comm, "MPI_ERR_RANK");
    }
    default:
      return false;
  }
}

bool has_no_effect(const LocationState& location) {
  const bool has_records = location.call.io || location.call.one_sided || location.call.send || location.call.receive ||
                           location.call.has_collective || location.call.neighbourhood ||
                           location.call.created_comm != kNone || !location.completed.empty();
  return !location.call.error_class.empty() && !has_records && location.call.traits.shape != CallShape::kStartUp;
}

void note_failure(LocationState& location, const Event* leave) {
  if (leave == nullptr) return;
  if (const archive::AttributeValue* told = find(*leave, location.context.attributes.error_class))
    location.call.error_class = location.context.definitions.strings[told->string];
}

}  // namespace plumbline::replay::compiling
