#include "sim/event_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "sim/random.hpp"

namespace plumbline::sim {
namespace {

struct Earlier {
  bool operator()(const Event& a, const Event& b) const { return order(a, b) < 0; }
};

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

TEST(EventQueue, TakesEventsOfThePresentWhileItIsBeingWorkedOff) {
  EventQueue queue;
  queue.push({.at = {5}, .component = 2});
  queue.push({.at = {5}, .component = 4});
  EXPECT_EQ(queue.pop().component, 2U);
  queue.push({.at = {5}, .component = 3});
  queue.push({.at = {5}, .component = 1});
  EXPECT_EQ(queue.pop().component, 1U);
  EXPECT_EQ(queue.pop().component, 3U);
  EXPECT_EQ(queue.pop().component, 4U);
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

// Pushes and pops at random beside a std::multiset; steps of `steps` picoseconds make ties.
void compare_with_multiset(std::uint64_t seed, std::uint64_t steps, std::uint64_t contents) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", steps " << steps << ", contents " << contents);
  RandomStream random(seed, "queue against multiset");
  EventQueue queue;
  std::multiset<Event, Earlier> truth;
  Time now;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const bool push = truth.empty() || random.below(100) < (i % 4'000 < 2'000 ? 60U : 40U);
    if (push) {
      const std::int64_t ahead = static_cast<std::int64_t>(random.below(steps) << random.below(12));
      const std::uint32_t component = static_cast<std::uint32_t>(random.below(contents));
      const std::uint32_t source = static_cast<std::uint32_t>(random.below(contents));
      const Event event{now + picoseconds(ahead), component, component % 3, source, i, source % 2, i};
      queue.push(event);
      truth.insert(event);
    } else {
      const Event event = queue.pop();
      ASSERT_TRUE(same(event, *truth.begin())) << "event " << i;
      truth.erase(truth.begin());
      now = event.at;
    }
    ASSERT_EQ(queue.size(), truth.size());
  }
  while (!truth.empty()) {
    ASSERT_TRUE(same(queue.pop(), *truth.begin()));
    truth.erase(truth.begin());
  }
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, GivesTheOrderOfAMultiset) {
  std::random_device device;
  for (const std::uint64_t steps : {1U, 2U, 5U, 1'000U, 1'000'000'000U})
    for (const std::uint64_t contents : {1U, 4U, 1'000U}) compare_with_multiset(device(), steps, contents);
}

}  // namespace
}  // namespace plumbline::sim
