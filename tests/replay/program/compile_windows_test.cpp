// From records of one-sided communication to operations on windows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "event_script.hpp"
#include "replay/program/text/text.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;
using archive::CollectiveOp;
using archive::EventKind;
using testing::ElementsAre;
using testing::HasSubstr;

// Windows of the archive: 0 of all ranks, 1 of ranks 2 and 0.
class WindowScript : public EventScript {
 public:
  WindowScript() {
    definitions.windows.push_back({definitions.strings.intern("Window 0"), 0});
    definitions.windows.push_back({definitions.strings.intern("Window 1"), comm({2, 0})});
  }

  WindowScript& on(EventKind kind, std::int64_t us, std::uint32_t window, std::uint32_t peer = archive::kUndefined,
                   std::uint64_t bytes = 0, std::uint64_t request = 1ULL << 32) {
    add(kind, us, peer, 0, bytes, request);
    last().window = window;
    return *this;
  }

  WindowScript& all_of(CollectiveOp op, std::int64_t us, std::uint32_t window) {
    on(EventKind::kRmaCollectiveEnd, us, window);
    last().collective = op;
    return *this;
  }

  // The operations of rank 0 in text, without times.
  std::vector<std::string> lines() {
    const std::string text = to_text(compile());
    std::vector<std::string> found;
    std::size_t at = text.find("rank 0\n") + 7;
    const std::size_t stop = text.find("rank 1\n");
    while (at < stop) {
      const std::size_t end = text.find('\n', at);
      std::string line = text.substr(at, end - at);
      line.erase(0, line.find(' ', line.find('@')) + 1);
      const std::size_t plus = line.find(" +"), rest = line.find(' ', plus + 1);
      line.erase(plus, rest == std::string::npos ? rest : rest - plus);
      found.push_back(line);
      at = end + 1;
    }
    return found;
  }
};

TEST(CompileWindows, MakingFencingAndFreeing) {
  WindowScript s;
  s.enter("MPI_Win_allocate", 1).add(EventKind::kRmaCollectiveBegin, 1);
  s.on(EventKind::kRmaWinCreate, 2, 0).with(names::kWindowKind, std::string("allocate"));
  s.all_of(CollectiveOp::kCreateHandleAndAllocate, 2, 0).leave(2);
  s.enter("MPI_Win_fence", 3).add(EventKind::kRmaCollectiveBegin, 3);
  s.all_of(CollectiveOp::kBarrier, 4, 0).leave(4);
  s.enter("MPI_Put", 5);
  s.on(EventKind::kRmaPut, 5, 0, 3, 64).leave(6);
  s.enter("MPI_Get", 6);
  s.on(EventKind::kRmaGet, 6, 0, 2, 32).leave(7);
  s.enter("MPI_Win_fence", 8);
  s.on(EventKind::kRmaOpCompleteBlocking, 9, 0);
  s.all_of(CollectiveOp::kBarrier, 9, 0).leave(9);
  s.enter("MPI_Win_free", 10);
  s.on(EventKind::kRmaWinDestroy, 11, 0);
  s.all_of(CollectiveOp::kDestroyHandleAndDeallocate, 11, 0).leave(11);
  EXPECT_THAT(s.lines(), ElementsAre("win_create 0 call MPI_Win_allocate", "win_fence 0", "put 0 3 64B", "get 0 2 32B",
                                     "win_fence 0", "win_free 0"));
  EXPECT_EQ(s.compile().windows()[0].kind, WindowKind::kAllocate);
}

TEST(CompileWindows, GroupsAreRanksOfTheWindow) {
  WindowScript s;
  s.definitions.groups.push_back({{2}});
  s.enter("MPI_Win_post", 1).with(names::kAssertion, std::string("nocheck,nostore"));
  s.on(EventKind::kRmaGroupSync, 2, 1).last().tag = 0;
  s.leave(2);
  s.enter("MPI_Win_start", 3);
  s.on(EventKind::kRmaGroupSync, 4, 1).last().tag = 0;
  s.leave(4);
  s.enter("MPI_Win_complete", 5);
  s.on(EventKind::kRmaGroupSync, 6, 1).last().tag = 0;
  s.leave(6);
  s.enter("MPI_Win_test", 7).leave(8);
  s.enter("MPI_Win_test", 9);
  s.on(EventKind::kRmaGroupSync, 10, 1).last().tag = 0;
  s.leave(10);
  EXPECT_THAT(s.lines(), ElementsAre("win_post 0 group 0 nocheck", "win_start 0 group 0", "win_complete 0",
                                     "local MPI_Win_test", "win_wait 0 call MPI_Win_test"));
}

TEST(CompileWindows, LocksFlushesAndAtomics) {
  WindowScript s;
  s.enter("MPI_Win_lock", 1);
  s.on(EventKind::kRmaRequestLock, 1, 0, 3).last().rma = static_cast<std::uint8_t>(archive::RmaLock::kExclusive);
  s.leave(2);
  s.enter("MPI_Accumulate", 3);
  s.on(EventKind::kRmaAtomic, 3, 0, 3, 16).leave(4);
  s.enter("MPI_Compare_and_swap", 4);
  s.on(EventKind::kRmaAtomic, 4, 0, 3, 16).last().received = 8;
  s.leave(5);
  s.enter("MPI_Win_flush_local", 5).with(names::kWindow, std::uint64_t{0}).with(names::kTarget, std::uint64_t{3});
  s.leave(6);
  s.enter("MPI_Win_unlock", 6);
  s.on(EventKind::kRmaOpCompleteBlocking, 7, 0).on(EventKind::kRmaOpCompleteRemote, 7, 0);
  s.on(EventKind::kRmaReleaseLock, 7, 0, 3).leave(7);
  s.enter("MPI_Win_lock_all", 8);
  s.on(EventKind::kRmaRequestLock, 8, 0).last().rma = static_cast<std::uint8_t>(archive::RmaLock::kShared);
  s.leave(9);
  s.enter("MPI_Win_flush_all", 10);
  s.on(EventKind::kRmaOpCompleteRemote, 11, 0).leave(11);
  s.enter("MPI_Win_sync", 12);
  s.on(EventKind::kRmaSync, 12, 0, 0).leave(12);
  s.enter("MPI_Win_unlock_all", 13);
  s.on(EventKind::kRmaReleaseLock, 14, 0).leave(14);
  EXPECT_THAT(s.lines(),
              ElementsAre("win_lock 0 3 exclusive", "accumulate 0 3 16B",
                          "fetch 0 3 16B received 8B call MPI_Compare_and_swap", "win_flush_local 0 3",
                          "win_unlock 0 3", "win_lock_all 0", "win_flush_all 0", "win_sync 0", "win_unlock_all 0"));
}

TEST(CompileWindows, FormsWithARequestEndInTheirWait) {
  WindowScript s;
  s.enter("MPI_Rput", 1);
  s.on(EventKind::kRmaPut, 1, 0, 2, 64, 1).leave(2);
  s.enter("MPI_Isend", 3).add(EventKind::kMpiIsend, 3, 1, 5, 8, 2).leave(4);
  s.enter("MPI_Waitall", 5);
  s.on(EventKind::kRmaOpCompleteNonBlocking, 7, 0, archive::kUndefined, 0, 1);
  s.add(EventKind::kMpiIsendComplete, 7, 0, 0, 0, 2).leave(7);
  s.enter("MPI_Rget", 8);
  s.on(EventKind::kRmaGet, 8, 0, 2, 64, 1).leave(9);
  s.enter("MPI_Wait", 10);
  s.on(EventKind::kRmaOpCompleteNonBlocking, 11, 0, archive::kUndefined, 0, 1).leave(11);
  EXPECT_THAT(s.lines(), ElementsAre("rput 0 2 64B -> r0", "isend 1 tag 5 8B -> r1", "wait r0 r1 call MPI_Waitall",
                                     "rget 0 2 64B -> r1", "wait r1"));
}

TEST(CompileWindows, WhatIsDoneWithNobodyIsLocal) {
  WindowScript s;
  s.enter("MPI_Put", 1).leave(2).enter("MPI_Win_lock", 3).leave(4).enter("MPI_Get_accumulate", 5).leave(6);
  s.enter("MPI_Win_attach", 7).leave(8).enter("MPI_Win_set_name", 9).leave(10);
  EXPECT_THAT(s.lines(), ElementsAre("local MPI_Put", "local MPI_Win_lock", "local MPI_Get_accumulate",
                                     "local MPI_Win_attach", "local MPI_Win_set_name"));
}

TEST(CompileWindows, WhatTheArchiveDoesNotTellIsNotJudged) {
  WindowScript s;
  s.definitions.windows.push_back({0, archive::kUndefined});
  s.enter("MPI_Put", 1);
  s.on(EventKind::kRmaPut, 1, 2, 0, 8).leave(2);
  s.enter("MPI_Put", 3);
  s.on(EventKind::kRmaPut, 3, 0, 1, archive::kUnknownSize).leave(4);
  s.enter("MPI_Win_fence", 5).leave(6);
  s.enter("MPI_Wait", 7);
  s.on(EventKind::kRmaOpCompleteNonBlocking, 8, 0, archive::kUndefined, 0, 9).leave(8);
  EXPECT_THAT(s.lines(),
              ElementsAre("unmodelled MPI_Put not-judged \"a window of ranks that the archive does not tell\"",
                          "put 0 1 0B not-judged \"one-sided communication of unknown size\"",
                          "unmodelled MPI_Win_fence not-judged \"MPI_Win_fence is not modelled\"",
                          "unmodelled MPI_Wait not-judged \"waits for one-sided communication that the archive does "
                          "not record\""));
}

// Records in calls that do not fit to them: an error of the archive, or a program that opens.
TEST(CompileWindows, RandomRecordsNeverMakeADamagedProgram) {
  constexpr const char* kCalls[] = {"MPI_Put",       "MPI_Rput",         "MPI_Get",      "MPI_Fetch_and_op",
                                    "MPI_Win_fence", "MPI_Win_create",   "MPI_Win_free", "MPI_Win_post",
                                    "MPI_Win_start", "MPI_Win_complete", "MPI_Win_test", "MPI_Win_lock_all",
                                    "MPI_Win_flush", "MPI_Win_unlock",   "MPI_Wait",     "MPI_Win_flush_local_all"};
  constexpr EventKind kKinds[] = {EventKind::kRmaWinCreate,
                                  EventKind::kRmaCollectiveEnd,
                                  EventKind::kRmaGroupSync,
                                  EventKind::kRmaRequestLock,
                                  EventKind::kRmaReleaseLock,
                                  EventKind::kRmaSync,
                                  EventKind::kRmaPut,
                                  EventKind::kRmaGet,
                                  EventKind::kRmaAtomic,
                                  EventKind::kRmaOpCompleteBlocking,
                                  EventKind::kRmaOpCompleteNonBlocking,
                                  EventKind::kRmaOpCompleteRemote};
  constexpr CollectiveOp kOps[] = {CollectiveOp::kBarrier, CollectiveOp::kCreateHandle, CollectiveOp::kDestroyHandle,
                                   CollectiveOp::kBcast};
  int compiled = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    std::mt19937_64 random(seed);
    WindowScript s;
    s.definitions.groups.push_back({{2, 0, 3}});
    s.definitions.windows.push_back({0, archive::kUndefined});
    for (std::int64_t us = 0; us < 40; us += 4) {
      s.enter(kCalls[random() % std::size(kCalls)], us);
      if (random() % 2) s.with(names::kWindow, random() % 3);
      if (random() % 2) s.with(names::kTarget, random() % 2);
      for (std::uint64_t n = random() % 3; n > 0; --n) {
        const bool all = random() % 3 == 0;
        s.on(kKinds[random() % std::size(kKinds)], us + 1, static_cast<std::uint32_t>(random() % 3),
             all ? archive::kUndefined : static_cast<std::uint32_t>(random() % 2), random() % 100, random() % 4);
        s.last().collective = kOps[random() % std::size(kOps)];
        s.last().received = random() % 2 * 8;
        s.last().rma = random() % 2;
      }
      s.leave(us + 2);
    }
    try {
      s.compile();
      ++compiled;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::Not(HasSubstr("damaged"))) << "seed " << seed;
    }
  }
  EXPECT_GT(compiled, 100);
}

TEST(CompileWindows, ATargetOutsideOfTheWindowIsThatOfACallThatFailed) {
  WindowScript s;
  s.enter("MPI_Put", 1);
  s.on(EventKind::kRmaPut, 1, 1, 2, 8).leave(2);
  s.enter("MPI_Win_lock", 3);
  s.on(EventKind::kRmaRequestLock, 3, 1, 2, 0).leave(4);
  const Program program = s.compile();
  for (const Operation& operation : program.rank(0).operations) EXPECT_EQ(operation.kind, OpKind::kUnmodelled);
  EXPECT_EQ(program.reason(program.rank(0).reasons[1].text), "failed: MPI_ERR_RANK");
  EXPECT_EQ(s.tally().refused, 2U);
  EXPECT_THAT(s.tally().first_refused, HasSubstr("MPI_Put, rank 2 of a communicator of 2"));
}

}  // namespace
}  // namespace plumbline::replay
