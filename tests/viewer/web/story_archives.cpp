// Writes the archives of the viewer's stories that no recording on one machine gives: `before`, a run of very many
// ranks; `slow`, the same when three of them were slow once; and `long`, which takes seconds to replay.
//
// usage: story_archives DIRECTORY

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>

#include "tracer/archive/names.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::viewer {
namespace {

namespace names = archive::names;
using archive::Event;
using archive::EventKind;

enum Region : std::uint32_t { kAllreduce, kBarrier, kSend };
enum Comm : std::uint32_t { kWorld, kAlone };

constexpr std::uint32_t kRanksOfNode = 64;
constexpr std::uint32_t kSlowStep = 25;   // in which the slow ones are slow
constexpr std::uint32_t kBriefStep = 37;  // after which one rank meets itself for 1 us
constexpr std::uint32_t kLonelyRank = 9;  // sends what nobody receives, where there are more than one node

struct Plan {
  std::uint32_t ranks = 4096, steps = 50;
  std::set<std::uint32_t> slow;
  std::uint32_t brief_rank = 0;
};

archive::Definitions definitions_of(const Plan& plan) {
  archive::Definitions d;
  d.creator = "story_archives";
  d.properties[names::kPropertyKind] = "observed";
  d.regions.push_back({d.strings.intern("MPI_Allreduce"), archive::Role::kCollective, archive::Paradigm::kMpi});
  d.regions.push_back({d.strings.intern("MPI_Barrier"), archive::Role::kCollective, archive::Paradigm::kMpi});
  d.regions.push_back({d.strings.intern("MPI_Send"), archive::Role::kPointToPoint, archive::Paradigm::kMpi});
  d.system_tree.push_back({d.strings.intern("cluster"), d.strings.intern("machine")});
  for (std::uint32_t rank = 0; rank < plan.ranks; ++rank) {
    if (rank % kRanksOfNode == 0)
      d.system_tree.push_back(
          {d.strings.intern(fmt::format("n{:02}", rank / kRanksOfNode)), d.strings.intern("node"), 0});
    d.location_groups.push_back({d.strings.intern(fmt::format("MPI Rank {}", rank)),
                                 rank / kRanksOfNode + 1,
                                 {{names::kPropertyLibrary, "MPICH 4.0.2"}}});
    d.locations.push_back({rank, d.strings.intern("Master thread"), rank, 0, rank});
  }
  archive::Comm& world = d.comms.emplace_back();
  world.name = d.strings.intern("MPI_COMM_WORLD");
  world.members.resize(plan.ranks);
  std::iota(world.members.begin(), world.members.end(), 0U);
  archive::Comm& alone = d.comms.emplace_back();
  alone.name = d.strings.intern("alone");
  alone.members = {plan.brief_rank};
  alone.parent = kWorld;
  return d;
}

class RankEvents {
 public:
  explicit RankEvents(archive::Writer& writer) : writer_(writer) {}

  void compute(Duration length) { now_ += length; }

  void collective(Region region, archive::CollectiveOp op, Comm comm, std::uint64_t bytes, Duration length) {
    mark(EventKind::kEnter, region);
    writer_.write(of(EventKind::kMpiCollectiveBegin));
    now_ += length;
    Event end = of(EventKind::kMpiCollectiveEnd);
    end.collective = op;
    end.comm = comm;
    end.bytes = end.received = bytes;
    writer_.write(end);
    mark(EventKind::kLeave, region);
  }

  void send(std::uint32_t peer, std::uint64_t bytes, Duration length) {
    mark(EventKind::kEnter, kSend);
    Event event = of(EventKind::kMpiSend);
    event.comm = kWorld;
    event.peer = peer;
    event.bytes = bytes;
    writer_.write(event);
    now_ += length;
    mark(EventKind::kLeave, kSend);
  }

  Time now() const { return now_; }

 private:
  Event of(EventKind kind) const {
    Event event;
    event.kind = kind;
    event.time = now_;
    return event;
  }

  void mark(EventKind kind, Region region) {
    Event event = of(kind);
    event.region = region;
    writer_.write(event);
  }

  archive::Writer& writer_;
  Time now_;
};

// Ranks end each step together, whoever was slow.
void write_rank(RankEvents& events, const Plan& plan, std::uint32_t rank) {
  const bool slow = plan.slow.contains(rank);
  for (std::uint32_t step = 0; step < plan.steps; ++step) {
    const Duration late = milliseconds(2 + rank % 61);
    const Duration late_here = slow && step == kSlowStep ? late : Duration{};
    events.compute(microseconds(900));
    events.collective(kAllreduce, archive::CollectiveOp::kAllreduce, kWorld, 8, microseconds(100) + late_here);
    if (step == kSlowStep) events.compute(milliseconds(80) - late_here);
    if (step == kBriefStep && rank == plan.brief_rank)
      events.collective(kBarrier, archive::CollectiveOp::kBarrier, kAlone, 0, microseconds(1));
    if (step == kBriefStep && rank == kLonelyRank && plan.ranks > kRanksOfNode)
      events.send(rank + 1, std::uint64_t{2} << 20, microseconds(1));
  }
}

void write_archive(const std::filesystem::path& directory, const Plan& plan) {
  archive::Definitions d = definitions_of(plan);
  archive::Writer writer(directory, Overwrite::kYes);
  writer.declare(d);
  for (std::uint32_t rank = 0; rank < plan.ranks; ++rank) {
    writer.begin_location(rank);
    RankEvents events(writer);
    write_rank(events, plan, rank);
    writer.end_location();
    d.length = events.now() - Time{};
  }
  writer.finish(d);
}

void write_all(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  Plan plan;
  plan.brief_rank = 1365;
  write_archive(directory / "before", plan);
  plan.slow = {409, 2049, 4089};
  write_archive(directory / "slow", plan);
  write_archive(directory / "long", {.ranks = kRanksOfNode, .steps = 4000, .slow = {}, .brief_rank = 1});
}

}  // namespace
}  // namespace plumbline::viewer

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: story_archives DIRECTORY\n");
    return 2;
  }
  try {
    plumbline::viewer::write_all(arguments[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "story_archives: {}\n", error.what());
    return 1;
  }
  return 0;
}
