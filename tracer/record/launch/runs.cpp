#include "tracer/record/launch/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "tracer/spool/format/format.h"

namespace plumbline::record {
namespace {

struct Candidate {
  std::filesystem::path path;
  pl_file_header header{};
};

// The header of a process that got through MPI_Init; whatever is wrong with the others is said when they are assembled.
std::optional<Candidate> candidate(const std::filesystem::path& path) {
  Candidate found{path, {}};
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(&found.header), sizeof found.header);
  const pl_file_header& h = found.header;
  if (!file || std::memcmp(h.magic, PL_SPOOL_MAGIC, sizeof h.magic) != 0) return std::nullopt;
  if (h.version != PL_SPOOL_VERSION || h.world_rank < 0 || h.world_rank >= h.world_size) return std::nullopt;
  return found;
}

template <std::size_t kSize>
std::string field_text(const char (&field)[kSize]) {
  return {field, strnlen(field, kSize)};
}

auto process_of(const pl_file_header& h) {
  return std::tuple(field_text(h.boot_id), field_text(h.host), h.pid, h.first.ticks, h.world_rank);
}

auto by_beginning(const Candidate& c) {
  return std::tuple(c.header.initialized.realtime_ns, c.header.world_rank, c.path.string());
}

// A world whose members are still being found.
struct Gathering {
  std::map<std::int32_t, const Candidate*> members;

  // MPI_Init ends on no rank before it has begun on all, MPI_Finalize begins on all that still run: who was through the
  // one after somebody was through the other belongs to a later world.
  bool takes(const pl_file_header& header) const {
    if (members.contains(header.world_rank)) return false;
    return std::ranges::none_of(members, [&](const auto& member) {
      const pl_file_header& other = member.second->header;
      const bool same_clock = field_text(other.boot_id) == field_text(header.boot_id) && other.clock == header.clock;
      return same_clock && other.end == PL_END_FINALIZED && other.last.ticks < header.initialized.ticks;
    });
  }

  Run run() const {
    Run run;
    for (const auto& [rank, member] : members) run.spools.push_back(member->path);
    const pl_file_header& first = members.begin()->second->header;
    run.ranks = static_cast<std::uint32_t>(members.size());
    run.world_size = static_cast<std::uint32_t>(first.world_size);
    run.program = field_text(first.program);
    return run;
  }
};

}  // namespace

std::vector<Run> find_runs(const std::vector<std::filesystem::path>& spools) {
  std::vector<Candidate> candidates;
  std::vector<std::filesystem::path> others;
  std::set<decltype(process_of({}))> seen;
  for (const std::filesystem::path& path : spools) {
    auto found = candidate(path);
    if (!found)
      others.push_back(path);
    else if (seen.insert(process_of(found->header)).second)
      candidates.push_back(std::move(*found));
  }
  std::ranges::sort(candidates, {}, by_beginning);

  std::vector<Gathering> worlds;
  std::map<std::tuple<std::string, std::uint32_t, std::int32_t>, std::size_t> latest;  // by job, MPI and size
  for (const Candidate& c : candidates) {
    const auto [entry, is_new] =
        latest.try_emplace({field_text(c.header.job), c.header.flavour, c.header.world_size}, worlds.size());
    if (is_new || !worlds[entry->second].takes(c.header)) {
      entry->second = worlds.size();
      worlds.emplace_back();
    }
    worlds[entry->second].members[c.header.world_rank] = &c;
  }

  std::vector<Run> runs;
  for (const Gathering& world : worlds) runs.push_back(world.run());
  if (runs.empty() && !others.empty()) runs.emplace_back();
  if (!runs.empty()) runs[0].spools.insert(runs[0].spools.end(), others.begin(), others.end());
  return runs;
}

std::filesystem::path archive_of_run(const std::filesystem::path& archive, std::size_t run) {
  if (run == 0) return archive;
  const std::filesystem::path base = archive.has_filename() ? archive : archive.parent_path();
  return base.string() + fmt::format(".{}", run + 1);
}

}  // namespace plumbline::record
