// A registry that follows the journals of others, block by block, numbers everything as one that was asked all.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/seed.hpp"
#include "tracer/record/definitions/definition_registry.hpp"

namespace plumbline::record {
namespace {

using ::testing::ElementsAre;

// What one rank asks for, one after the other; what it is given may be asked for again.
using Request = std::function<void(DefinitionRegistry&)>;
using Requests = std::vector<Request>;

std::vector<std::string> texts(const archive::Definitions& d) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < d.strings.size(); ++i)
    lines.push_back("string " + d.strings[static_cast<archive::StringId>(i)]);
  for (const archive::Region& region : d.regions) lines.push_back(fmt::format("region {}", region.name));
  for (const archive::Comm& comm : d.comms)
    lines.push_back(fmt::format("comm {} of {} | {} parent {} self {} inside {}", d.strings[comm.name],
                                fmt::join(comm.members, ","), fmt::join(comm.remote_members, ","), comm.parent,
                                comm.is_self, comm.is_inside));
  for (const auto& window : d.windows) lines.push_back(fmt::format("window {} on {}", window.name, window.comm));
  for (const auto& group : d.groups) lines.push_back(fmt::format("group {}", fmt::join(group.members, ",")));
  for (const archive::IoFile& file : d.io_files) {
    lines.push_back(fmt::format("file {}", file.path));
    for (const auto& [name, value] : file.properties) lines.push_back(fmt::format("  {} {}", name, value));
  }
  for (const archive::IoHandle& handle : d.io_handles)
    lines.push_back(
        fmt::format("handle {} of {} comm {} parent {}", handle.name, handle.file, handle.comm, handle.parent));
  return lines;
}

DefinitionRegistry fresh(std::uint32_t ranks) {
  DefinitionRegistry world;
  if (ranks != 0) world.define_ranks(ranks);
  return world;
}

std::vector<std::string> all_at_once(std::uint32_t ranks, const std::vector<Requests>& by_rank) {
  DefinitionRegistry world = fresh(ranks);
  for (const Requests& requests : by_rank)
    for (const Request& ask : requests) ask(world);
  return texts(world.definitions);
}

std::vector<std::string> in_blocks(std::uint32_t ranks, const std::vector<Requests>& by_rank,
                                   const std::vector<std::size_t>& ends) {
  DefinitionRegistry world = fresh(ranks);
  std::vector<std::string> journals;
  std::size_t next = 0;
  for (const std::size_t end : ends) {
    DefinitionRegistry own = fresh(ranks);
    own.keep_journal();
    for (; next < end; ++next)
      for (const Request& ask : by_rank[next]) ask(own);
    journals.push_back(own.take_journal());
  }
  for (const std::string& journal : journals) world.follow(journal);
  return texts(world.definitions);
}

CommFact comm_fact(std::vector<std::uint32_t> members, std::uint32_t sequence, std::uint32_t parent = 0) {
  CommFact fact;
  fact.members = std::move(members);
  fact.sequence = sequence;
  fact.parent = parent;
  return fact;
}

ProcessFacts with_comm(std::uint32_t id, CommFact fact) {
  ProcessFacts facts;
  facts.comms[id] = std::move(fact);
  return facts;
}

TEST(DefinitionJournal, AParentThatNobodyElseHasAskedForIsDefinedWhenItIsAskedFor) {
  // Rank 0 knows communicator {0, 1} without a parent. To rank 1 its parent is {1}, which it uses later.
  const ProcessFacts of_0 = with_comm(5, comm_fact({0, 1}, 1));
  ProcessFacts of_1 = with_comm(7, comm_fact({0, 1}, 1, 6));
  of_1.comms[6] = comm_fact({1}, 3);
  const std::vector<Requests> by_rank = {
      {[&](DefinitionRegistry& world) { world.comm(0, of_0, 5); }},
      {[&](DefinitionRegistry& world) { world.comm(1, of_1, 7); },
       [&](DefinitionRegistry& world) { world.string("between"); },
       [&](DefinitionRegistry& world) { world.comm(1, of_1, 6); }},
  };
  EXPECT_EQ(in_blocks(2, by_rank, {1, 2}), all_at_once(2, by_rank));
}

TEST(DefinitionJournal, ACommunicatorWithoutANameGetsItsNumberHere) {
  const ProcessFacts of_0 = with_comm(5, comm_fact({0}, 1));
  const ProcessFacts of_1 = with_comm(5, comm_fact({1}, 1));
  const std::vector<Requests> by_rank = {{[&](DefinitionRegistry& world) { world.comm(0, of_0, 5); }},
                                         {[&](DefinitionRegistry& world) { world.comm(1, of_1, 5); },
                                          [&](DefinitionRegistry& world) { world.string("Comm 1"); }}};
  DefinitionRegistry world = fresh(2);
  for (const Requests& requests : by_rank) {
    DefinitionRegistry own = fresh(2);
    own.keep_journal();
    for (const Request& ask : requests) ask(own);
    world.follow(own.take_journal());
  }
  std::vector<std::string> names;
  for (const archive::Comm& comm : world.definitions.comms) names.push_back(world.definitions.strings[comm.name]);
  EXPECT_THAT(names, ElementsAre("MPI_COMM_WORLD", "Comm 1", "Comm 2"));
}

// Random requests of random ranks, cut into random blocks.
struct Trial {
  std::mt19937 random;
  std::uint32_t ranks = 0;
  std::vector<ProcessFacts> facts;

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); }

  std::vector<std::uint32_t> some_ranks() {
    std::vector<std::uint32_t> members;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      if (below(2) == 0) members.push_back(rank);
    if (members.empty()) members.push_back(below(ranks));
    return members;
  }

  // Ids mean something else on each rank, and so do parents; groups and sequences come again.
  void make_facts() {
    const std::vector<std::vector<std::uint32_t>> groups = {some_ranks(), some_ranks(), some_ranks(), {0}};
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      ProcessFacts& mine = facts.emplace_back();
      for (std::uint32_t id = 3; id < 9; ++id) {
        CommFact fact = comm_fact(groups[below(4)], below(3), below(3) == 0 ? 0 : 3 + below(6));
        if (below(4) == 0) fact.remote = groups[below(4)];
        if (below(3) == 0) fact.name = fmt::format("name {}", below(3));
        mine.comms[id] = fact;
      }
      for (std::uint32_t id = 0; id < 3; ++id) {
        WindowFact& window = mine.windows[id];
        window.comm = 3 + below(6);
        window.sequence = below(2);
        if (below(2) == 0) window.name = "window";
      }
      if (below(2) == 0) mine.mounts.add("1 2 0:1 / /a rw - ext4 /dev/sda rw\n");
    }
  }

  Request request(std::uint32_t rank) {
    const ProcessFacts& mine = facts[rank];
    switch (below(9)) {
      case 0:
        return [text = fmt::format("text {}", below(9))](DefinitionRegistry& world) { world.string(text); };
      case 1:
        return [function = FunctionFact{fmt::format("f{}", below(4)), below(3)}](DefinitionRegistry& world) {
          world.region(function);
        };
      case 2:
        return [&mine, rank, id = 3 + below(6)](DefinitionRegistry& world) { world.comm(rank, mine, id); };
      case 3:
        return [&mine, rank, id = below(4)](DefinitionRegistry& world) { world.window(rank, mine, id); };
      case 4:
        return [number = below(3)](DefinitionRegistry& world) { world.context(number); };
      case 5:
        return [members = some_ranks()](DefinitionRegistry& world) { world.group(members); };
      case 8:
        return [&mine, rank, comm = 3 + below(6), window = below(4)](DefinitionRegistry& world) {
          world.string({{TextPiece::Kind::kText, "on ", 0},
                        {TextPiece::Kind::kComm, "", world.comm(rank, mine, comm)},
                        {TextPiece::Kind::kText, " and ", 0},
                        {TextPiece::Kind::kWindow, "", world.window(rank, mine, window)}});
        };
      case 6:
        return [&mine, rank, path = fmt::format("/a/{}", below(4)), slot = below(3)](DefinitionRegistry& world) {
          const std::uint32_t file = world.file(path, mine.mounts);
          const HandleKey key{archive::IoParadigm::kPosix, rank, file, archive::kUndefined};
          const std::uint32_t handle = world.handle(key, slot, path);
          world.handle({archive::IoParadigm::kPosix, rank, file, handle}, 0, path);
        };
      default:
        return [&mine, rank, path = fmt::format("/a/{}", below(4)), id = 3 + below(6),
                slot = below(3)](DefinitionRegistry& world) {
          const std::uint32_t comm = world.comm(rank, mine, id);
          world.handle({archive::IoParadigm::kMpiIo, comm, world.file(path, mine.mounts), archive::kUndefined}, slot,
                       path);
        };
    }
  }
};

TEST(DefinitionJournal, BlocksNumberAsOneRegistryDoes) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 seeds(static_cast<std::uint32_t>(seed));
  for (int i = 0; i < 300; ++i) {
    Trial trial{.random = std::mt19937(seeds()), .facts = {}};
    trial.ranks = 1 + trial.below(6);
    trial.make_facts();
    std::vector<Requests> by_rank(trial.ranks);
    for (std::uint32_t rank = 0; rank < trial.ranks; ++rank)
      for (std::uint32_t n = trial.below(12); n > 0; --n) by_rank[rank].push_back(trial.request(rank));
    std::vector<std::size_t> ends;
    for (std::size_t end = 0; end < trial.ranks; end += trial.below(4)) ends.push_back(end);
    ends.push_back(trial.ranks);
    const std::vector<std::string> blocks = in_blocks(trial.ranks, by_rank, ends),
                                   all = all_at_once(trial.ranks, by_rank);
    for (std::size_t line = 0; line < std::min(blocks.size(), all.size()); ++line)
      ASSERT_EQ(blocks[line], all[line]) << "trial " << i;
    ASSERT_EQ(blocks.size(), all.size()) << "trial " << i;
  }
}

}  // namespace
}  // namespace plumbline::record
