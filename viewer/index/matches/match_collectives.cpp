#include <algorithm>
#include <map>
#include <utility>

#include "viewer/index/matches/match_parts.hpp"
#include "viewer/index/matches/series.hpp"

namespace plumbline::viewer {
namespace {

using replay::Collective;
using replay::kNone;
using replay::Operation;
using replay::OpKind;
using replay::Program;
using replay::RankProgram;

class Collectives {
 public:
  Collectives(const Program& program, Matches& matches, const Scratch& scratch)
      : program_(program), matches_(matches), scratch_(scratch), of_comm_(program.comms(), kNone) {}

  void run() {
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) take(rank);
    for (Series& series : matches_.series) series.first.push_back(static_cast<std::uint32_t>(series.calls.size()));
    std::ranges::sort(matches_.series, {}, key_of);
    for (std::uint32_t i = 0; i < matches_.series.size(); ++i) find_awaited(i);
  }

 private:
  void take(std::uint32_t rank) {
    const auto operations = program_.rank(rank).operations;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      const std::optional<SeriesKey> key = series_key(program_, {rank, i});
      if (!key) continue;
      Series& series = series_of(*key);
      if (series.ranks.empty() || series.ranks.back() != rank) {
        series.ranks.push_back(rank);
        series.first.push_back(static_cast<std::uint32_t>(series.calls.size()));
      }
      series.calls.push_back(i);
    }
  }

  Series& series_of(const SeriesKey& key) {
    const auto [of, comm, object] = key;
    std::uint32_t& known = of == SeriesOf::kComm ? of_comm_[comm] : others_.try_emplace(key, kNone).first->second;
    if (known == kNone) {
      known = static_cast<std::uint32_t>(matches_.series.size());
      matches_.series.push_back({of, comm, object, {}, {}, KeptColumn<std::uint32_t>(scratch_)});
    }
    return matches_.series[known];
  }

  void find_awaited(std::uint32_t index) {
    const Series& series = matches_.series[index];
    const auto begin_of = [this](OperationId id) { return program_.rank(id.rank).times[id.operation].begin; };
    const std::vector<OperationId> last = last_arrivals(series, begin_of);
    for (std::size_t place = 0; place < series.ranks.size(); ++place) {
      const auto calls = series.calls_of(place);
      for (std::uint32_t n = 0; n < calls.size(); ++n) {
        const OperationId id{series.ranks[place], calls[n]};
        matches_.ranks[id.rank].partner[id.operation] = awaited(program_, matches_, id, {index, n}, last[n], begin_of);
      }
    }
  }

  const Program& program_;
  Matches& matches_;
  const Scratch& scratch_;
  std::vector<std::uint32_t> of_comm_;         // index into series, before they are sorted
  std::map<SeriesKey, std::uint32_t> others_;  // likewise
};

}  // namespace

bool is_gathering(const Operation& op) {
  if (replay::exchanges_data(op.kind) || op.kind == OpKind::kCommCreate || replay::is_win_collective(op.kind))
    return true;
  return replay::is_io(op.kind) && (op.flags & replay::kIoIsMpi) != 0 && (op.flags & replay::kIoIsCollective) != 0;
}

std::optional<SeriesKey> series_key(const Program& program, OperationId id) {
  const RankProgram& own = program.rank(id.rank);
  const Operation& op = own.operations[id.operation];
  if (!is_gathering(op)) return std::nullopt;
  if (replay::is_win_collective(op.kind)) return SeriesKey{SeriesOf::kWindow, program.windows()[op.comm].comm, op.comm};
  if (!replay::is_io(op.kind)) return SeriesKey{SeriesOf::kComm, op.comm, 0};
  if (op.extra == kNone || own.accesses[op.extra].comm == kNone) return std::nullopt;
  return SeriesKey{SeriesOf::kFile, own.accesses[op.extra].comm, op.comm};
}

std::uint32_t root_of(const Program& program, OperationId id) {
  const Operation& op = program.rank(id.rank).operations[id.operation];
  if (!replay::is_data_collective(op.kind) || op.peer < 0) return kNone;
  const replay::CommView comm = program.comm(op.comm);
  if (!comm.remote_members.empty()) return kNone;  // who the root is each group tells otherwise
  const auto root = static_cast<std::size_t>(op.peer);
  return root < comm.members.size() ? comm.members[root] : kNone;
}

bool is_from_root(const Operation& op) {
  const auto kind = static_cast<Collective>(op.tag);
  return replay::is_data_collective(op.kind) && (kind == Collective::kBcast || kind == Collective::kScatter);
}

OperationId call_of(const Series& series, std::uint32_t number, std::uint32_t rank) {
  const auto found = std::ranges::lower_bound(series.ranks, rank);
  if (found == series.ranks.end() || *found != rank) return {};
  const auto calls = series.calls_of(static_cast<std::size_t>(found - series.ranks.begin()));
  return number < calls.size() ? OperationId{rank, calls[number]} : OperationId{};
}

void match_collectives(const Program& program, Matches& matches, const Scratch& scratch) {
  Collectives(program, matches, scratch).run();
}

}  // namespace plumbline::viewer
