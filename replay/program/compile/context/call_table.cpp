#include "replay/program/compile/context/call_table.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "replay/program/poll_calls.hpp"

namespace plumbline::replay {
namespace {

using archive::Paradigm;
using archive::Role;

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

template <std::size_t N>
bool begins_with(const std::array<std::string_view, N>& prefixes, std::string_view name) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// Names without "MPI_".
constexpr std::array<std::string_view, 15> kCommCreates = {"Comm_dup",
                                                           "Comm_dup_with_info",
                                                           "Comm_split",
                                                           "Comm_split_type",
                                                           "Comm_create",
                                                           "Cart_create",
                                                           "Comm_create_group",
                                                           "Cart_sub",
                                                           "Graph_create",
                                                           "Dist_graph_create",
                                                           "Comm_idup",
                                                           "Intercomm_create",
                                                           "Intercomm_merge",
                                                           "Dist_graph_create_adjacent",
                                                           "Comm_create_from_group"};

constexpr std::array<std::string_view, 6> kNoLocals = {"Comm_spawn",   "Comm_spawn_multiple", "Comm_accept",
                                                       "Comm_connect", "Comm_join",           "Comm_disconnect"};

constexpr std::array<std::string_view, 21> kLocalPrefixes = {
    "Comm_",    "Type_", "Group_", "Info_",       "Attr_",     "Keyval_",   "Errhandler_",
    "Error_",   "Op_",   "Get_",   "Status_",     "T_",        "Cart_",     "Graph_",
    "Request_", "Pack",  "Unpack", "Dist_graph_", "File_get_", "Register_", "Add_error_"};

constexpr std::array<std::string_view, 30> kLocals = {"Wtime",
                                                      "Wtick",
                                                      "Initialized",
                                                      "Finalized",
                                                      "Address",
                                                      "Alloc_mem",
                                                      "Free_mem",
                                                      "Buffer_attach",
                                                      "Buffer_detach",
                                                      "Pcontrol",
                                                      "Topo_test",
                                                      "Dims_create",
                                                      "Query_thread",
                                                      "Is_thread_main",
                                                      "Cancel",
                                                      "Test_cancelled",
                                                      "Aint_add",
                                                      "Aint_diff",
                                                      "File_set_errhandler",
                                                      "File_seek",
                                                      "File_create_errhandler",
                                                      "File_call_errhandler",
                                                      "Close_port",
                                                      "Open_port",
                                                      "Publish_name",
                                                      "Unpublish_name",
                                                      "Lookup_name",
                                                      "Win_set_name",
                                                      "Grequest_start",
                                                      "Grequest_complete"};

constexpr std::array<std::string_view, 10> kMessages = {
    "Send", "Bsend", "Rsend", "Ssend", "Recv", "Sendrecv", "Sendrecv_replace", "Mrecv", "Startall", "Start"};

constexpr std::array<std::string_view, 6> kSendPosts = {"Isend",  "Ibsend",    "Irsend",
                                                        "Issend", "Isendrecv", "Isendrecv_replace"};

constexpr std::array<std::string_view, 16> kNonBlockingNames = {
    "Ibarrier",   "Ibcast",     "Igather",     "Igatherv",        "Iscatter",
    "Iscatterv",  "Iallgather", "Iallgatherv", "Ialltoall",       "Ialltoallv",
    "Ialltoallw", "Iallreduce", "Ireduce",     "Ireduce_scatter", "Ireduce_scatter_block",
    "Iscan"};

// By Neighbourhood.
constexpr std::array<std::string_view, 5> kNeighbourhoods = {"allgather", "allgatherv", "alltoall", "alltoallv",
                                                             "alltoallw"};

std::optional<Neighbourhood> neighbourhood(std::string_view name) {
  for (const std::string_view prefix : {"Neighbor_", "Ineighbor_"}) {
    if (!name.starts_with(prefix)) continue;
    const auto found = std::ranges::find(kNeighbourhoods, name.substr(prefix.size()));
    if (found != kNeighbourhoods.end()) return static_cast<Neighbourhood>(found - kNeighbourhoods.begin());
  }
  return std::nullopt;
}

// Local without a record: what is done with MPI_PROC_NULL.
constexpr std::array<std::string_view, 14> kOneSided = {
    "Put",      "Get",        "Accumulate",  "Get_accumulate",  "Fetch_and_op",
    "Rput",     "Rget",       "Raccumulate", "Rget_accumulate", "Compare_and_swap",
    "Win_lock", "Win_unlock", "Win_flush",   "Win_flush_local"};

constexpr std::array<std::string_view, 10> kLocalWindowPrefixes = {
    "Win_attach", "Win_detach",  "Win_get_",         "Win_set_", "Win_create_",
    "Win_free_",  "Win_delete_", "Win_shared_query", "Win_test", "Win_call_"};

WindowCall window_call(std::string_view name) {
  if (name == "Win_post") return WindowCall::kPost;
  if (name == "Win_start") return WindowCall::kStart;
  if (name == "Win_complete") return WindowCall::kComplete;
  if (name == "Win_wait" || name == "Win_test") return WindowCall::kWait;
  if (name.starts_with("Win_flush_local")) return WindowCall::kFlushLocal;
  if (name.starts_with("Win_flush")) return WindowCall::kFlush;
  if (name.starts_with('R') && is_in(kOneSided, name)) return WindowCall::kWithRequest;
  return WindowCall::kOther;
}

CallShape mpi_shape(std::string_view name) {
  if (name.starts_with("Init") && name != "Initialized") return CallShape::kStartUp;
  if (name == "Finalize") return CallShape::kStartUp;
  if (name.starts_with("Wait")) return CallShape::kWait;
  if (name == "Test" || name == "Testall" || name == "Testany" || name == "Testsome" || name == "Request_get_status")
    return CallShape::kTest;
  if (name == "Irecv" || name == "Imrecv") return CallShape::kPost;
  if (name == "Probe" || name == "Mprobe" || name == "Iprobe" || name == "Improbe") return CallShape::kProbe;
  if (is_in(kCommCreates, name)) return CallShape::kCommCreate;
  if (is_in(kMessages, name) || is_in(kSendPosts, name)) return CallShape::kMessage;
  if (neighbourhood(name)) return CallShape::kNeighbourhood;
  if (is_in(kNonBlockingNames, name) || name == "Iexscan") return CallShape::kNonBlockingCollective;
  if (is_in(kOneSided, name)) return CallShape::kMessage;
  if (begins_with(kLocalWindowPrefixes, name) && name != "Win_create_dynamic") return CallShape::kLocal;
  const bool persistent = name.ends_with("_init");
  if (!is_in(kNoLocals, name) && (persistent || is_in(kLocals, name) || begins_with(kLocalPrefixes, name)))
    return CallShape::kLocal;
  return CallShape::kByRecords;
}

}  // namespace

CallTraits traits_of(std::string_view name, Paradigm paradigm, Role role) {
  CallTraits traits;
  const std::string_view full = name;
  if (name == "(open at start)") return traits;  // the tracer's own: a file that was open when the recording began
  if (name.starts_with("PMPI_")) name.remove_prefix(1);
  if (name.starts_with("MPI_")) {
    name.remove_prefix(4);
    if (name.ends_with("_c")) name.remove_suffix(2);  // with large counts, else the same
    traits.is_mpi = true;
    traits.shape = mpi_shape(name);
    traits.is_file = name.starts_with("File_");
    traits.is_sendrecv = name.find("endrecv") != std::string_view::npos;
    traits.is_synchronous = name == "Ssend" || name == "Issend";
    traits.is_buffered = name == "Bsend" || name == "Ibsend";
    traits.is_collective_file =
        traits.is_file &&
        (name.find("_all") != std::string_view::npos || name.find("_ordered") != std::string_view::npos) &&
        name != "File_preallocate";
    traits.is_finalize = name == "Finalize";
    traits.blocks = name == "Probe" || name == "Mprobe";
    traits.polls = is_poll(full);
    traits.neighbourhood = neighbourhood(name).value_or(Neighbourhood{});
    traits.sets_atomicity = name == "File_set_atomicity";
    traits.window = window_call(name);
  } else if (paradigm == Paradigm::kMpi) {
    traits.is_mpi = true;
    traits.shape = CallShape::kByRecords;
  } else if (paradigm == Paradigm::kPosixIo || role == Role::kFileIo || role == Role::kFileIoMetadata) {
    traits.shape = CallShape::kPosix;
    traits.keeps_position = full.starts_with("pread") || full.starts_with("pwrite");
  }
  return traits;
}

std::vector<CallTraits> call_table(const archive::Definitions& definitions) {
  std::vector<CallTraits> table;
  table.reserve(definitions.regions.size());
  for (const archive::Region& region : definitions.regions)
    table.push_back(traits_of(definitions.strings[region.name], region.paradigm, region.role));
  return table;
}

}  // namespace plumbline::replay
