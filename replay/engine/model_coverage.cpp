#include "replay/engine/model_coverage.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "replay/engine/replay.hpp"
#include "replay/program/set_up.hpp"

namespace plumbline::replay {

ModelCoverage::ModelCoverage(const Program& program, const hw::Platform& platform, std::string_view library)
    : program_(program), begun_(program, library) {
  for (std::uint32_t file = 0; file < program.files(); ++file) {
    const std::optional<std::uint32_t> found = hw::file_system_of(platform, std::string(program.file(file)));
    file_systems_.push_back(found);
    on_servers_.push_back(found && !platform.file_systems[*found].distribution.servers.empty());
  }
  for (std::uint32_t comm = 0; comm < program.comms(); ++comm)
    inter_.push_back(!program.comm(comm).remote_members.empty());
}

std::string_view ModelCoverage::reason_not_judged(std::uint32_t rank, std::uint32_t operation) const {
  const Operation& op = program_.rank(rank).operations[operation];
  if (op.flags & kNotJudged) return recorded_reason(rank, operation);
  switch (op.kind) {
    case OpKind::kUnmodelled:
      return "a call that the replay does not model";
    case OpKind::kCommCreate:
      return "creates a communicator: only its synchronisation is modelled";
    case OpKind::kCollective:
    case OpKind::kNonBlockingCollective:
      return inter_[op.comm] ? "a collective between two groups" : "";
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
      if (const std::string_view why = reason_not_begun(program_.rank(rank), op); !why.empty()) return why;
      [[fallthrough]];
    case OpKind::kIoOpen:
      if (op.kind == OpKind::kIoOpen && (op.flags & kIoIsMpi))
        return "opens a file through MPI: only its synchronisation is modelled";
      [[fallthrough]];
    case OpKind::kIoClose:
    case OpKind::kIoSync:
      return file_systems_[op.comm] ? "" : "on a file that no file system of the platform serves";
    case OpKind::kSend:
    case OpKind::kIsend:
    case OpKind::kRecv:
    case OpKind::kIrecv:
    case OpKind::kSendrecv:
    case OpKind::kProbe:
    case OpKind::kNeighbourhood:
    case OpKind::kNonBlockingNeighbourhood:
      return "";
    case OpKind::kWait:
      return begun_.ends_not_modelled(rank, operation) ? "waits for a collective file access that is not judged" : "";
    case OpKind::kWinCreate:
      return "makes a window: only its synchronisation is modelled";
    case OpKind::kWinFree:
    case OpKind::kWinFence:
    case OpKind::kWinPost:
    case OpKind::kWinStart:
    case OpKind::kWinComplete:
    case OpKind::kWinWait:
    case OpKind::kWinLock:
    case OpKind::kWinUnlock:
    case OpKind::kWinFlush:
    case OpKind::kWinSync:
    case OpKind::kRmaPut:
    case OpKind::kRmaGet:
    case OpKind::kRmaAccumulate:
    case OpKind::kRmaFetch:
      return "";
    case OpKind::kLocal:
    case OpKind::kIoSeek:
      return "local calls keep their observed time";
  }
  return "";
}

bool ModelCoverage::blocks(const RankProgram& rank, const Operation& op) const {
  if (!(op.flags & kNonBlocking)) return true;
  return (op.flags & kIoIsCollective) && begun_.of(rank, op) == io::NonblockingCollective::kCollective;
}

std::string_view ModelCoverage::reason_not_begun(const RankProgram& rank, const Operation& op) const {
  if (!(op.flags & kIoIsCollective) || !(op.flags & kNonBlocking)) return "";
  switch (begun_.of(rank, op)) {
    case io::NonblockingCollective::kCollective:
    case io::NonblockingCollective::kIndependent:
      return "";
    case io::NonblockingCollective::kInLaterCalls:
      return "a collective file access that ROMIO carries out in later calls";
    case io::NonblockingCollective::kNotKnown:
      return "a non-blocking collective file access of which nobody knows how it is carried out";
  }
  return "";
}

std::string_view ModelCoverage::recorded_reason(std::uint32_t rank, std::uint32_t operation) const {
  const auto reasons = program_.rank(rank).reasons;
  const auto found = std::lower_bound(reasons.begin(), reasons.end(), operation,
                                      [](const Reason& reason, std::uint32_t op) { return reason.operation < op; });
  if (found == reasons.end() || found->operation != operation) return "the recording says so";
  return program_.reason(found->text);
}

std::vector<NotJudged> not_judged(const Program& program, const hw::Platform& platform) {
  const ModelCoverage coverage(program, platform);
  std::map<std::pair<std::string_view, bool>, NotJudged> by_reason;  // and by whether it is set-up
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankProgram& own = program.rank(rank);
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const std::string_view why = coverage.reason_not_judged(rank, i);
      if (why.empty()) continue;
      NotJudged& entry = by_reason[{why, is_set_up(program, own.operations[i])}];
      ++entry.operations;
      entry.observed += own.times[i].end - own.times[i].begin;
    }
  }
  std::vector<NotJudged> all;
  for (auto& [key, entry] : by_reason) {
    entry.reason = key.first;
    entry.set_up = key.second;
    all.push_back(std::move(entry));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const NotJudged& a, const NotJudged& b) { return a.observed > b.observed; });
  return all;
}

}  // namespace plumbline::replay
