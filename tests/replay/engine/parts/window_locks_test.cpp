// State, rules and locks of windows by themselves.

#include "tests/replay/engine/parts/window_world.hpp"

#include <algorithm>
#include <functional>

namespace plumbline::replay::mpi::rma {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// State.

TEST(WindowState, WhatARankHasWithOthersIsMadeOnceAndAscends) {
  Side side;
  peer_of(side, 3).posts = 1;
  peer_of(side, 0);
  peer_of(side, 2);
  EXPECT_EQ(peer_of(side, 3).posts, 1U);
  ASSERT_THAT(side.peers, SizeIs(3));
  EXPECT_EQ(side.peers[0].rank, 0U);
  EXPECT_EQ(side.peers[1].rank, 2U);
  EXPECT_EQ(side.peers[2].rank, 3U);
  EXPECT_EQ(find_peer(side, 1), nullptr);
  EXPECT_EQ(find_peer(side, 4), nullptr);
  EXPECT_EQ(find_peer(side, 2), &side.peers[1]);
}

TEST(WindowState, RanksOfWindowsBeginTheirCallsAtTheSimulatedTime) {
  LoneWindows lone("ranks 4\n" + std::string(kFourNodes) + "comm 1 = 2 0\nwindow 0 = comm 1 create\n", test::star(4));
  for (const std::uint32_t rank : {0U, 1U, 2U, 3U})
    EXPECT_EQ(lone.engine.must_synchronise(rank), rank == 0 || rank == 2) << rank;
  EXPECT_EQ(lone.windows.own(2, 0), 0U);
  EXPECT_EQ(lone.windows.world(0, 1), 0U);
}

// Rules.

TEST(WindowRules, TheLibraryAndItsParameterChooseTheWay) {
  const hw::Transports calls(test::star(3)), hardware(with_hardware());
  const std::vector<std::uint32_t> one_node{1, 1}, two_nodes{0, 1};
  EXPECT_EQ(way_of(kMpich, "", one_node, calls), WindowWay::kMessages);
  EXPECT_EQ(way_of("", "", two_nodes, hardware), WindowWay::kMessages);
  EXPECT_EQ(way_of(kOpenMpi, "", one_node, calls), WindowWay::kMemory);
  EXPECT_EQ(way_of(kOpenMpi, "", two_nodes, calls), WindowWay::kQueued);
  EXPECT_EQ(way_of(kOpenMpi, "", two_nodes, hardware), WindowWay::kMemory);
  EXPECT_EQ(way_of(kOpenMpi, "pt2pt", one_node, hardware), WindowWay::kQueued);
  EXPECT_EQ(way_of(kOpenMpi, "rdma", two_nodes, hardware), WindowWay::kMemory);
}

TEST(WindowRules, OneTransportThatNeedsTheCpuIsEnoughToQueue) {
  hw::Platform platform = with_hardware();
  platform.pairs.push_back({1, 1, 2, 2, test::star(1).between});  // between nodes 1 and 2
  const hw::Transports transports(platform);
  EXPECT_EQ(way_of(kOpenMpi, "", std::vector<std::uint32_t>{0, 1, 3}, transports), WindowWay::kMemory);
  EXPECT_EQ(way_of(kOpenMpi, "", std::vector<std::uint32_t>{0, 1, 2}, transports), WindowWay::kQueued);
  EXPECT_EQ(way_of(kOpenMpi, "", std::vector<std::uint32_t>{2, 0, 0, 1}, transports), WindowWay::kQueued);
}

TEST(WindowRules, OneTransportAmongAlikeNodesThatNeedsTheCpuIsEnoughToQueue) {
  hw::Platform platform = with_hardware();
  platform.pairs.push_back({2, 3, 2, 3, test::star(1).between});  // between nodes 2 and 3
  const hw::Transports transports(platform);
  EXPECT_EQ(way_of(kOpenMpi, "", std::vector<std::uint32_t>{0, 1, 2}, transports), WindowWay::kMemory);
  EXPECT_EQ(way_of(kOpenMpi, "", std::vector<std::uint32_t>{0, 1, 2, 3}, transports), WindowWay::kQueued);
}

TEST(WindowRules, UpTo32DoublesAreCombinedByAtomics) {
  EXPECT_TRUE(uses_atomics(OpKind::kRmaAccumulate, 256));
  EXPECT_FALSE(uses_atomics(OpKind::kRmaAccumulate, 257));
  EXPECT_TRUE(uses_atomics(OpKind::kRmaFetch, 0));
  EXPECT_FALSE(uses_atomics(OpKind::kRmaPut, 8));
  EXPECT_FALSE(uses_atomics(OpKind::kRmaGet, 8));
}

TEST(WindowRules, InMemoryTheOriginCopiesButForAtomicsOnMemoryThatMpiHasNotMade) {
  const auto means = [](WindowKind window, OpKind kind, std::uint64_t bytes) {
    return means_of(WindowWay::kMemory, {.window = window, .kind = kind, .bytes = bytes, .same_node = true});
  };
  EXPECT_EQ(means(WindowKind::kCreate, OpKind::kRmaPut, 8), Means::kDirect);
  EXPECT_EQ(means(WindowKind::kCreate, OpKind::kRmaAccumulate, 256), Means::kAnswered);
  EXPECT_EQ(means(WindowKind::kDynamic, OpKind::kRmaFetch, 8), Means::kAnswered);
  EXPECT_EQ(means(WindowKind::kCreate, OpKind::kRmaAccumulate, 257), Means::kDirect);
  EXPECT_EQ(means(WindowKind::kAllocate, OpKind::kRmaAccumulate, 8), Means::kDirect);
  EXPECT_EQ(means(WindowKind::kShared, OpKind::kRmaAccumulate, 8), Means::kDirect);
  EXPECT_EQ(means_of(WindowWay::kMemory, {.kind = OpKind::kRmaAccumulate, .bytes = 8}), Means::kInterface);
}

TEST(WindowRules, ByMessagesInterfacesOnlyMoveWhatTheyKnow) {
  const auto means = [](WindowKind window, OpKind kind, hw::Progress progress) {
    return means_of(WindowWay::kMessages, {.window = window, .kind = kind, .progress = progress});
  };
  using enum hw::Progress;
  EXPECT_EQ(means(WindowKind::kCreate, OpKind::kRmaPut, kHardware), Means::kInterface);
  EXPECT_EQ(means(WindowKind::kAllocate, OpKind::kRmaGet, kHardware), Means::kInterface);
  EXPECT_EQ(means(WindowKind::kCreate, OpKind::kRmaPut, kThread), Means::kAnswered);
  EXPECT_EQ(means(WindowKind::kDynamic, OpKind::kRmaPut, kHardware), Means::kAnswered);
  EXPECT_EQ(means(WindowKind::kCreate, OpKind::kRmaFetch, kHardware), Means::kAnswered);
  EXPECT_EQ(means_of(WindowWay::kQueued, {.window = WindowKind::kCreate, .progress = kHardware}), Means::kAnswered);
}

TEST(WindowRules, ControlNeedsTheCpuOfItsReaderUnlessMemoryDoesIt) {
  EXPECT_EQ(means_of_control(WindowWay::kMemory, true), Means::kDirect);
  EXPECT_EQ(means_of_control(WindowWay::kMemory, false), Means::kInterface);
  for (const bool same_node : {true, false}) {
    EXPECT_EQ(means_of_control(WindowWay::kQueued, same_node), Means::kAnswered);
    EXPECT_EQ(means_of_control(WindowWay::kMessages, same_node), Means::kAnswered);
  }
}

// Locks.

TEST(WindowLocks, AreGrantedInTheOrderInWhichTheyWereAskedFor) {
  LoneWindows lone = by_messages();
  Side& target = side_of(lone, 0);
  lock_requested(lone.windows, of_lock(What::kLockRequest, false, 1, 0), {});
  lock_requested(lone.windows, of_lock(What::kLockRequest, true, 2, 0), {});
  lock_requested(lone.windows, of_lock(What::kLockRequest, false, 3, 0), {});
  EXPECT_EQ(target.shared_holders, 1U);
  EXPECT_EQ(target.exclusive_holder, kNone);
  EXPECT_THAT(target.queue, SizeIs(2)) << "the shared one does not overtake the exclusive one";
  unlocked(lone.windows, of_lock(What::kUnlock, false, 1, 0), {});
  EXPECT_EQ(target.shared_holders, 0U);
  EXPECT_EQ(target.exclusive_holder, 2U);
  EXPECT_THAT(target.queue, SizeIs(1));
  unlocked(lone.windows, of_lock(What::kUnlock, true, 2, 0), {});
  EXPECT_EQ(target.shared_holders, 1U);
  EXPECT_EQ(target.exclusive_holder, kNone);
  EXPECT_THAT(target.queue, IsEmpty());
}

TEST(WindowLocks, OfTwoExclusiveOnesTheSecondWaits) {
  LoneWindows lone = by_messages();
  lock_requested(lone.windows, of_lock(What::kLockRequest, true, 2, 0), {});
  lock_requested(lone.windows, of_lock(What::kLockRequest, true, 1, 0), {});
  EXPECT_EQ(side_of(lone, 0).exclusive_holder, 2U);
  EXPECT_EQ(lone.engine.messages_sent, 1U) << "one grant";
  unlocked(lone.windows, of_lock(What::kUnlock, true, 2, 0), {});
  EXPECT_EQ(side_of(lone, 0).exclusive_holder, 1U);
  EXPECT_EQ(lone.engine.messages_sent, 3U) << "the answer to the unlock, and the other grant";
}

TEST(WindowLocks, SharedOnesBehindAnExclusiveOneAreGrantedTogether) {
  LoneWindows lone = by_messages();
  lock_requested(lone.windows, of_lock(What::kLockRequest, true, 1, 0), {});
  lock_requested(lone.windows, of_lock(What::kLockRequest, false, 2, 0), {});
  lock_requested(lone.windows, of_lock(What::kLockRequest, false, 3, 0), {});
  EXPECT_EQ(side_of(lone, 0).shared_holders, 0U);
  unlocked(lone.windows, of_lock(What::kUnlock, true, 1, 0), {});
  EXPECT_EQ(side_of(lone, 0).shared_holders, 2U);
}

TEST(WindowLocks, OnlyMessagesAnswerAnUnlock) {
  LoneWindows messages = by_messages(), memory = in_shared_memory();
  for (LoneWindows* lone : {&messages, &memory}) {
    side_of(*lone, 0).exclusive_holder = 1;
    unlocked(lone->windows, of_lock(What::kUnlock, true, 1, 0), {});
    EXPECT_EQ(side_of(*lone, 0).exclusive_holder, kNone);
  }
  EXPECT_EQ(messages.engine.messages_sent, 1U);
  EXPECT_EQ(memory.engine.messages_sent, 0U);
}

TEST(WindowLocks, InMemoryALockOfAllAndExclusiveOnesExcludeEachOther) {
  LoneWindows lone = in_shared_memory();
  lock_requested(lone.windows, of_lock(What::kLockRequest, true, 3, 2), {});
  lock_requested(lone.windows, of_all_locks(What::kLockRequest, 1), {});
  for (const std::uint32_t rank : {0U, 1U, 2U, 3U}) EXPECT_EQ(side_of(lone, rank).shared_holders, 0U);
  EXPECT_THAT(lone.windows.states[0].waiting_all, ElementsAre(1));
  unlocked(lone.windows, of_lock(What::kUnlock, true, 3, 2), {});
  for (const std::uint32_t rank : {0U, 1U, 2U, 3U}) EXPECT_EQ(side_of(lone, rank).shared_holders, 1U);
  EXPECT_THAT(lone.windows.states[0].waiting_all, IsEmpty());
  lock_requested(lone.windows, of_lock(What::kLockRequest, true, 3, 2), {});
  EXPECT_EQ(side_of(lone, 2).exclusive_holder, kNone);
  unlocked(lone.windows, of_all_locks(What::kUnlock, 1), {});
  EXPECT_EQ(side_of(lone, 2).exclusive_holder, 3U);
}

TEST(WindowLocks, AGrantIsKeptForTheRankThatGaveIt) {
  LoneWindows lone = by_messages();
  Side& own = side_of(lone, 1);
  own.asked = 2;
  for (const std::uint32_t asked : {0U, 2U}) peer_between(lone, 1, asked).lock = Lock::kAsked;
  granted(lone.windows, of_lock(What::kGrant, true, 2, 1));
  EXPECT_EQ(own.asked, 1U);
  EXPECT_EQ(peer_between(lone, 1, 0).lock, Lock::kAsked);
  EXPECT_EQ(peer_between(lone, 1, 2).lock, Lock::kExclusive);
  granted(lone.windows, of_lock(What::kGrant, false, 0, 1));
  EXPECT_EQ(own.asked, 0U);
  EXPECT_EQ(peer_between(lone, 1, 0).lock, Lock::kShared);
}

TEST(WindowLocks, ARankIsAskedOnceAndWithoutACheckNotAtAll) {
  LoneWindows lone = by_messages();
  ask_peer(lone.windows, 0, 1, 0, true, true);
  ask_peer(lone.windows, 0, 1, 0, true, true);
  ask_peer(lone.windows, 0, 1, 2, true, false);
  EXPECT_EQ(side_of(lone, 1).asked, 1U);
  EXPECT_EQ(lone.engine.messages_sent, 1U);
  EXPECT_EQ(peer_between(lone, 1, 0).lock, Lock::kAsked);
  EXPECT_EQ(peer_between(lone, 1, 2).lock, Lock::kUnchecked);
}

TEST(WindowLocks, ALockOfAllAsksEverybodyNobodyOrTheFirstRank) {
  const std::string locks_all = "rank 1\n win_lock_all 0\n";
  LoneWindows messages = by_messages(locks_all), kept = queued(locks_all), memory = in_shared_memory(locks_all);
  for (LoneWindows* lone : {&messages, &kept, &memory}) {
    ask(lone->windows, 0, 1, operation(*lone, 1));
    EXPECT_TRUE(side_of(*lone, 1).holds_all);
  }
  EXPECT_EQ(messages.engine.messages_sent, 3U);
  EXPECT_EQ(side_of(messages, 1).asked, 3U) << "its own is granted at once";
  EXPECT_EQ(peer_between(messages, 1, 1).lock, Lock::kShared);
  EXPECT_EQ(kept.engine.messages_sent, 0U);
  EXPECT_EQ(side_of(kept, 1).asked, 0U);
  EXPECT_EQ(peer_between(kept, 1, 1).lock, Lock::kShared);
  EXPECT_EQ(memory.engine.messages_sent, 1U);
  EXPECT_EQ(side_of(memory, 1).asked, 1U);
  EXPECT_EQ(memory.windows.control_messages[0].to, 0U);
}

TEST(WindowLocks, ALockOfAllWithoutACheckAsksNobodyAndIsNotHeld) {
  LoneWindows lone = by_messages("rank 1\n win_lock_all 0 nocheck\n");
  ask(lone.windows, 0, 1, operation(lone, 1));
  EXPECT_EQ(lone.engine.messages_sent, 0U);
  EXPECT_FALSE(side_of(lone, 1).holds_all);
}

TEST(WindowLocks, ReleasingAllTellsThoseWhoGranted) {
  LoneWindows lone = by_messages("rank 1\n win_unlock_all 0\n");
  side_of(lone, 1).holds_all = true;
  peer_between(lone, 1, 0).lock = Lock::kShared;
  peer_between(lone, 1, 2).lock = Lock::kUnchecked;
  peer_between(lone, 1, 3).lock = Lock::kExclusive;
  release(lone.windows, 0, 1, operation(lone, 1));
  EXPECT_EQ(lone.engine.messages_sent, 2U);
  EXPECT_EQ(side_of(lone, 1).unanswered, 2U);
  for (const Peer& peer : side_of(lone, 1).peers) EXPECT_EQ(peer.lock, Lock::kFree) << peer.rank;
  release(lone.windows, 0, 1, operation(lone, 1));
  EXPECT_EQ(lone.engine.messages_sent, 2U) << "nothing is held any more";
}

TEST(WindowLocks, AReleaseTellsHowManyTransfersCameBefore) {
  LoneWindows lone = queued("rank 1\n win_unlock 0 0\n");
  peer_between(lone, 1, 0).lock = Lock::kExclusive;
  peer_between(lone, 1, 0).issued = 7;
  release(lone.windows, 0, 1, operation(lone, 1));
  const ControlMessage& told = lone.windows.control_messages[0];
  EXPECT_EQ(told.what, What::kUnlock);
  EXPECT_EQ(told.count, 7U);
  EXPECT_TRUE(told.exclusive);
}

TEST(WindowLocks, AFlushAsksThoseToWhomSomethingWasSent) {
  const auto asked_by = [](const std::string& flush) {
    LoneWindows lone = queued("rank 1\n " + flush + "\n");
    peer_between(lone, 1, 0).issued = 2;
    peer_between(lone, 1, 2).issued = 0;
    peer_between(lone, 1, 3).issued = 1;
    rma::flush(lone.windows, 0, 1, operation(lone, 1));
    EXPECT_EQ(lone.engine.messages_sent, side_of(lone, 1).unanswered);
    return side_of(lone, 1).unanswered;
  };
  EXPECT_EQ(asked_by("win_flush_all 0"), 2U);
  EXPECT_EQ(asked_by("win_flush 0 3"), 1U);
  EXPECT_EQ(asked_by("win_flush 0 2"), 0U);
  EXPECT_EQ(asked_by("win_flush_local_all 0"), 0U);
}

TEST(WindowLocks, ALockIsGrantedIfTheOneThatTheCallIsAboutIs) {
  const LoneWindows lone = by_messages("rank 1\n win_lock 0 2\n win_lock 0 3\n win_lock 0 0\n win_lock_all 0\n");
  Side own;
  own.asked = 1;
  peer_of(own, 2).lock = Lock::kAsked;
  peer_of(own, 3).lock = Lock::kShared;
  EXPECT_FALSE(is_granted(own, operation(lone, 1, 0)));
  EXPECT_TRUE(is_granted(own, operation(lone, 1, 1)));
  EXPECT_TRUE(is_granted(own, operation(lone, 1, 2))) << "nobody has asked";
  EXPECT_FALSE(is_granted(own, operation(lone, 1, 3)));
}

}  // namespace
}  // namespace plumbline::replay::mpi::rma
