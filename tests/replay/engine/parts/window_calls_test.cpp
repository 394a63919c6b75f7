// Calls on windows and reports of them by themselves.

#include "tests/replay/engine/parts/window_world.hpp"

#include <algorithm>
#include <functional>

namespace plumbline::replay::mpi::rma {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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
