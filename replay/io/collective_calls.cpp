#include "replay/io/collective_calls.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace plumbline::replay::io {
namespace {

bool is_collective_data(const Operation& op) {
  return (op.kind == OpKind::kIoRead || op.kind == OpKind::kIoWrite) && (op.flags & kIoIsMpi) &&
         (op.flags & kIoIsCollective);
}

}  // namespace

CollectiveCalls::CollectiveCalls(const Program& program,
                                 const std::function<bool(const RankProgram&, const Operation&)>& is_one)
    : members_(program.comms()) {
  if (program.files() == 0) return;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> found(program.comms());  // rank, operation
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankProgram& own = program.rank(rank);
    for (std::uint32_t i = 0; i < own.operations.size(); ++i)
      if (is_collective_data(own.operations[i]) && is_one(own, own.operations[i]))
        found[own.accesses[own.operations[i].extra].comm].emplace_back(rank, i);
  }
  for (std::uint32_t comm = 0; comm < program.comms(); ++comm) {
    if (found[comm].empty()) continue;
    for (const std::uint32_t world : program.comm(comm).members) {
      const auto [begin, end] = std::ranges::equal_range(found[comm], world, {}, [](const auto& f) { return f.first; });
      members_[comm].push_back(
          {static_cast<std::uint32_t>(operations_.size()), static_cast<std::uint32_t>(end - begin)});
      for (auto call = begin; call != end; ++call) operations_.push_back(call->second);
    }
  }
}

std::optional<std::uint32_t> CollectiveCalls::operation(std::uint32_t comm, std::uint32_t member,
                                                        std::uint32_t number) const {
  const OfMember& own = members_[comm][member];
  if (number >= own.number) return std::nullopt;
  return operations_[own.first + number];
}

std::uint32_t CollectiveCalls::number_of(std::uint32_t comm, std::uint32_t member, std::uint32_t operation) const {
  const OfMember& own = members_[comm][member];
  const std::span<const std::uint32_t> calls = std::span(operations_).subspan(own.first, own.number);
  return static_cast<std::uint32_t>(std::ranges::lower_bound(calls, operation) - calls.begin());
}

std::uint32_t CollectiveCalls::calls(std::uint32_t comm) const {
  if (members_[comm].empty()) return 0;
  return std::ranges::min(members_[comm], {}, &OfMember::number).number;
}

}  // namespace plumbline::replay::io
