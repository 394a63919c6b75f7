#include "tracer/record/events/failed_calls.hpp"

#include <array>

namespace plumbline::record {

std::string_view name_of_error(std::uint32_t error) {
#define PL_NAME_OF_ERROR(name) "MPI_ERR_" #name,
  static constexpr std::array<std::string_view, PL_ERRORS> kNames = {
      "", "an error of the program's own", "left by a jump",
      PL_ERRORS_OF_MPI_3(PL_NAME_OF_ERROR) PL_ERRORS_SINCE(PL_NAME_OF_ERROR)};
#undef PL_NAME_OF_ERROR
  return error < kNames.size() ? kNames[error] : "an error of unknown class";
}

bool has_effect_in_spite_of(std::uint32_t error, std::uint32_t layout) {
  switch (layout) {
    case PL_LAYOUT_WAIT:  // it tells itself what it has completed
      return true;
    case PL_LAYOUT_RECV:
    case PL_LAYOUT_SENDRECV:
      return error == PL_ERROR_TRUNCATE;
    case PL_LAYOUT_COLLECTIVE:
    case PL_LAYOUT_NEIGHBOUR:
    case PL_LAYOUT_COMM:
    case PL_LAYOUT_FILE:
    case PL_LAYOUT_FILE_VIEW:
    case PL_LAYOUT_FILE_ACCESS:
      return error == PL_ERROR_TRUNCATE || error == PL_ERROR_OTHER || error == PL_ERROR_INTERN ||
             error == PL_ERROR_UNKNOWN || error == PL_ERROR_OF_PROGRAM || error == PL_ERROR_IO ||
             error == PL_ERROR_NO_SPACE || error == PL_ERROR_QUOTA;
    default:
      return false;
  }
}

namespace {

// The ranks that a call on a communicator, or a window, can name; nothing where the recording does not tell.
std::optional<std::size_t> peers_of_comm(std::uint32_t comm, const ProcessFacts& facts) {
  const auto fact = facts.comms.find(comm);
  if (fact == facts.comms.end() || fact->second.size == 0) return {};
  return fact->second.remote.empty() ? fact->second.size : fact->second.remote.size();
}

std::optional<std::size_t> peers_of_window(std::uint32_t window, const ProcessFacts& facts) {
  const auto fact = facts.windows.find(window);
  return fact == facts.windows.end() ? std::nullopt : peers_of_comm(fact->second.comm, facts);
}

bool is_beyond(std::int32_t rank, const std::optional<std::size_t>& peers) {
  return rank >= 0 && peers && static_cast<std::size_t>(rank) >= *peers;
}

// Negative ranks that mean something are there by our numbers: any source of receives and probes, and MPI_PROC_NULL.
std::uint32_t refused_destination(std::int32_t rank, std::int32_t tag, std::uint32_t comm, const ProcessFacts& facts) {
  if (comm == PL_COMM_NULL) return PL_ERROR_COMM;
  if ((rank < 0 && rank != PL_PROC_NULL) || is_beyond(rank, peers_of_comm(comm, facts))) return PL_ERROR_RANK;
  return tag < 0 && rank != PL_PROC_NULL ? PL_ERROR_TAG : PL_ERROR_NONE;
}

std::uint32_t refused_source(std::int32_t rank, std::int32_t tag, std::uint32_t comm, const ProcessFacts& facts) {
  if (comm == PL_COMM_NULL) return PL_ERROR_COMM;
  if (rank < PL_PROC_NULL || is_beyond(rank, peers_of_comm(comm, facts))) return PL_ERROR_RANK;
  return tag < PL_ANY_TAG && rank != PL_PROC_NULL ? PL_ERROR_TAG : PL_ERROR_NONE;
}

std::uint32_t refused_root(std::int32_t root, std::uint32_t comm, const ProcessFacts& facts) {
  constexpr std::int32_t kMpiRoot = -3;  // -1: a collective without a root
  if (comm == PL_COMM_NULL) return PL_ERROR_COMM;
  return root < kMpiRoot || is_beyond(root, peers_of_comm(comm, facts)) ? PL_ERROR_ROOT : PL_ERROR_NONE;
}

std::uint32_t refused_target(std::int32_t rank, std::uint32_t window, const ProcessFacts& facts) {
  if (window == 0) return PL_ERROR_WIN;
  return rank < PL_PROC_NULL || is_beyond(rank, peers_of_window(window, facts)) ? PL_ERROR_RANK : PL_ERROR_NONE;
}

std::uint32_t refused_exchange(const pl_sendrecv_payload& both, const ProcessFacts& facts) {
  const std::uint32_t send = refused_destination(both.dest, both.send_tag, both.comm, facts);
  return send != PL_ERROR_NONE ? send : refused_source(both.source, both.tag, both.comm, facts);
}

}  // namespace

std::uint32_t refusal_of(const FunctionFact& function, spool::Words payload, const ProcessFacts& facts) {
  switch (function.layout) {
    case PL_LAYOUT_SEND: {
      const auto send = spool::decode<pl_send_payload>(payload);
      return refused_destination(send.dest, send.tag, send.comm, facts);
    }
    case PL_LAYOUT_RECV: {
      const auto recv = spool::decode<pl_recv_payload>(payload);
      return refused_source(recv.source, recv.tag, recv.comm, facts);
    }
    case PL_LAYOUT_PROBE: {
      const auto probe = spool::decode<pl_probe_payload>(payload);
      return refused_source(probe.source, probe.tag, probe.comm, facts);
    }
    case PL_LAYOUT_SENDRECV:
    case PL_LAYOUT_ISENDRECV:  // what is looked at lies in the same places
      return refused_exchange(spool::decode<pl_sendrecv_payload>(payload), facts);
    case PL_LAYOUT_COLLECTIVE: {
      const auto moved = spool::decode<pl_collective_payload>(payload);
      return refused_root(moved.root, moved.comm, facts);
    }
    case PL_LAYOUT_NEIGHBOUR:
      return spool::decode<pl_neighbour_payload>(payload).comm == PL_COMM_NULL ? PL_ERROR_COMM : PL_ERROR_NONE;
    case PL_LAYOUT_WIN_SYNC: {
      const auto sync = spool::decode<pl_win_sync_payload>(payload);
      return refused_target(sync.rank, sync.window, facts);
    }
    case PL_LAYOUT_RMA: {
      const auto rma = spool::decode<pl_rma_payload>(payload);
      return refused_target(rma.target, rma.window, facts);
    }
    default:
      return PL_ERROR_NONE;
  }
}

}  // namespace plumbline::record
