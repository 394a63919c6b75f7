#include "replay/program/compile/location/references.hpp"

#include <fmt/format.h>

#include <optional>

namespace plumbline::replay::compiling {

using archive::Event;

CommOfRank comm_of(LocationState& location, const Event& event) {
  if (const CommOfRank* known = location.comms.find(event.comm)) return *known;
  const std::optional<CommOfRank> comm = location.context.comm(event.comm, location.rank);
  if (!comm) fail(location, "a communicator that the archive does not define");
  return location.comms.put(event.comm, *comm);
}

std::int32_t peer_of(const LocationState& location, const Event& event, const CommOfRank& comm) {
  if (event.peer == archive::kUndefined) return kNoPeer;
  if (event.peer >= comm.peers) fail(location, fmt::format("rank {} of a communicator of {}", event.peer, comm.peers));
  return static_cast<std::int32_t>(event.peer);
}

WindowOfRank window_of(LocationState& location, const Event& event) {
  if (const WindowOfRank* known = location.windows.find(event.window)) return *known;
  const archive::Definitions& definitions = location.context.definitions;
  if (event.window >= definitions.windows.size()) fail(location, "a window that the archive does not define");
  WindowOfRank window;
  Event of_comm;
  of_comm.comm = definitions.windows[event.window].comm;
  if (of_comm.comm < definitions.comms.size()) {
    window.comm = comm_of(location, of_comm);
    if (!window.comm.is_inter && window.comm.own != kNone)
      window.index = location.context.window(event.window, window.comm);
  }
  return location.windows.put(event.window, window);
}

}  // namespace plumbline::replay::compiling
