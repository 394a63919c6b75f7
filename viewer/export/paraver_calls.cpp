#include "viewer/export/paraver_calls.hpp"

#include <algorithm>

#include "replay/program/poll_calls.hpp"

namespace plumbline::viewer::paraver {
namespace {

using replay::OpKind;

struct Numbered {
  std::uint32_t first;  // of the names, which follow each other
  std::string_view names;
};

// Without "MPI_".
constexpr std::array<Numbered, 4> kNumbers = {{
    {1,
     "Send Recv Isend Irecv Wait Waitall Bcast Barrier Reduce Allreduce Alltoall Alltoallv Gather Gatherv Scatter "
     "Scatterv Allgather Allgatherv Comm_rank Comm_size Comm_create Comm_dup Comm_split Comm_group Comm_free "
     "Comm_remote_group Comm_remote_size Comm_test_inter Comm_compare Scan Init Finalize Bsend Ssend Rsend Ibsend "
     "Issend Irsend Test Cancel Sendrecv Sendrecv_replace Cart_create Cart_shift Cart_coords Cart_get Cart_map "
     "Cart_rank Cart_sub Cartdim_get Dims_create Graph_get Graph_map Graph_create Graph_neighbors Graphdims_get "
     "Graph_neighbors_count Topo_test Waitany Waitsome Probe Iprobe Win_create Win_free Put Get Accumulate Win_fence "
     "Win_start Win_complete Win_post Win_wait Win_test Win_lock Win_unlock Pack Unpack Op_create Op_free "
     "Reduce_scatter"},
    {96, "Intercomm_create Intercomm_merge"},
    {107,
     "Get_processor_name Initialized Wtick Wtime Address Bsend_init Buffer_attach Buffer_detach Request_free "
     "Recv_init Send_init Get_count Get_elements Pack_size Rsend_init Ssend_init Start Startall Testall Testany "
     "Test_cancelled Testsome"},
    {141,
     "File_open File_close File_read File_read_all File_write File_write_all File_read_at File_read_at_all "
     "File_write_at File_write_at_all Comm_spawn Comm_spawn_multiple Request_get_status Ireduce Iallreduce "
     "Ibarrier Ibcast Ialltoall Ialltoallv Iallgather Iallgatherv Igather Igatherv Iscatter Iscatterv "
     "Ireduce_scatter Iscan Reduce_scatter_block Ireduce_scatter_block Alltoallw Ialltoallw Get_accumulate"},
}};

// 0: not numbered.
std::uint32_t number_in(const Numbered& numbered, std::string_view name) {
  std::uint32_t number = numbered.first;
  for (std::string_view rest = numbered.names; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == name) return number;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return 0;
}

std::uint32_t value_of(std::string_view call, std::uint16_t index) {
  if (call == "read") return 1;
  if (call == "write") return 2;
  std::uint32_t value = 0;
  if (call.starts_with("MPI_"))
    for (const Numbered& numbered : kNumbers) value = std::max(value, number_in(numbered, call.substr(4)));
  return value != 0 ? value : 1000U + index;
}

// Extrae has what tests and starts requests among the others.
bool is_other(std::string_view call) {
  return call.starts_with("MPI_Test") || call.starts_with("MPI_Start") || call.starts_with("MPI_Request_");
}

std::uint32_t type_of(std::string_view call, CallKind kind) {
  if (is_other(call)) return kOther;
  switch (kind) {
    case CallKind::kPointToPoint:
    case CallKind::kWait:
      return kPointToPoint;
    case CallKind::kCollective:
      return kCollective;
    case CallKind::kMpiIo:
      return kMpiIo;
    case CallKind::kPosix:
      return kPosix;
    case CallKind::kOneSided:
      return kOneSided;
    default:
      return kOther;
  }
}

std::uint32_t state_of_wait(std::string_view call) { return replay::is_poll(call) ? 6U : 8U; }

}  // namespace

std::vector<CallEvent> events_of_calls(const replay::Program& program) {
  const CallFacts facts = facts_of_calls(program);
  std::vector<CallEvent> events;
  for (std::uint32_t i = 0; i < program.calls(); ++i) {
    const auto index = static_cast<std::uint16_t>(i);
    const std::string_view call = program.call(index);
    events.push_back({type_of(call, facts.kind[i]), value_of(call, index)});
  }
  return events;
}

std::uint32_t state_of(const replay::Program& program, const replay::Operation& operation) {
  const std::string_view call = program.call(operation.call);
  switch (operation.kind) {
    case OpKind::kSend:
      return 4;
    case OpKind::kRecv:
      return 3;
    case OpKind::kIsend:
      return 10;
    case OpKind::kIrecv:
      return 11;
    case OpKind::kSendrecv:
      return 16;
    case OpKind::kProbe:
      return 6;
    case OpKind::kWait:
      return state_of_wait(call);
    default:
      break;
  }
  if (replay::is_data_collective(operation.kind) &&
      operation.tag == static_cast<std::int32_t>(replay::Collective::kBarrier))
    return 5;
  switch (kind_of(program, operation)) {
    case CallKind::kCollective:
      return 13;
    case CallKind::kMpiIo:
    case CallKind::kPosix:
      return 12;
    case CallKind::kOneSided:
      return 20;
    case CallKind::kWait:
      return state_of_wait(call);
    default:
      return 15;
  }
}

}  // namespace plumbline::viewer::paraver
