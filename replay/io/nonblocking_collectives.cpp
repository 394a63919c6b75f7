#include "replay/io/nonblocking_collectives.hpp"

#include <set>

namespace plumbline::replay::io {
namespace {

bool is_begun(const Operation& op) {
  return is_io(op.kind) && (op.flags & kIoIsCollective) && (op.flags & kNonBlocking);
}

bool is_modelled(NonblockingCollective how) {
  return how == NonblockingCollective::kCollective || how == NonblockingCollective::kIndependent;
}

}  // namespace

NonblockingCollective begun_collective(MpiIoLibrary library, std::string_view call, bool alone) {
  switch (library) {
    case MpiIoLibrary::kOmpio:
      // Those find out first, together, where each rank's part begins.
      return call.find("_ordered") == std::string_view::npos ? NonblockingCollective::kIndependent
                                                             : NonblockingCollective::kNotKnown;
    case MpiIoLibrary::kRomio:
      if (alone) return NonblockingCollective::kCollective;
      [[fallthrough]];
    case MpiIoLibrary::kRomio321:
      return call.ends_with("_begin") ? NonblockingCollective::kCollective : NonblockingCollective::kInLaterCalls;
    case MpiIoLibrary::kUnknown:
      break;
  }
  return NonblockingCollective::kNotKnown;
}

NonblockingCollectives::NonblockingCollectives(const Program& program, std::string_view library) : program_(program) {
  if (program.files() == 0) return;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankProgram& own = program.rank(rank);
    for (const Operation& op : own.operations) {
      if (!is_begun(op)) continue;
      const std::uint16_t hints = own.accesses[op.extra].hints;
      if (!choices_.contains(hints)) choices_.emplace(hints, choice(hints, library));
    }
  }
  for (std::uint32_t rank = 0; !choices_.empty() && rank < program.ranks(); ++rank) find_waits(rank);
}

NonblockingCollectives::Choice NonblockingCollectives::choice(std::uint16_t hints, std::string_view library) const {
  const HintMap in_force = parse_hints(program_.hints(hints));
  const auto is_off = [&](std::string_view name) {
    const auto hint = in_force.find(name);
    return hint != in_force.end() && hint->second == "disable";
  };
  return {mpi_io_library(program_, hints, library), is_off("romio_cb_read"), is_off("romio_cb_write")};
}

NonblockingCollective NonblockingCollectives::of(const RankProgram& rank, const Operation& op) const {
  const Choice& chosen = choices_.at(rank.accesses[op.extra].hints);
  const bool alone = op.kind == OpKind::kIoRead ? chosen.reads_alone : chosen.writes_alone;
  return begun_collective(chosen.library, program_.call(op.call), alone);
}

void NonblockingCollectives::find_waits(std::uint32_t rank) {
  const RankProgram& own = program_.rank(rank);
  std::set<std::uint32_t> under_way;  // slots
  std::vector<std::uint32_t>& waits = waits_.emplace_back();
  for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
    const Operation& op = own.operations[i];
    if (is_begun(op) && !is_modelled(of(own, op))) under_way.insert(own.accesses[op.extra].request);
    if (op.kind != OpKind::kWait || under_way.empty()) continue;
    const std::size_t before = under_way.size();
    for (const std::uint32_t slot : own.waits_for(op)) under_way.erase(slot);
    if (under_way.size() < before) waits.push_back(i);
  }
}

}  // namespace plumbline::replay::io
