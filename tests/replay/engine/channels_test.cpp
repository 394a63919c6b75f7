// Channels against a map of queues.

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "replay/mpi/transfers/channels.hpp"
#include "sim/random.hpp"

namespace plumbline::replay::mpi {
namespace {

using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>;

class Both {
 public:
  void add(const Channel& channel) {
    const auto message = static_cast<std::uint32_t>(messages_.size());
    messages_.push_back({channel, 0});
    channels_.add_at(channels_.find(channel, links_), message, links_);
    map_[key(channel)].push_back(message);
  }

  // Of any channel, also one with nothing in it.
  void pop(const Channel& channel) {
    const Channels::Place place = channels_.find(channel, links_);
    const auto found = map_.find(key(channel));
    ASSERT_EQ(channels_.empty_at(place), found == map_.end());
    if (found == map_.end()) return;
    ASSERT_EQ(channels_.front_at(place, links_), found->second.front());
    channels_.pop_at(place, links_);
    found->second.pop_front();
    if (found->second.empty()) map_.erase(found);
  }

  void compare() const {
    std::size_t seen = 0;
    channels_.for_each([&](std::uint32_t last) {
      ++seen;
      ASSERT_EQ(map_.at(key(messages_[last].channel)).back(), last);
    });
    ASSERT_EQ(seen, map_.size());
    for (const auto& [k, queue] : map_) {
      const auto [receiver, source, comm, tag] = k;
      ASSERT_EQ(channels_.front({receiver, source, comm, tag}, links_), queue.front());
    }
  }

 private:
  static Key key(const Channel& c) { return {c.receiver, c.source, c.comm, c.tag}; }

  struct Message {
    Channel channel;
    std::uint32_t next = 0;
  };
  struct Links {
    std::vector<Message>& messages;

    const Channel& channel(std::uint32_t m) const { return messages[m].channel; }
    std::uint32_t& next(std::uint32_t m) const { return messages[m].next; }
  };

  Channels channels_;
  std::vector<Message> messages_;
  const Links links_{messages_};
  std::map<Key, std::deque<std::uint32_t>> map_;
};

// Ranks `stride` apart: with 4 all have the same place in their blocks.
void check(std::uint64_t seed, std::uint32_t stride) {
  sim::RandomStream random(seed, "channels");
  const std::uint64_t ranks = 1 + random.below(30);
  const auto any = [&] {
    return Channel{stride * static_cast<std::uint32_t>(random.below(ranks)),
                   stride * static_cast<std::uint32_t>(random.below(ranks)),
                   static_cast<std::uint32_t>(random.below(2)), static_cast<std::int32_t>(random.below(3)) - 1};
  };
  Both both;
  const std::uint64_t adds = 2 + random.below(3);  // of 5: some tables stay small, some grow
  for (int i = 0; i < 2000; ++i) {
    if (random.below(5) < adds)
      both.add(any());
    else
      both.pop(any());
    if (i % 100 == 0) both.compare();
    if (testing::Test::HasFatalFailure()) return;
  }
  both.compare();
}

TEST(Channels, AreQueuesByWhoSendsToWhomUnderWhichTag) {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const std::uint32_t stride : {1U, 4U, 64U}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " stride " << stride);
      check(seed, stride);
    }
}

}  // namespace
}  // namespace plumbline::replay::mpi
