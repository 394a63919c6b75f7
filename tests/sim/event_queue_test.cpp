#include "sim/event_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include "sim/random.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::sim {
namespace {

bool same(const Event& a, const Event& b) { return order(a, b) == 0 && a.payload == b.payload; }

TEST(EventQueue, GivesEventsInOrderOfTime) {
  EventQueue queue;
  for (const std::int64_t at : {30, 10, 20}) queue.push({.at = {at}});
  EXPECT_EQ(queue.size(), 3U);
  EXPECT_EQ(queue.pop().at, Time{10});
  EXPECT_EQ(queue.now(), Time{10});
  EXPECT_EQ(queue.pop().at, Time{20});
  EXPECT_EQ(queue.pop().at, Time{30});
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, OrdersEqualTimesByContentWhateverTheOrderOfPushing) {
  // Fields after the time, in the order in which they count.
  std::vector<Event> events{{{5}, 0, 9, 9, 9, 9, 0}, {{5}, 1, 0, 9, 9, 9, 1}, {{5}, 1, 1, 0, 9, 9, 2},
                            {{5}, 1, 1, 1, 0, 9, 3}, {{5}, 1, 1, 1, 1, 0, 4}, {{5}, 1, 1, 1, 1, 1, 5}};
  std::vector<std::uint32_t> permutation{0, 1, 2, 3, 4, 5};
  do {
    EventQueue queue;
    for (const std::uint32_t i : permutation) queue.push(events[i]);
    for (std::uint32_t i = 0; i < events.size(); ++i) ASSERT_EQ(queue.pop().payload, i);
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

TEST(EventQueue, AnEventForThePresentIsDueInTheNextRound) {
  EventQueue queue;
  queue.push({.at = {5}, .component = 2});
  queue.push({.at = {5}, .component = 4});
  EXPECT_EQ(queue.pop().component, 2U);
  queue.push({.at = {5}, .component = 3});
  queue.push({.at = {5}, .component = 1});
  EXPECT_EQ(queue.pop().component, 4U);
  EXPECT_EQ(queue.round(), 0U);
  EXPECT_EQ(queue.pop().component, 1U);
  EXPECT_EQ(queue.pop().component, 3U);
  EXPECT_EQ(queue.round(), 1U);
}

std::vector<std::uint32_t> handed_over(EventQueue& queue) {
  EXPECT_EQ(queue.pop().kind, Event::kSignals);
  std::vector<std::uint32_t> payloads(queue.signals().begin(), queue.signals().end());
  std::sort(payloads.begin(), payloads.end());
  return payloads;
}

TEST(EventQueue, SignalsOfARoundComeTogetherAfterItsEvents) {
  EventQueue queue;
  queue.push_signal({{5}, 0, 10});
  queue.push({.at = {5}, .component = 2});
  queue.push_signal({{7}, 0, 40});
  queue.push_signal({{5}, 2, 30});
  queue.push_signal({{5}, 0, 11});
  EXPECT_EQ(queue.size(), 5U);
  EXPECT_EQ(queue.pop().component, 2U);
  EXPECT_EQ(queue.earliest_round({5}), 0U);
  queue.push_signal({{5}, 0, 12});  // of an event: the same round
  EXPECT_EQ(handed_over(queue), (std::vector<std::uint32_t>{10, 11, 12}));
  EXPECT_EQ(queue.earliest_round({5}), 1U);
  EXPECT_EQ(queue.earliest_round({6}), 0U);
  queue.push_signal({{5}, 1, 20});
  EXPECT_EQ(handed_over(queue), (std::vector<std::uint32_t>{20}));
  EXPECT_EQ(queue.round(), 1U);
  EXPECT_EQ(handed_over(queue), (std::vector<std::uint32_t>{30}));
  EXPECT_EQ(queue.round(), 2U);
  EXPECT_EQ(handed_over(queue), (std::vector<std::uint32_t>{40}));
  EXPECT_EQ(queue.now(), Time{7});
  EXPECT_EQ(queue.round(), 0U);
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, MovesOnToTheNextRoundWhereNothingIsPending) {
  EventQueue queue;
  queue.push_signal({{5}, 0, 1});
  queue.push_signal({{6}, 0, 2});
  queue.pop();
  EXPECT_TRUE(queue.begin_next_round_alone());
  EXPECT_EQ(queue.earliest_round({5}), 2U);
  queue.push_signal({{5}, 2, 3});
  EXPECT_FALSE(queue.begin_next_round_alone());
  EXPECT_EQ(handed_over(queue), (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(handed_over(queue), (std::vector<std::uint32_t>{2}));
}

TEST(EventQueue, GivesTheNextSignalsAloneOnlyWhereNoEventIsBeforeThem) {
  EventQueue queue;
  queue.push_signal({{5}, 0, 1});
  queue.push_signal({{5}, 3, 2});
  queue.push_signal({{600}, 1, 3});
  queue.push_signal({{70'000}, 0, 4});
  queue.push({.at = {70'000}});
  Event event;
  EXPECT_FALSE(queue.pop_signals(event)) << "nobody has begun with signals";
  event = queue.pop();
  EXPECT_TRUE(queue.pop_signals(event));
  EXPECT_EQ(queue.signals().front(), 2U);
  EXPECT_EQ(queue.round(), 3U);
  EXPECT_TRUE(queue.pop_signals(event));
  EXPECT_EQ(queue.signals().front(), 3U);
  EXPECT_EQ(event.at, Time{600});
  EXPECT_EQ(queue.round(), 1U);
  EXPECT_FALSE(queue.pop_signals(event)) << "the event is before the signal";
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_NE(queue.pop().kind, Event::kSignals);
  EXPECT_EQ(handed_over(queue), (std::vector<std::uint32_t>{4}));
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueueDeathTest, RefusesARoundThatIsOver) {
  EventQueue queue;
  queue.push_signal({{5}, 0, 1});
  queue.pop();
  EXPECT_DEATH(queue.push_signal({{5}, 0, 2}), "round that is over");
}

TEST(EventQueue, HoldsTheEndsOfTheTimeAxis) {
  EventQueue queue;
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t at : {std::int64_t{0}, kMost, kLeast, std::int64_t{-1}, std::int64_t{1}}) queue.push({{at}});
  for (const std::int64_t at : {kLeast, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, kMost})
    EXPECT_EQ(queue.pop().at, Time{at});
}

TEST(EventQueueDeathTest, RefusesThePast) {
  EventQueue queue;
  queue.push({{10}});
  queue.pop();
  queue.push({{10}});
  EXPECT_DEATH(queue.push({{9}}), "pushed into the past");
}

struct InItsRound {
  std::uint32_t round = 0;
  Event event;
  bool operator<(const InItsRound& other) const {
    if (event.at != other.event.at) return event.at < other.event.at;
    if (round != other.round) return round < other.round;
    return order(event, other.event) < 0;
  }
};

// Pushes and pops at random beside a std::multiset; steps of `steps` picoseconds make ties.
void compare_with_multiset(std::uint64_t seed, std::uint64_t steps, std::uint64_t contents) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", steps " << steps << ", contents " << contents);
  RandomStream random(seed, "queue against multiset");
  EventQueue queue;
  std::multiset<InItsRound> truth;
  Time now = queue.now();
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const bool push = truth.empty() || random.below(100) < (i % 4'000 < 2'000 ? 60U : 40U);
    if (push) {
      const std::int64_t ahead = static_cast<std::int64_t>(random.below(steps) << random.below(12));
      const std::uint32_t component = static_cast<std::uint32_t>(random.below(contents));
      const std::uint32_t source = static_cast<std::uint32_t>(random.below(contents));
      const Event event{now + picoseconds(ahead), component, component % 3, source, i, source % 2, i};
      queue.push(event);
      truth.insert({event.at == now ? queue.round() + 1 : 0, event});
    } else {
      const Event event = queue.pop();
      ASSERT_TRUE(same(event, truth.begin()->event)) << "event " << i;
      ASSERT_EQ(queue.round(), truth.begin()->round);
      truth.erase(truth.begin());
      now = event.at;
    }
    ASSERT_EQ(queue.size(), truth.size());
  }
  while (!truth.empty()) {
    ASSERT_TRUE(same(queue.pop(), truth.begin()->event));
    truth.erase(truth.begin());
  }
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, GivesTheOrderOfAMultiset) {
  const std::uint64_t seed = plumbline::test::random_seed();
  for (const std::uint64_t steps : {1U, 2U, 5U, 1'000U, 1'000'000'000U})
    for (const std::uint64_t contents : {1U, 4U, 1'000U}) compare_with_multiset(seed, steps, contents);
}

// Events and signals beside a std::multiset; signals are gone on with alone wherever that is possible.
void go_on_beside_multiset(std::uint64_t seed, std::uint64_t steps) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", steps " << steps);
  RandomStream random(seed, "signals against multiset");
  EventQueue queue;
  using Due = std::tuple<Time, std::uint32_t, bool>;  // signals come behind the events of a round
  std::multiset<Due> truth;
  Event event = {};
  std::uint32_t alone = 0;
  for (std::int64_t at = 0; at < 50; ++at) {
    queue.push_signal({{at}, 0, 0});
    truth.insert({Time{at}, 0, true});
  }
  for (std::uint32_t i = 0; i < 20'000 && !truth.empty(); ++i) {
    if (queue.pop_signals(event))
      ++alone;
    else
      event = queue.pop();
    const bool is_signal = event.kind == Event::kSignals;
    const Due due{event.at, queue.round(), is_signal};
    ASSERT_EQ(*truth.begin(), due) << "after " << i;
    const std::size_t count = is_signal ? queue.signals().size() : 1;
    ASSERT_TRUE(is_signal ? count == truth.count(due) : truth.count(due) > 0);
    for (std::size_t k = 0; k < count; ++k) truth.erase(truth.find(due));
    for (std::uint64_t more = random.below(truth.size() < 300 ? 4 : 2); more > 0; --more) {
      const Time at = event.at + picoseconds(static_cast<std::int64_t>(random.below(steps) << random.below(12)));
      if (random.below(8) == 0) {
        queue.push({.at = at, .component = i, .packet = static_cast<std::uint32_t>(more)});
        truth.insert({at, at == event.at ? queue.round() + 1 : 0, false});
      } else {
        const std::uint32_t round = queue.earliest_round(at) + static_cast<std::uint32_t>(random.below(2));
        queue.push_signal({at, round, i});
        truth.insert({at, round, true});
      }
    }
    ASSERT_EQ(queue.size(), truth.size());
  }
  EXPECT_GT(alone, 0U);
}

TEST(EventQueue, GoesOnWithSignalsInTheOrderOfAMultiset) {
  const std::uint64_t seed = plumbline::test::random_seed();
  for (const std::uint64_t steps : {5U, 1'000U, 1'000'000U, 1'000'000'000U}) go_on_beside_multiset(seed, steps);
}

}  // namespace
}  // namespace plumbline::sim
