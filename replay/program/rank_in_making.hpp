#pragma once
// One rank of a program in the making.

#include <cstdint>
#include <filesystem>
#include <span>
#include <unordered_map>

#include "base/memory/scratch.hpp"
#include "replay/program/program_output.hpp"

namespace plumbline::replay {

struct RankInMaking {
  explicit RankInMaking(const std::filesystem::path& directory) : scratch(scratch_in(directory)) {}

  const Scratch scratch;
  Column<Operation> operations{scratch};
  Column<OperationTimes> times{scratch};
  Column<std::uint32_t> request_lists{scratch};
  Column<SendrecvTail> sendrecvs{scratch};
  Column<CollectiveTail> collectives{scratch};
  Column<std::uint64_t> counts{scratch};
  Column<IoAccess> accesses{scratch};
  Column<InnerItem> inner{scratch};
  Column<InnerMessage> inner_messages{scratch};
  Column<InnerAccess> inner_accesses{scratch};
  Column<OffCpu> off_cpu{scratch};
  Column<Reason> reasons{scratch};
  Column<NeighbourTail> neighbourhoods{scratch};
  Column<Neighbour> neighbours{scratch};
  std::unordered_multimap<std::uint64_t, NeighbourTail> known_neighbours;  // by the hash of the lists
  Column<RmaTail> rma{scratch};
  Column<std::uint32_t> groups{scratch};
  std::uint32_t node = 0, processor = 0, cores = 0, gap_cost_ps = 0;

  void clear() {  // keeps the memory for the next rank
    operations.clear(), times.clear(), request_lists.clear(), sendrecvs.clear(), collectives.clear(), counts.clear();
    accesses.clear(), inner.clear(), inner_messages.clear(), inner_accesses.clear(), off_cpu.clear(), reasons.clear();
    neighbourhoods.clear(), neighbours.clear(), known_neighbours.clear();
    rma.clear(), groups.clear();
  }

  // Where the lists begin in `neighbours`, where equal ones stand once.
  NeighbourTail lists(std::span<const Neighbour> to, std::span<const Neighbour> from);

  format::RankEntry write(Output& output) const;
};

}  // namespace plumbline::replay
