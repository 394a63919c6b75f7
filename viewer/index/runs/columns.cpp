#include "viewer/index/runs/columns.hpp"

#include <algorithm>
#include <utility>

#include "replay/compare/result/excess.hpp"
#include "replay/compare/tally.hpp"
#include "replay/program/poll_calls.hpp"

namespace plumbline::viewer {
namespace {

using replay::OpKind;

// By the begin of the name, the first that fits; for calls whose operation says nothing of what they are for.
CallKind kind_by_name(std::string_view call) {
  static constexpr std::pair<std::string_view, CallKind> kPrefixes[] = {
      {"MPI_File_", CallKind::kMpiIo},
      {"MPI_Win_", CallKind::kOneSided},
      {"MPI_Wait", CallKind::kWait},
      {"MPI_Test", CallKind::kWait},
      {"MPI_Request_get_status", CallKind::kWait},
      {"MPI_Parrived", CallKind::kWait},
      {"MPI_Comm_create", CallKind::kCommunicators},
      {"MPI_Comm_dup", CallKind::kCommunicators},
      {"MPI_Comm_idup", CallKind::kCommunicators},
      {"MPI_Comm_split", CallKind::kCommunicators},
      {"MPI_Comm_free", CallKind::kCommunicators},
      {"MPI_Cart_create", CallKind::kCommunicators},
      {"MPI_Graph_create", CallKind::kCommunicators},
      {"MPI_Dist_graph_create", CallKind::kCommunicators},
      {"MPI_Intercomm_", CallKind::kCommunicators},
  };
  for (const auto& [prefix, kind] : kPrefixes)
    if (call.starts_with(prefix)) return kind;
  return CallKind::kOther;
}

// Blocking, non-blocking and persistent forms of a call are of one kind: without "MPI_", and without the letter that
// tells the form.
CallKind kind_by_stem(std::string_view call) {
  static constexpr std::string_view kMessages[] = {"send",  "recv",   "ssend", "bsend",    "rsend",
                                                   "probe", "mprobe", "mrecv", "sendrecv", "start"};
  static constexpr std::string_view kCollectives[] = {"barrier",   "bcast",    "gather",  "scatter",
                                                      "allgather", "alltoall", "reduce",  "allreduce",
                                                      "scan",      "exscan",   "neighbor"};
  static constexpr std::string_view kTransfers[] = {"put",          "get",  "accumulate", "get_accumulate",
                                                    "fetch_and_op", "rput", "rget"};
  std::string stem(call.substr(4));
  if (!stem.empty()) stem[0] = static_cast<char>(stem[0] | 0x20);
  const auto begins = [&](std::string_view word) {
    return std::string_view(stem).starts_with(word) ||
           (stem[0] == 'i' && std::string_view(stem).substr(1).starts_with(word));
  };
  const auto is = [&](std::string_view word) { return stem == word; };
  if (stem == "reduce_local") return CallKind::kOther;
  if (std::ranges::any_of(kTransfers, is)) return CallKind::kOneSided;
  if (std::ranges::any_of(kMessages, begins)) return CallKind::kPointToPoint;
  if (std::ranges::any_of(kCollectives, begins)) return CallKind::kCollective;
  return CallKind::kOther;
}

CallKind kind_of_name(std::string_view call) {
  if (!call.starts_with("MPI_")) return CallKind::kPosix;
  const CallKind kind = kind_by_name(call);
  return kind == CallKind::kOther ? kind_by_stem(call) : kind;
}

// kOther: the name of the call has to tell.
CallKind kind_of_record(const replay::Operation& operation) {
  if (is_io(operation.kind)) return operation.flags & replay::kIoIsMpi ? CallKind::kMpiIo : CallKind::kPosix;
  if (is_one_sided(operation.kind)) return CallKind::kOneSided;
  if (exchanges_data(operation.kind)) return CallKind::kCollective;
  switch (operation.kind) {
    case OpKind::kWait:
      return CallKind::kWait;
    case OpKind::kCommCreate:
      return CallKind::kCommunicators;
    case OpKind::kLocal:
    case OpKind::kUnmodelled:
      return CallKind::kOther;
    default:
      return CallKind::kPointToPoint;
  }
}

// Without what the name of the call tells: failed polls.
bool may_be_judged(const replay::Operation& operation, const replay::ExpectedRank& expected, std::uint32_t index) {
  return (operation.flags & replay::kNotJudged) == 0 && expected.not_judged[index] == replay::kNone &&
         operation.kind != OpKind::kCommCreate && operation.kind != OpKind::kWinCreate &&
         operation.kind != OpKind::kUnmodelled;
}

}  // namespace

CallKind kind_of(const replay::Program& program, const replay::Operation& operation) {
  const CallKind kind = kind_of_record(operation);
  return kind == CallKind::kOther ? kind_of_name(program.call(operation.call)) : kind;
}

bool is_judged(const Runs& runs, std::uint32_t rank, std::uint32_t index) {
  if (!runs.is_compared()) return false;
  const replay::Operation& operation = runs.observed.rank(rank).operations[index];
  if (!may_be_judged(operation, runs.expected->ranks[rank], index)) return false;
  return operation.kind != OpKind::kLocal || !replay::is_poll(runs.observed.call(operation.call));
}

std::string_view why_not_judged(const Runs& runs, std::uint32_t rank, std::uint32_t operation) {
  if (!runs.is_compared()) return "";
  const std::string_view reason = replay::reason_not_judged(runs.observed, *runs.expected, rank, operation);
  return reason.empty() ? "how many polls find nothing is chance" : reason;
}

CallFacts facts_of_calls(const replay::Program& program) {
  CallFacts facts;
  for (std::uint32_t call = 0; call < program.calls(); ++call) {
    const std::string_view name = program.call(static_cast<std::uint16_t>(call));
    facts.kind.push_back(kind_of_name(name));
    facts.is_poll.push_back(replay::is_poll(name) ? 1 : 0);
  }
  return facts;
}

RankColumns::RankColumns(const Runs& runs, const CallFacts& calls, std::uint32_t rank)
    : calls_(&calls), program_(&runs.observed.rank(rank)) {
  if (runs.is_compared()) expected_ = &runs.expected->ranks[rank];
  if (rank < runs.marks.size()) marks_ = runs.marks[rank].data();
}

CallKind RankColumns::kind(std::uint32_t index) const {
  const replay::Operation& operation = program_->operations[index];
  const CallKind kind = kind_of_record(operation);
  return kind == CallKind::kOther ? calls_->kind[operation.call] : kind;
}

bool RankColumns::is_judged(std::uint32_t index) const {
  if (expected_ == nullptr) return false;
  const replay::Operation& operation = program_->operations[index];
  if (!may_be_judged(operation, *expected_, index)) return false;
  return operation.kind != OpKind::kLocal || calls_->is_poll[operation.call] == 0;
}

Duration RankColumns::own(std::uint32_t index) const {
  const replay::OperationTimes& times = program_->times[index];
  return replay::excess_over(times.end - times.begin, expected_->lower[index], expected_->upper[index]);
}

Duration RankColumns::inherited(std::uint32_t index, Duration own) const {
  const replay::OperationTimes& times = program_->times[index];
  const replay::OperationTimes& free = expected_->free[index];
  return times.end - times.begin - own - (free.end - free.begin);
}

Facts RankColumns::of(std::uint32_t index) const {
  Facts facts;
  facts.kind = kind(index);
  if (marks_ != nullptr) facts.marks = marks_[index];
  if (!is_judged(index)) return facts;
  facts.own = own(index);
  facts.inherited = inherited(index, facts.own);
  const Duration band = expected_->band[index];
  if (facts.own <= band && -facts.own <= band) facts.own = {};
  return facts;
}

}  // namespace plumbline::viewer
