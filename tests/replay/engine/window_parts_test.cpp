// The parts of one-sided communication, each by itself on a state made by hand. Numbers of support.hpp: 1 µs to send,
// 2 µs to receive; a message without bytes is there 5 µs after it has been sent, one of n thousand bytes 5 + 5 n µs
// after; memory takes 1 µs for a thousand bytes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parts.hpp"
#include "replay/mpi/engine_calls.hpp"
#include "replay/mpi/window_calls.hpp"
#include "replay/mpi/window_control.hpp"
#include "replay/mpi/window_locks.hpp"
#include "replay/mpi/window_report.hpp"
#include "replay/mpi/window_rules.hpp"
#include "replay/mpi/window_transfers.hpp"
#include "support.hpp"

namespace plumbline::replay::mpi::rma {
namespace {

using test::at_us;
using test::block;
using test::handle_all;
using test::LoneWindows;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kMpich[] = "MPICH 4.0.2", kOpenMpi[] = "Open MPI v4.1.4";

// Window 0 of four ranks.
std::string window_of(const std::string& library, const std::string& nodes, const std::string& body) {
  return "ranks 4\n" + nodes + "property library = \"" + library + "\"\nwindow 0 = comm 0 create\n" + body;
}

constexpr char kFourNodes[] =
    "node n0 ranks 0-0 cores 1\nnode n1 ranks 1-1 cores 1\nnode n2 ranks 2-2 cores 1\nnode n3 ranks 3-3 cores 1\n";

hw::Platform with_hardware() {
  hw::Platform platform = test::star(4);
  platform.between.progress = hw::Progress::kHardware;
  return platform;
}

LoneWindows by_messages(const std::string& body = "") {
  return LoneWindows(window_of(kMpich, kFourNodes, body), test::star(4));
}
LoneWindows queued(const std::string& body = "") {
  return LoneWindows(window_of(kOpenMpi, kFourNodes, body), test::star(4));
}
LoneWindows in_shared_memory(const std::string& body = "") {
  return LoneWindows(window_of(kOpenMpi, "node n0 ranks 0-3 cores 4\n", body), test::star(1));
}
LoneWindows by_interfaces(const std::string& body = "") {
  return LoneWindows(window_of(kOpenMpi, kFourNodes, body), with_hardware());
}

const Operation& operation(const LoneWindows& lone, std::uint32_t rank, std::uint32_t index = 0) {
  return lone.program.rank(rank).operations[index];
}

Side& side_of(LoneWindows& lone, std::uint32_t rank) { return side(lone.windows, 0, rank); }
Peer& peer_between(LoneWindows& lone, std::uint32_t rank, std::uint32_t other) {
  return peer_of(side_of(lone, rank), other);
}

void block_all(LoneWindows& lone) {
  for (std::uint32_t rank = 0; rank < lone.program.ranks(); ++rank) block(lone.engine, rank);
}

// The reader has taken the control message at its clock.
void deliver(LoneWindows& lone, const ControlMessage& control) {
  const std::uint32_t request = request_for(lone.windows, control.to, control);
  taken(lone.windows, lone.engine.requests[request].owner & ~kControlMessage, {});
}

// What is done to a lock of rank `to`.
ControlMessage of_lock(What what, bool exclusive, std::uint32_t from, std::uint32_t to) {
  return {.what = what, .exclusive = exclusive, .window = 0, .from = from, .to = to};
}
ControlMessage of_all_locks(What what, std::uint32_t from) {
  return {.what = what, .all = true, .window = 0, .from = from, .to = 0};
}

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

// Control messages.

ControlMessage post_to(std::uint32_t to) { return {.what = What::kPost, .window = 0, .from = 1, .to = to}; }

TEST(WindowControl, WhatARankTellsItselfIsThereAtOnce) {
  LoneWindows lone = by_messages();
  tell(lone.windows, post_to(1), {});
  EXPECT_EQ(peer_between(lone, 1, 1).posts, 1U);
  EXPECT_EQ(lone.engine.messages_sent, 0U);
  EXPECT_EQ(lone.engine.rank(1).clock, Time{});
}

TEST(WindowControl, AMessageIsTakenByTheCpuOfARankInMpi) {
  LoneWindows lone = by_messages();
  block(lone.engine, 0);
  tell(lone.windows, post_to(0), {});
  tell(lone.windows, post_to(2), {});  // which computes
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(2));
  handle_all(lone);
  EXPECT_EQ(peer_between(lone, 0, 1).posts, 1U);
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(1 + 5 + 2));
  EXPECT_EQ(peer_between(lone, 2, 1).posts, 0U);
  lone.engine.rank(2).clock = at_us(50);
  enter(lone.engine, 2);
  progress(lone.engine, 2);
  EXPECT_EQ(peer_between(lone, 2, 1).posts, 1U);
  EXPECT_EQ(lone.engine.rank(2).clock, at_us(52));
}

TEST(WindowControl, InSharedMemoryOnlyWhoTellsSpendsTime) {
  LoneWindows lone = in_shared_memory();
  tell(lone.windows, post_to(0), at_us(5));
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(6));
  handle_all(lone);
  EXPECT_EQ(lone.queue.now(), at_us(6));
  EXPECT_EQ(peer_between(lone, 0, 1).posts, 1U);
  EXPECT_EQ(lone.engine.rank(0).clock, Time{});
}

TEST(WindowControl, InterfacesTellAndAnswerWithoutTheOther) {
  LoneWindows lone = by_interfaces();
  tell(lone.windows, post_to(0), {});
  handle_all(lone);
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(1));
  EXPECT_EQ(lone.queue.now(), at_us(6));
  EXPECT_EQ(peer_between(lone, 0, 1).posts, 1U);
  side_of(lone, 1).unanswered = 1;
  answer(lone.windows, What::kAnswer, post_to(0), at_us(6));
  handle_all(lone);
  EXPECT_EQ(lone.queue.now(), at_us(11));
  EXPECT_EQ(side_of(lone, 1).unanswered, 0U);
  EXPECT_EQ(lone.engine.rank(0).clock, Time{});
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(1));
}

ControlMessage complete_of(std::uint32_t from, std::uint64_t count) {
  return {.what = What::kComplete, .window = 0, .from = from, .to = 0, .count = count};
}

TEST(WindowControl, WhatHasOvertakenTransfersWaitsForTheLastOfThem) {
  LoneWindows lone = queued();
  peer_between(lone, 0, 1).carried_out = 1;
  peer_between(lone, 0, 2).carried_out = 3;
  deliver(lone, complete_of(1, 2));
  EXPECT_EQ(side_of(lone, 0).completes, 0U);
  deliver(lone, complete_of(2, 3));
  EXPECT_EQ(side_of(lone, 0).completes, 1U);
  act_on_early(lone.windows, 0, 0, {});
  EXPECT_EQ(side_of(lone, 0).completes, 1U);
  peer_between(lone, 0, 1).carried_out = 2;
  act_on_early(lone.windows, 0, 0, {});
  EXPECT_EQ(side_of(lone, 0).completes, 2U);
  EXPECT_EQ(peer_between(lone, 0, 1).completes, 1U);
  EXPECT_THAT(side_of(lone, 0).early, IsEmpty());
}

TEST(WindowControl, WhatIsStillEarlyStaysBehindWhatIsNot) {
  LoneWindows lone = queued();
  for (const std::uint32_t from : {1U, 2U, 3U}) deliver(lone, complete_of(from, 1));
  EXPECT_THAT(side_of(lone, 0).early, SizeIs(3));
  for (const std::uint32_t from : {1U, 3U}) peer_between(lone, 0, from).carried_out = 1;
  act_on_early(lone.windows, 0, 0, {});
  ASSERT_THAT(side_of(lone, 0).early, SizeIs(1));
  EXPECT_EQ(side_of(lone, 0).early[0].from, 2U);
}

TEST(WindowControl, WhereTransfersAreAnsweredNothingIsEarly) {
  LoneWindows lone = by_messages();
  deliver(lone, complete_of(1, 2));
  EXPECT_EQ(side_of(lone, 0).completes, 1U);
}

TEST(WindowControl, ItsRequestBelongsToItsReaderAndItsNumberIsFreeWhenItIsTaken) {
  LoneWindows lone = by_messages();
  const std::uint32_t request = request_for(lone.windows, 2, post_to(2));
  EXPECT_EQ(rank_of(lone.engine, lone.engine.requests[request]), 2U);
  taken(lone.windows, 0, {});
  const std::uint32_t other = request_for(lone.windows, 3, post_to(3));
  EXPECT_NE(other, request);
  EXPECT_THAT(lone.windows.control_messages, SizeIs(1));
  EXPECT_EQ(rank_of(lone.engine, lone.engine.requests[other]), 3U);
}

// Transfers.

TEST(WindowTransfers, ByMessagesTheTargetTakesThemInMpiAndAnswers) {
  LoneWindows lone = by_messages("rank 0\n put 0 1 1000B\n accumulate 0 1 1000B\n");
  block_all(lone);
  issue(lone.windows, 0, operation(lone, 0, 0));
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(1));
  EXPECT_EQ(side_of(lone, 0).outstanding, 1U);
  EXPECT_EQ(peer_between(lone, 0, 1).issued, 1U);
  EXPECT_EQ(side_of(lone, 1).to_come, 1U);
  handle_all(lone);
  EXPECT_EQ(side_of(lone, 1).carried_out, 1U);
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(11 + 2 + 1));  // takes and answers
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(14 + 5 + 2));
  EXPECT_EQ(side_of(lone, 0).outstanding, 0U);
  issue(lone.windows, 0, operation(lone, 0, 1));  // there at 22 + 10
  handle_all(lone);
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(32 + 2 + 1 + 1)) << "combines too";
}

TEST(WindowTransfers, ToItselfARankPassesOverItsMemoryAtOnce) {
  LoneWindows lone = by_messages("rank 0\n put 0 0 1000B\n");
  issue(lone.windows, 0, operation(lone, 0));
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(1));
  EXPECT_EQ(side_of(lone, 0).outstanding, 0U);
  EXPECT_EQ(lone.engine.messages_sent, 0U);
}

TEST(WindowTransfers, InSharedMemoryTheCallCopies) {
  LoneWindows lone = in_shared_memory("rank 0\n put 0 1 2000B\n");
  issue(lone.windows, 0, operation(lone, 0));
  EXPECT_EQ(lone.windows.calls[0].transfer, 0U);
  handle_all(lone);
  EXPECT_EQ(lone.windows.calls[0].transfer, kNone);
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(1 + 2));
  EXPECT_EQ(lone.engine.rank(1).clock, Time{});
  EXPECT_EQ(side_of(lone, 0).outstanding, 0U);
}

TEST(WindowTransfers, QueuedOnesAreKeptUntilTheTargetHasLetTheOriginIn) {
  LoneWindows lone = queued("rank 0\n put 0 1 0B\n put 0 1 0B\n put 0 2 0B\n");
  ask_peer(lone.windows, 0, 0, 1, false, true);
  const std::uint64_t asked = lone.engine.messages_sent;
  issue(lone.windows, 0, operation(lone, 0, 0));
  issue(lone.windows, 0, operation(lone, 0, 1));
  EXPECT_EQ(lone.engine.messages_sent, asked);
  issue(lone.windows, 0, operation(lone, 0, 2));
  EXPECT_EQ(lone.engine.messages_sent, asked + 1) << "nobody was asked for rank 2";
  granted(lone.windows, of_lock(What::kGrant, false, 1, 0));
  EXPECT_EQ(lone.engine.messages_sent, asked + 3);
  std::vector<std::uint32_t> order;
  for (const ControlMessage& control : lone.windows.control_messages)
    if (control.what == What::kThere) order.push_back(control.transfer);
  EXPECT_THAT(order, ElementsAre(2, 0, 1));
}

TEST(WindowTransfers, AllAreKeptWhileOnePostIsMissing) {
  LoneWindows lone = queued("rank 0\n put 0 1 0B\n");
  side_of(lone, 0).awaited_posts = 1;  // of rank 2
  issue(lone.windows, 0, operation(lone, 0));
  EXPECT_EQ(lone.engine.messages_sent, 0U);
  EXPECT_EQ(side_of(lone, 0).outstanding, 1U);
}

TEST(WindowTransfers, TheNumberOfAnUnansweredOneIsFreeWhenBothAreDone) {
  LoneWindows lone = queued("rank 0\n put 0 1 1000B\n");
  issue(lone.windows, 0, operation(lone, 0));
  EXPECT_EQ(side_of(lone, 0).outstanding, 0U) << "its origin is done when it is sent";
  EXPECT_EQ(lone.windows.free_transfers, kNone);
  block(lone.engine, 1);
  handle_all(lone);
  EXPECT_EQ(side_of(lone, 1).carried_out, 1U);
  EXPECT_EQ(lone.windows.free_transfers, 0U);
}

TEST(WindowTransfers, OnlyPt2ptDoesNotAnswerWhatGivesNothing) {
  const LoneWindows kept = queued(), messages = by_messages();
  const auto transfer = [](OpKind kind, Means means = Means::kAnswered) {
    Transfer t;
    t.kind = kind;
    t.means = means;
    return t;
  };
  EXPECT_FALSE(is_answered(kept.windows, transfer(OpKind::kRmaPut)));
  EXPECT_FALSE(is_answered(kept.windows, transfer(OpKind::kRmaAccumulate)));
  EXPECT_TRUE(is_answered(kept.windows, transfer(OpKind::kRmaGet)));
  EXPECT_TRUE(is_answered(kept.windows, transfer(OpKind::kRmaFetch)));
  EXPECT_TRUE(is_answered(kept.windows, transfer(OpKind::kRmaPut, Means::kOwn)));
  EXPECT_TRUE(is_answered(messages.windows, transfer(OpKind::kRmaPut)));
}

TEST(WindowTransfers, ByInterfacesAnAccumulateLocksUnlessItsRankHasAnExclusiveLock) {
  const auto messages_of = [](const std::string& accumulate, Lock held) {
    LoneWindows lone = by_interfaces("rank 0\n " + accumulate + "\n");
    peer_between(lone, 0, 1).lock = held;
    issue(lone.windows, 0, operation(lone, 0));
    handle_all(lone);
    EXPECT_EQ(side_of(lone, 0).outstanding, 0U);
    return lone.engine.messages_sent;
  };
  EXPECT_EQ(messages_of("accumulate 0 1 1000B", Lock::kShared), 6U);  // lock, get, put: there and back
  EXPECT_EQ(messages_of("accumulate 0 1 1000B", Lock::kExclusive), 4U);
  EXPECT_EQ(messages_of("accumulate 0 1 256B", Lock::kShared), 4U);  // lock, atomics
  EXPECT_EQ(messages_of("accumulate 0 1 256B", Lock::kExclusive), 2U);
}

TEST(WindowTransfers, TheRequestOfOneIsCompleteWhenItsOriginIsDone) {
  LoneWindows lone = by_messages("rank 0\n rput 0 1 0B -> a\n wait a\n");
  block_all(lone);
  issue(lone.windows, 0, operation(lone, 0));
  const auto request = [&] { return lone.engine.requests[lone.engine.request_of_slot(0, 0)]; };
  EXPECT_EQ(request().state, Request::State::kPending);
  handle_all(lone);
  EXPECT_EQ(request().state, Request::State::kComplete);
  EXPECT_EQ(request().at, at_us(6 + 2 + 1 + 5 + 2));
}

TEST(WindowTransfers, ALargeOneAsksFirst) {
  LoneWindows lone = by_messages("rank 0\n put 0 1 1001B\n");
  const std::uint32_t origin = lone.engine.rank(0).reactive, target = lone.engine.rank(1).reactive;
  issue(lone.windows, 0, operation(lone, 0));
  EXPECT_EQ(lone.engine.messages[0].stage, Message::Stage::kRequest);
  EXPECT_EQ(lone.engine.rank(0).reactive, origin + 1);
  EXPECT_EQ(lone.engine.rank(1).reactive, target + 1);
}

// Calls.

TEST(WindowCalls, ALockIsAMessageThereAndBack) {
  LoneWindows lone = by_messages("rank 1\n win_lock 0 0 exclusive\n");
  block_all(lone);
  call(lone.windows, 1, operation(lone, 1));
  EXPECT_EQ(lone.engine.rank(1).pending, 1U);
  handle_all(lone);
  EXPECT_EQ(lone.engine.rank(1).pending, 0U);
  EXPECT_THAT(lone.engine.ready, ElementsAre(1));
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(1 + 5 + 2 + 1 + 5 + 2));
}

TEST(WindowCalls, InMemoryAnExclusiveLockAsksTheFirstRankBeforeTheTarget) {
  LoneWindows lone = in_shared_memory("rank 1\n win_lock 0 2 exclusive\nrank 3\n win_lock 0 2\n");
  call(lone.windows, 1, operation(lone, 1));
  EXPECT_EQ(lone.windows.control_messages[0].what, What::kVisit);
  EXPECT_EQ(lone.windows.control_messages[0].to, 0U);
  handle_all(lone);
  EXPECT_EQ(side_of(lone, 2).exclusive_holder, 1U);
  EXPECT_EQ(lone.engine.rank(1).pending, 0U);
  lone.engine.rank(3).clock = at_us(10);
  call(lone.windows, 3, operation(lone, 3));
  handle_all(lone);
  EXPECT_THAT(side_of(lone, 2).queue, SizeIs(1)) << "a shared one goes to the target";
}

TEST(WindowCalls, AStartWaitsForThePostOfEachOfItsGroupOnce) {
  LoneWindows lone = by_messages("rank 0\n win_start 0 group 1 2\n");
  call(lone.windows, 0, operation(lone, 0));
  EXPECT_EQ(side_of(lone, 0).awaited_posts, 2U);
  post_came(lone.windows, 0, 0, 1);
  post_came(lone.windows, 0, 0, 1);  // for the next epoch
  post_came(lone.windows, 0, 0, 3);  // likewise
  EXPECT_EQ(side_of(lone, 0).awaited_posts, 1U);
  EXPECT_EQ(peer_between(lone, 0, 1).posts, 1U);
  EXPECT_EQ(peer_between(lone, 0, 3).posts, 1U);
  settle(lone.windows, 0, 0, {});
  EXPECT_EQ(lone.engine.rank(0).pending, 1U);
  post_came(lone.windows, 0, 0, 2);
  settle(lone.windows, 0, 0, at_us(9));
  EXPECT_EQ(lone.engine.rank(0).pending, 0U);
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(9));
}

TEST(WindowCalls, APostThatWasThereBeforeTheStartIsUsedUp) {
  LoneWindows lone = by_messages("rank 0\n win_start 0 group 1\n win_start 0 group 1\n");
  post_came(lone.windows, 0, 0, 1);
  call(lone.windows, 0, operation(lone, 0, 0));
  EXPECT_EQ(lone.engine.rank(0).pending, 0U);
  EXPECT_EQ(peer_between(lone, 0, 1).posts, 0U);
  call(lone.windows, 0, operation(lone, 0, 1));
  EXPECT_EQ(lone.engine.rank(0).pending, 1U);
}

TEST(WindowCalls, TheLastPostBeginsWhatWasKept) {
  LoneWindows lone = queued("rank 0\n win_start 0 group 1 2\n put 0 1 0B\n put 0 2 0B\n");
  call(lone.windows, 0, operation(lone, 0, 0));
  EXPECT_EQ(lone.engine.rank(0).pending, 0U) << "it goes on";
  call(lone.windows, 0, operation(lone, 0, 1));
  call(lone.windows, 0, operation(lone, 0, 2));
  post_came(lone.windows, 0, 0, 1);
  EXPECT_EQ(lone.engine.messages_sent, 0U);
  post_came(lone.windows, 0, 0, 2);
  EXPECT_EQ(lone.engine.messages_sent, 2U);
}

// Of what has been sent and not been taken.
std::vector<What> sent_after(const LoneWindows& lone, std::size_t first) {
  std::vector<What> sent;
  for (std::size_t i = first; i < lone.windows.control_messages.size(); ++i)
    sent.push_back(lone.windows.control_messages[i].what);
  return sent;
}

TEST(WindowCalls, ACompleteIsToldBehindAllThatWasKept) {
  LoneWindows lone = queued("rank 0\n win_start 0 group 1 2\n put 0 1 0B\n put 0 1 0B\n put 0 2 0B\n win_complete 0\n");
  for (const std::uint32_t index : {0U, 1U, 2U, 3U, 4U}) call(lone.windows, 0, operation(lone, 0, index));
  EXPECT_EQ(lone.engine.rank(0).pending, 1U);
  for (const std::uint32_t target : {1U, 2U})
    deliver(lone, {.what = What::kPost, .window = 0, .from = target, .to = 0});
  EXPECT_THAT(sent_after(lone, 0),
              ElementsAre(What::kThere, What::kThere, What::kThere, What::kComplete, What::kComplete));
  EXPECT_EQ(lone.engine.rank(0).pending, 0U);
}

TEST(WindowCalls, AnUnlockIsToldBehindAllThatWasKept) {
  LoneWindows lone = queued("rank 0\n win_lock 0 1\n put 0 1 0B\n put 0 1 0B\n win_unlock 0 1\n");
  for (const std::uint32_t index : {0U, 1U, 2U, 3U}) call(lone.windows, 0, operation(lone, 0, index));
  deliver(lone, of_lock(What::kGrant, false, 1, 0));
  EXPECT_THAT(sent_after(lone, 1), ElementsAre(What::kThere, What::kThere, What::kUnlock));  // behind the request
}

TEST(WindowCalls, AWaitIsOverWhenAllOfItsGroupHaveCompleted) {
  LoneWindows lone = by_messages("rank 0\n win_post 0 group 1 2\n win_wait 0\n");
  call(lone.windows, 0, operation(lone, 0, 0));
  EXPECT_EQ(lone.engine.messages_sent, 2U);
  call(lone.windows, 0, operation(lone, 0, 1));
  block(lone.engine, 0);
  deliver(lone, complete_of(2, 0));
  EXPECT_THAT(lone.engine.ready, IsEmpty());
  deliver(lone, complete_of(1, 0));
  EXPECT_THAT(lone.engine.ready, ElementsAre(0));
  EXPECT_EQ(side_of(lone, 0).completes, 0U) << "they are used up";
  EXPECT_EQ(peer_between(lone, 0, 1).completes, 0U);
  EXPECT_THAT(side_of(lone, 0).posted, IsEmpty());
}

TEST(WindowCalls, AChangeOfAnotherWindowDoesNotConcernACall) {
  LoneWindows lone(window_of(kMpich, kFourNodes, "window 1 = comm 0 create\nrank 1\n win_lock 0 0 exclusive\n"),
                   test::star(4));
  call(lone.windows, 1, operation(lone, 1));
  peer_between(lone, 1, 0).lock = Lock::kExclusive;  // granted meanwhile
  settle(lone.windows, 1, 1, at_us(20));
  EXPECT_EQ(lone.engine.rank(1).pending, 1U);
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(1));
  settle(lone.windows, 0, 1, at_us(20));
  EXPECT_EQ(lone.engine.rank(1).pending, 0U);
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(20));
}

TEST(WindowCalls, AWindowIsForgottenWhenAllHaveFreedIt) {
  LoneWindows lone("ranks 4\n" + std::string(kFourNodes) +
                       "comm 1 = 0 1\nwindow 0 = comm 1 create\nrank 0\n win_free 0\nrank 1\n win_free 0\n",
                   test::star(4));
  block_all(lone);
  call(lone.windows, 0, operation(lone, 0));
  handle_all(lone);
  EXPECT_THAT(lone.windows.states[0].sides, SizeIs(2)) << "rank 1 has not come";
  lone.engine.rank(1).clock = at_us(50);
  call(lone.windows, 1, operation(lone, 1));
  handle_all(lone);
  EXPECT_EQ(lone.windows.states[0].freed, 2U);
  EXPECT_THAT(lone.windows.states[0].sides, IsEmpty());
}

// Reports.

std::vector<std::string> texts(const LoneWindows& lone, std::uint32_t rank) {
  std::vector<std::string> found;
  for (const Missing& one : missing(lone.windows, rank)) found.push_back(one.text);
  return found;
}

TEST(WindowReport, NothingIsMissingWhereNoCallIsInHand) {
  LoneWindows lone = by_messages();
  side_of(lone, 0).outstanding = 1;
  peer_between(lone, 0, 1).outstanding = 1;
  EXPECT_THAT(texts(lone, 0), IsEmpty());
}

TEST(WindowReport, OfAStartThoseWhoHaveNotPostedByTheirWorldRanks) {
  LoneWindows lone("ranks 4\n" + std::string(kFourNodes) +
                       "comm 1 = 3 2 1 0\nwindow 0 = comm 1 create\nrank 3\n win_start 0 group 1 2\n",
                   test::star(4));
  call(lone.windows, 3, operation(lone, 3));
  EXPECT_THAT(texts(lone, 3), ElementsAre("rank 2 to post window 0", "rank 1 to post window 0"));
  post_came(lone.windows, 0, 0, 1);
  EXPECT_THAT(texts(lone, 3), ElementsAre("rank 1 to post window 0"));
}

TEST(WindowReport, OfAWaitThoseWhoHaveNotCompleted) {
  LoneWindows lone = by_messages("rank 0\n win_post 0 group 1 2\n win_wait 0\n");
  call(lone.windows, 0, operation(lone, 0, 0));
  call(lone.windows, 0, operation(lone, 0, 1));
  deliver(lone, complete_of(2, 0));
  EXPECT_THAT(texts(lone, 0), ElementsAre("rank 1 to complete its access to window 0"));
}

TEST(WindowReport, OfALockThoseWhoHoldItAndNotThoseWhoAskToo) {
  LoneWindows lone = by_messages("rank 1\n win_lock 0 0 exclusive\n");
  call(lone.windows, 1, operation(lone, 1));
  peer_between(lone, 2, 0).lock = Lock::kShared;
  peer_between(lone, 3, 0).lock = Lock::kAsked;
  EXPECT_THAT(texts(lone, 1), ElementsAre("rank 2 to unlock window 0 of rank 0"));
  peer_between(lone, 2, 0).lock = Lock::kFree;
  side_of(lone, 3).holds_all = true;
  EXPECT_THAT(texts(lone, 1), ElementsAre("rank 3 to unlock window 0 of rank 0"));
  side_of(lone, 3).asked = 1;
  EXPECT_THAT(texts(lone, 1), IsEmpty()) << "it does not hold all yet";
}

TEST(WindowReport, OfAFlushThoseWhoHaveNotAnswered) {
  LoneWindows lone = by_messages("rank 0\n put 0 2 0B\n win_flush_all 0\n");
  call(lone.windows, 0, operation(lone, 0, 0));
  call(lone.windows, 0, operation(lone, 0, 1));
  peer_between(lone, 0, 1);  // nothing is outstanding with it
  EXPECT_THAT(texts(lone, 0), ElementsAre("rank 2 to answer what was sent to window 0"));
}

}  // namespace
}  // namespace plumbline::replay::mpi::rma
