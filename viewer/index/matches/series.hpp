#pragma once
// Which series of collective calls an operation belongs to, and which of an instance's calls the others waited for.

#include <optional>
#include <tuple>
#include <vector>

#include "replay/program/program.hpp"
#include "viewer/index/matches/matches.hpp"

namespace plumbline::viewer {

using SeriesKey = std::tuple<SeriesOf, std::uint32_t, std::uint32_t>;  // members of Series

inline SeriesKey key_of(const Series& series) { return {series.of, series.comm, series.object}; }

// Nothing of an operation that is no collective call.
std::optional<SeriesKey> series_key(const replay::Program& program, OperationId id);

// The instance of a collective call.
std::optional<Instance> instance_of(const replay::Program& program, const Matches& matches, OperationId id);

// By instance: the call that began last at these times; of equal ones that of the lowest rank. `begin_of(id)`: its
// Time.
template <class BeginOf>
std::vector<OperationId> last_arrivals(const Series& series, BeginOf begin_of) {
  std::vector<OperationId> last;
  for (std::size_t place = 0; place < series.ranks.size(); ++place) {
    const auto calls = series.calls_of(place);
    if (calls.size() > last.size()) last.resize(calls.size());
    for (std::size_t n = 0; n < calls.size(); ++n) {
      const OperationId call{series.ranks[place], calls[n]};
      if (!last[n].exists() || begin_of(call) > begin_of(last[n])) last[n] = call;
    }
  }
  return last;
}

// The rank whose call all others wait for or send to; kNone where there is none.
std::uint32_t root_of(const replay::Program& program, OperationId id);
bool is_from_root(const replay::Operation& operation);
// The call of this rank in the instance, if it made one.
OperationId call_of(const Series& series, std::uint32_t number, std::uint32_t rank);

// Whom an operation of a collective call waited for, where `last` is the last of its instance:
//   from one to all (bcast, scatter): the root's call
//   from all to one (reduce, gather): on the root the last, on the others the root's
//   with neighbours: the last of those that it receives from
//   else the last
// (the wait states "late broadcast", "early reduce" and "wait at N x N": Wolf and Mohr, Euro-Par 2003).
template <class BeginOf>
OperationId awaited(const replay::Program& program, const Matches& matches, OperationId id, Instance instance,
                    OperationId last, BeginOf begin_of) {
  const Series& series = matches.series[instance.series];
  const replay::RankProgram& own = program.rank(id.rank);
  const replay::Operation& op = own.operations[id.operation];
  if (replay::is_neighbourhood(op.kind)) {
    OperationId latest;
    for (const replay::Neighbour& neighbour : own.receives_from(op)) {
      const OperationId call =
          call_of(series, instance.number, replay::peers_of(program.comm(op.comm), id.rank)[neighbour.rank]);
      if (call.exists() && (!latest.exists() || begin_of(call) > begin_of(latest))) latest = call;
    }
    return latest;
  }
  const std::uint32_t root = root_of(program, id);
  if (root == replay::kNone || (root == id.rank && !is_from_root(op))) return last;
  return call_of(series, instance.number, root);
}

}  // namespace plumbline::viewer
