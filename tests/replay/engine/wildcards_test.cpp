// Receives from any rank that the replay matches itself (replay/mpi/matching/wildcards.hpp).

#include "replay/mpi/matching/wildcards.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay::test {
namespace {

using Matches = std::vector<mpi::WildcardMatch>;

// Rank 0 receives from two others, of which one sends later than the other.
std::string two_senders(const std::string& of_receiver, const std::string& of_first, const std::string& of_second) {
  return one_rank_per_node(3, "rank 0\n" + of_receiver + "\nrank 1\n" + of_first + "\nrank 2\n" + of_second + "\n");
}

TEST(Wildcards, TakeTheMessageThatIsThereFirst) {
  const std::string receiver = "recv none tag 7 8B any-source ; recv none tag 7 8B any-source";
  const ReplayResult first =
      run(program_of(two_senders(receiver, "send 0 tag 7 8B", "compute 1ms ; send 0 tag 7 8B")), star(3));
  EXPECT_EQ(first.wildcards[0], (Matches{{0, 1}, {1, 2}}));
  const ReplayResult second =
      run(program_of(two_senders(receiver, "compute 1ms ; send 0 tag 7 8B", "send 0 tag 7 8B")), star(3));
  EXPECT_EQ(second.wildcards[0], (Matches{{0, 2}, {1, 1}}));
}

// 1 us to send, 3 us on the way and some nanoseconds on the port, 2 us to receive: as from a named rank.
TEST(Wildcards, TakeAsLongAsReceivesFromTheRankThatSends) {
  for (const std::string size : {"8B", "100KiB"}) {
    const std::string sends = "send 0 tag 7 " + size;
    const ReplayResult any =
        run(program_of(two_senders("recv none tag 7 " + size + " any-source", sends, "")), star(3));
    const ReplayResult named = run(program_of(two_senders("recv 1 tag 7 " + size, sends, "")), star(3));
    EXPECT_EQ(any.times[0][0].end, named.times[0][0].end) << size;
    EXPECT_EQ(any.times[1][0].end, named.times[1][0].end) << size;
  }
}

TEST(Wildcards, ThatComeLateTakeWhatHasWaitedLongest) {
  for (const std::string size : {"8B", "100KiB"}) {
    const std::string any = "recv none tag 7 " + size + " any-source";
    const ReplayResult result =
        run(program_of(two_senders("compute 5ms ; " + any + " ; " + any, "compute 1ms ; send 0 tag 7 " + size,
                                   "send 0 tag 7 " + size)),
            star(3));
    EXPECT_EQ(result.wildcards[0], (Matches{{0, 2}, {1, 1}})) << size;
  }
}

TEST(Wildcards, LookAtTheirTagAlone) {
  const ReplayResult result =
      run(program_of(two_senders("recv none tag 8 8B any-source ; recv none tag 7 8B any-source", "send 0 tag 7 8B",
                                 "compute 1ms ; send 0 tag 8 8B")),
          star(3));
  EXPECT_EQ(result.wildcards[0], (Matches{{0, 2}, {1, 1}}));
}

TEST(Wildcards, BegunOnesTakeMessagesInTheOrderTheyWerePosted) {
  const ReplayResult result =
      run(program_of(two_senders(
              "irecv none tag 7 8B any-source -> a ; irecv none tag 7 8B any-source -> b ; compute 9ms ; wait a b",
              "compute 2ms ; send 0 tag 7 8B", "compute 1ms ; send 0 tag 7 8B")),
          star(3));
  EXPECT_EQ(result.wildcards[0], (Matches{{0, 2}, {1, 1}}));
}

TEST(Wildcards, LeaveToANamedReceiveWhatWasSentForIt) {
  const ReplayResult result =
      run(program_of(two_senders("irecv 1 tag 7 8B -> a ; recv none tag 7 8B any-source ; wait a", "send 0 tag 7 8B",
                                 "compute 1ms ; send 0 tag 7 8B")),
          star(3));
  EXPECT_EQ(result.wildcards[0], (Matches{{1, 2}}));
}

TEST(Wildcards, OfOneSenderDoNotOvertakeEachOther) {
  // The large one is sent first; its request to send is small, and so is the second message.
  const ReplayResult result =
      run(program_of(two_senders("recv none tag 7 100KiB any-source ; recv none tag 7 100KiB any-source",
                                 "isend 0 tag 7 100KiB -> a ; send 0 tag 7 8B ; wait a", "")),
          star(3));
  EXPECT_EQ(result.wildcards[0], (Matches{{0, 1}, {1, 1}}));
  EXPECT_GT(duration(result.times[0][0]), duration(result.times[0][1]));
}

TEST(Wildcards, ThatNobodyAnswersAreToldAsStuck) {
  const std::string told = stuck_text(program_of(two_senders("recv none tag 7 8B any-source", "", "")), star(3));
  EXPECT_NE(told.find("rank 0: operation 0, MPI_Recv: waits for a message from any rank (tag 7, communicator 0)"),
            std::string::npos)
      << told;
}

// "0-1200 1200-3100 \n..", picoseconds: a line for each rank.
std::string text_of_times(const ReplayResult& result) {
  std::string text;
  for (const Column<OperationTimes>& times : result.times) {
    for (const OperationTimes& one : times)
      text += std::to_string(one.begin.ps) + "-" + std::to_string(one.end.ps) + " ";
    text += "\n";
  }
  return text;
}

TEST(Wildcards, GiveTheSameTimesWhetherRanksRunAheadOrNot) {
  std::string text = one_rank_per_node(4, "rank 0\n");
  for (int i = 0; i < 12; ++i) text += "recv none tag 7 2KiB any-source ; compute 3us\n";
  for (int rank = 1; rank < 4; ++rank) {
    text += "rank " + std::to_string(rank) + "\n";
    for (int i = 0; i < 4; ++i)
      text += "compute " + std::to_string(rank * 5 + i) + "us ; send 0 tag 7 " + (i % 2 == 0 ? "8B" : "2KiB") + "\n";
  }
  const Program program = program_of(text);
  const ReplayResult ahead = replay::replay(program, star(4), {.mode = Mode::kFree});
  const ReplayResult slow = replay::replay(program, star(4), {.mode = Mode::kFree, .run_ahead = false});
  EXPECT_EQ(ahead.wildcards, slow.wildcards);
  EXPECT_EQ(ahead.end, slow.end);
  EXPECT_EQ(text_of_times(ahead), text_of_times(slow));
}

// Looks at every receive and every message each time.
class PlainWildcards {
 public:
  using Key = mpi::Wildcards::Key;

  void post(const mpi::Wildcards::Posted& posted) { posted_.push_back(posted); }
  void arrived(Key key, std::uint32_t message) { arrived_.emplace_back(key, message); }
  void taken(std::uint32_t message) {
    std::erase_if(arrived_, [&](const auto& item) { return item.second == message; });
  }
  template <class IsFirst>
  std::string next(IsFirst is_first) {
    for (std::size_t i = 0; i < posted_.size(); ++i)
      for (std::size_t j = 0; j < arrived_.size(); ++j) {
        const auto [key, message] = arrived_[j];
        if (!(key == Key{posted_[i].comm, posted_[i].tag}) || !is_first(message)) continue;
        const std::string pair = std::to_string(posted_[i].request) + " takes " + std::to_string(message);
        posted_.erase(posted_.begin() + static_cast<std::ptrdiff_t>(i));
        arrived_.erase(arrived_.begin() + static_cast<std::ptrdiff_t>(j));
        return pair;
      }
    return "";
  }
  std::vector<std::uint32_t> requests() const {
    std::vector<std::uint32_t> requests;
    for (const mpi::Wildcards::Posted& posted : posted_) requests.push_back(posted.request);
    return requests;
  }

 private:
  std::vector<mpi::Wildcards::Posted> posted_;
  std::vector<std::pair<Key, std::uint32_t>> arrived_;
};

// One rank: messages of a channel are sent in turn, arrive in any order, and are taken in turn, by receives from any or
// by others.
class TwoWildcards {
 public:
  explicit TwoWildcards(std::uint64_t seed) : random_(seed) {}

  void step() {
    switch (below(4)) {
      case 0:
        return send();
      case 1:
        return arrive();
      case 2:
        return post();
      default:
        return take();
    }
  }

 private:
  struct Sent {
    PlainWildcards::Key key;
    std::uint32_t channel = 0;
  };

  std::uint32_t below(std::uint64_t end) { return static_cast<std::uint32_t>(random_() % end); }
  PlainWildcards::Key any_key() { return {below(2), static_cast<std::int32_t>(below(3))}; }

  static std::optional<std::uint32_t> first_of(const std::deque<std::uint32_t>& channel) {
    return channel.empty() ? std::nullopt : std::optional(channel.front());
  }

  void send() {
    const PlainWildcards::Key key = any_key();
    const std::uint32_t channel = (below(3) * 2 + key.comm) * 3 + static_cast<std::uint32_t>(key.tag);
    const auto id = static_cast<std::uint32_t>(sent_.size());
    sent_.push_back({key, channel});
    channels_[channel].push_back(id);
    under_way_.push_back(id);
  }

  void arrive() {
    if (under_way_.empty()) return;
    const auto at = under_way_.begin() + static_cast<std::ptrdiff_t>(below(under_way_.size()));
    const std::uint32_t id = *at;
    under_way_.erase(at);
    if (taken_.contains(id)) return;
    own_.arrived(0, sent_[id].key, id, channels_[sent_[id].channel].front() == id);
    plain_.arrived(sent_[id].key, id);
    match();
  }

  void post() {
    const PlainWildcards::Key key = any_key();
    const mpi::Wildcards::Posted posted{requests_, requests_, key.comm, key.tag, false};
    ++requests_;
    own_.post(0, posted);
    plain_.post(posted);
    match();
  }

  // By a receive from a named rank, be the message there or not.
  void take() {
    std::deque<std::uint32_t>& channel = channels_[below(18)];
    if (channel.empty()) return;
    const std::uint32_t id = channel.front();
    channel.pop_front();
    taken_.insert(id);
    own_.taken(0, sent_[id].key, id, first_of(channel));
    plain_.taken(id);
  }

  void match() {
    const auto is_first = [this](std::uint32_t id) { return channels_[sent_[id].channel].front() == id; };
    for (;;) {
      const std::string expected = plain_.next(is_first);
      const auto pair = own_.next(0);
      ASSERT_EQ(pair ? std::to_string(pair->posted.request) + " takes " + std::to_string(pair->message) : "", expected);
      if (!pair) break;
      const Sent& sent = sent_[pair->message];
      channels_[sent.channel].pop_front();
      own_.taken(0, sent.key, pair->message, first_of(channels_[sent.channel]));
    }
    std::vector<std::uint32_t> requests;
    for (const mpi::Wildcards::Posted& posted : own_.posted(0)) requests.push_back(posted.request);
    ASSERT_EQ(requests, plain_.requests());
  }

  std::mt19937_64 random_;
  mpi::Wildcards own_{1};
  PlainWildcards plain_;
  std::vector<Sent> sent_;
  std::map<std::uint32_t, std::deque<std::uint32_t>> channels_;  // messages that nobody has taken
  std::vector<std::uint32_t> under_way_;
  std::set<std::uint32_t> taken_;  // by a receive from a named rank
  std::uint32_t requests_ = 0;
};

TEST(Wildcards, MatchAsIfEveryReceiveAndEveryMessageWereLookedAt) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  for (std::uint64_t world = 0; world < 200; ++world) {
    TwoWildcards both(seed + world);
    for (int step = 0; step < 400; ++step) {
      both.step();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace plumbline::replay::test
