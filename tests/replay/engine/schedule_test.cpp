// Every schedule, played by an idealised executor: complete for all sizes and roots, without deadlock, with the right
// amounts.

#include "replay/collectives/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace plumbline::replay::mpi {
namespace {

constexpr Collective kAll[] = {Collective::kBarrier,   Collective::kBcast,     Collective::kGather,
                               Collective::kScatter,   Collective::kAllgather, Collective::kAlltoall,
                               Collective::kAllreduce, Collective::kReduce,    Collective::kReduceScatter,
                               Collective::kScan,      Collective::kExscan};

struct Played {
  bool complete = false;
  std::uint64_t messages = 0, bytes = 0;
  std::vector<std::uint64_t> received;         // bytes, per rank
  std::vector<std::set<std::uint32_t>> knows;  // whose contribution each rank has
};

collectives::Shape shape_of(Collective kind, std::uint32_t size, std::uint32_t rank, std::uint32_t root,
                            std::uint64_t block) {
  collectives::Shape s;
  s.kind = kind;
  s.size = size;
  s.rank = rank;
  s.root = root;
  const bool is_root = rank == root;
  switch (kind) {
    case Collective::kBarrier:
      break;
    case Collective::kGather:
      s.sent = block, s.received = is_root ? block * size : 0;
      break;
    case Collective::kScatter:
      s.sent = is_root ? block * size : 0, s.received = block;
      break;
    case Collective::kAllgather:
      s.sent = block, s.received = block * size;
      break;
    case Collective::kReduceScatter:
      s.sent = block * size, s.received = block;
      break;
    case Collective::kAlltoall:
      s.sent = s.received = block * size;
      break;
    default:
      s.sent = s.received = block;
      break;
  }
  return s;
}

// Ranks in turn do what they can; a message takes no time. What a rank knows travels with its messages.
Played play(Collective kind, std::uint32_t size, std::uint32_t root, std::uint64_t block, bool irregular = false) {
  struct Wire {
    std::uint64_t bytes;
    std::set<std::uint32_t> knows;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<Wire>> port;
  std::vector<std::uint32_t> index(size, 0);
  std::vector<bool> posted(size, false), over(size, false);
  Played played;
  played.received.resize(size);
  played.knows.resize(size);
  for (std::uint32_t r = 0; r < size; ++r) played.knows[r] = {r};
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t r = 0; r < size; ++r) {
      if (over[r]) continue;
      collectives::Shape shape = shape_of(kind, size, r, root, block);
      shape.irregular = irregular;
      const std::optional<collectives::Step> step = collectives::step_of(shape, index[r]);
      if (!step) {
        over[r] = moved = true;
        continue;
      }
      if (!posted[r] && step->to) {
        port[{r, *step->to}].push_back({step->sent, played.knows[r]});
        ++played.messages;
        played.bytes += step->sent;
      }
      posted[r] = true;
      if (step->from) {
        auto& wire = port[{*step->from, r}];
        if (wire.empty()) continue;
        played.received[r] += wire.front().bytes;
        played.knows[r].insert(wire.front().knows.begin(), wire.front().knows.end());
        wire.pop_front();
      }
      posted[r] = false;
      ++index[r];
      moved = true;
    }
  }
  played.complete = std::all_of(over.begin(), over.end(), [](bool b) { return b; });
  for (const auto& [pair, wire] : port) played.complete = played.complete && wire.empty();
  return played;
}

TEST(Schedule, EveryCollectiveIsCompleteForAllSizesAndRoots) {
  for (const Collective kind : kAll)
    for (std::uint32_t size = 1; size <= 17; ++size)
      for (std::uint32_t root = 0; root < size; ++root)
        EXPECT_TRUE(play(kind, size, root, 8).complete)
            << collectives::schedule_name(kind) << " " << size << " " << root;
}

TEST(Schedule, AfterABarrierEveryRankHasHeardOfEveryOther) {
  for (std::uint32_t size = 1; size <= 33; ++size)
    for (const auto& knows : play(Collective::kBarrier, size, 0, 0).knows) EXPECT_EQ(knows.size(), size);
}

TEST(Schedule, AllreduceAllgatherAlltoallAndReduceScatterReachEveryRank) {
  for (const Collective kind :
       {Collective::kAllreduce, Collective::kAllgather, Collective::kAlltoall, Collective::kReduceScatter})
    for (std::uint32_t size = 1; size <= 17; ++size)
      for (const auto& knows : play(kind, size, 0, 8).knows)
        EXPECT_EQ(knows.size(), size) << collectives::schedule_name(kind);
}

TEST(Schedule, TheRootOfReduceAndGatherHearsOfAll) {
  for (const Collective kind : {Collective::kReduce, Collective::kGather})
    for (std::uint32_t size = 1; size <= 17; ++size)
      EXPECT_EQ(play(kind, size, size / 2, 8).knows[size / 2].size(), size);
}

TEST(Schedule, AScanTellsEachRankOfThoseBeforeIt) {
  for (std::uint32_t size = 1; size <= 17; ++size) {
    const Played played = play(Collective::kScan, size, 0, 8);
    for (std::uint32_t r = 0; r < size; ++r) {
      std::set<std::uint32_t> before;
      for (std::uint32_t i = 0; i <= r; ++i) before.insert(i);
      EXPECT_EQ(played.knows[r], before);
    }
  }
}

TEST(Schedule, ABroadcastSendsOneMessageToEachOtherRank) {
  EXPECT_EQ(play(Collective::kBcast, 13, 4, 100).messages, 12);
  EXPECT_EQ(play(Collective::kBcast, 13, 4, 100).bytes, 1200);
}

TEST(Schedule, TheRootOfAGatherGetsTheBlocksOfAllOthers) {
  for (std::uint32_t size = 1; size <= 17; ++size)
    for (const bool irregular : {false, true})
      EXPECT_EQ(play(Collective::kGather, size, size - 1, 100, irregular).received[size - 1], 100 * (size - 1));
}

TEST(Schedule, AScatterBringsEachSubtreeItsBlocks) {
  // 6 ranks, root 0: rank 4 gets its own block and that of 5, rank 2 that of 3.
  const Played played = play(Collective::kScatter, 6, 0, 100);
  EXPECT_EQ(played.received, (std::vector<std::uint64_t>{0, 100, 200, 100, 200, 100}));
}

TEST(Schedule, CountsDecideTheAmountsOfAnIrregularAlltoall) {
  const std::uint64_t counts[] = {1, 20, 300};
  collectives::Shape shape = shape_of(Collective::kAlltoall, 3, 0, 0, 0);
  shape.irregular = true;
  shape.sent_counts = counts;
  EXPECT_EQ(collectives::step_of(shape, 0)->sent, 20);   // to 1
  EXPECT_EQ(collectives::step_of(shape, 1)->sent, 300);  // to 2
}

TEST(Schedule, TheSizeOfABroadcastIsWhatWasReceivedAlsoWhereNothingWasSent) {
  collectives::Shape shape;
  shape.kind = Collective::kBcast;
  shape.size = 4;
  shape.rank = 2;
  shape.received = 100;
  EXPECT_EQ(collectives::step_of(shape, 1)->sent, 100);  // from 2 on to 3
}

}  // namespace
}  // namespace plumbline::replay::mpi
