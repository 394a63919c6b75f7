#include "replay/program/compile/compile_together.hpp"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/team/bytes.hpp"
#include "replay/program/compile/compilation.hpp"
#include "replay/program/compile/context/inside_locations.hpp"
#include "replay/program/compile/rank_locations.hpp"
#include "replay/program/compile/shared_archive.hpp"

namespace plumbline::replay {
namespace {

struct Order {
  std::filesystem::path archive, file;
  std::string source;
  Damage damage = Damage::kRefuse;
};

template <class Io>
void fields(Io& io, Order& order) {
  io(order.archive, order.file, order.source, order.damage);
}

// By rank.
std::vector<std::uint64_t> events_of(const archive::Definitions& definitions, const std::string& where) {
  const std::vector<std::uint32_t> insides = inside_locations(definitions);
  std::vector<std::uint64_t> events;
  for (const std::uint32_t location : locations_by_rank(definitions, where)) {
    const std::uint32_t inside = insides[location];
    events.push_back(definitions.locations[location].events +
                     (inside == archive::kUndefined ? 0 : definitions.locations[inside].events));
  }
  return events;
}

std::string compile_alone(archive::Reader& reader, ProgramBuilder& builder, const Order& order) {
  Compilation compilation(reader, builder, order.damage);
  compilation.compile({0, reader.definitions().world_size()}, true);
  const CompileSummary summary = compilation.finish(compilation.found(), order.source);
  builder.finish();
  return to_bytes(summary);
}

Found all_found(Processes& processes, const Found& own) {
  Found all;
  for (const std::string& bytes : processes.gather(to_bytes(own))) add(all, from_bytes<Found>(bytes));
  return all;
}

std::string compile_part(Processes& processes, std::string_view argument) {
  const auto order = from_bytes<Order>(argument);
  const bool is_first = processes.rank() == 0;
  std::optional<archive::Reader> own;
  archive::Reader& reader = reader_of(order.archive, own);
  const std::vector<std::uint64_t> costs = events_of(reader.definitions(), reader.anchor().string());
  constexpr double kShareOfFirst = 1.1;  // the others copy what they have made
  const Block ranks = split_by_cost(costs, processes.size(), kShareOfFirst)[processes.rank()];

  std::optional<ProgramBuilder> builder;
  if (is_first) builder.emplace(order.file);
  const std::string staging = processes.exchange(is_first ? builder->staging().string() : std::string()).front();
  // Not where the directory of the program is one of the first process's machine.
  if (!processes.is_so_for_all(::access(staging.c_str(), R_OK | W_OK) == 0))
    return is_first ? compile_alone(reader, *builder, order) : std::string();
  if (!is_first) builder.emplace(ProgramBuilder::PartOf{staging});

  Compilation compilation(reader, *builder, order.damage);
  compilation.compile(ranks, is_first);
  if (!builder->join(processes)) {
    if (!is_first) return {};
    builder.reset();
    return compile_alone(reader, builder.emplace(order.file), order);
  }
  const Found found = all_found(processes, compilation.found());
  std::string summary;
  if (is_first) {
    summary = to_bytes(compilation.finish(found, order.source));
    builder->write();
  }
  // It is in its place now.
  const std::string program = processes.exchange(is_first ? builder->path().string() : std::string()).front();
  Program::open(program, Program::Contents::kKnown)
      .check_ranks(static_cast<std::uint32_t>(ranks.begin), static_cast<std::uint32_t>(ranks.end));
  return summary;
}

}  // namespace

const SharedWork kCompile{"program.compile", compile_part};

std::uint32_t useful_processes(const archive::Definitions& definitions) {
  constexpr std::uint64_t kLeastEvents = 250'000;  // of a process
  // Of each part there may be fewer different calls than a program has numbers for, and too many of all together: one
  // process finds the first rank at which that is so.
  constexpr std::size_t kMostCalls = std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;
  if (definitions.regions.size() > kMostCalls) return 1;
  std::uint64_t events = 0;
  for (const archive::Location& location : definitions.locations) events += location.events;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(events / kLeastEvents, 1, std::max<std::uint32_t>(definitions.world_size(), 1)));
}

Program compile_together(Workers& workers, archive::Reader& reader, const std::filesystem::path& file,
                         CompileSummary& summary, const std::string& source, Damage damage, std::uint32_t most) {
  const SharedArchive shared(reader);
  summary = from_bytes<CompileSummary>(
      workers.run_among(most, kCompile, to_bytes(Order{reader.anchor(), file, source, damage})));
  return Program::open(file, Program::Contents::kKnown);  // they have checked it
}

}  // namespace plumbline::replay
