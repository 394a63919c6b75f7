// A schedule is simulated twice: as a program of single messages, which gives the times at which each was posted and
// complete; and as what was recorded, at those times, inside of collectives. The second must give the times of the
// first.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "replay/collectives/schedule.hpp"
#include "sim/random.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

constexpr std::uint64_t kSchedules = 120;

enum class What { kSend, kReceive, kDone };

// Something a rank does inside of a collective.
struct Step {
  What what = What::kSend;
  std::uint32_t peer = 0;
  std::uint64_t bytes = 0, message = 0;  // message: unique on its rank
  std::int32_t tag = 0;
  Duration before;  // what the library computes before it
};

struct Call {
  Duration before, after;  // computed by the program before it; by the library after the last step
  std::vector<Step> steps;
  std::size_t in_start = 0;  // of a non-blocking one: steps in the call that starts it
  Duration between;          // ..and what the program computes then
  bool non_blocking = false;
};

struct Schedule {
  std::uint32_t ranks = 0;
  std::vector<std::vector<Call>> calls;  // by rank
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed, "inner streams") {
    schedule_.ranks = 2 + static_cast<std::uint32_t>(random_.below(6));
    schedule_.calls.resize(schedule_.ranks);
    next_message_.resize(schedule_.ranks, 0);
  }

  Schedule make() {
    const std::uint64_t calls = 1 + random_.below(4);
    for (std::uint64_t i = 0; i < calls; ++i) add_call();
    return schedule_;
  }

 private:
  std::uint64_t size() { return random_.below(3) == 0 ? 1001 + random_.below(50'000) : random_.below(1001); }
  // Below what a message costs both ends, 3 us on the star.
  Duration small() { return Duration{static_cast<std::int64_t>(random_.below(2) ? random_.below(3'000'000) : 0)}; }

  void add_call() {
    const bool non_blocking = random_.below(3) == 0;
    for (std::uint32_t rank = 0; rank < schedule_.ranks; ++rank) {
      Call& call = schedule_.calls[rank].emplace_back();
      call.before = Duration{static_cast<std::int64_t>(random_.below(40'000'000))};
      call.non_blocking = non_blocking;
    }
    round(8, true);
    const std::uint64_t kind = random_.below(4);
    if (kind == 0) collective(Collective::kAllreduce);
    if (kind == 1) collective(Collective::kBcast);
    if (kind == 2) collective(Collective::kAlltoall);
    for (std::uint64_t rounds = random_.below(4); rounds > 0; --rounds) round(size(), false);
    for (std::uint32_t rank = 0; rank < schedule_.ranks; ++rank) {
      Call& call = schedule_.calls[rank].back();
      if (!non_blocking) {
        call.after = small();
        continue;
      }
      call.in_start = random_.below(call.steps.size());
      call.between = Duration{static_cast<std::int64_t>(random_.below(40'000'000))};
      call.steps[call.in_start].before = {};
      call.steps.front().before = {};
    }
  }

  std::uint64_t post(std::uint32_t rank, What what, std::uint32_t peer, std::uint64_t bytes, std::int32_t tag) {
    const std::uint64_t message = next_message_[rank]++;
    schedule_.calls[rank].back().steps.push_back({what, peer, bytes, message, tag, small()});
    return message;
  }
  void done(std::uint32_t rank, std::uint64_t message) {
    schedule_.calls[rank].back().steps.push_back({What::kDone, 0, 0, message, 0, {}});
  }

  // Everything is posted before anything is waited for, so that it cannot hang; waited for in any order.
  void round(std::uint64_t bytes, bool ring) {
    std::vector<std::vector<std::uint64_t>> posted(schedule_.ranks);
    struct Message {
      std::uint32_t from, to;
    };
    std::vector<Message> messages;
    for (std::uint32_t rank = 0; ring && rank < schedule_.ranks; ++rank)
      messages.push_back({rank, (rank + 1) % schedule_.ranks});
    for (std::uint64_t n = ring ? 0 : random_.below(2 * schedule_.ranks); n > 0; --n)
      messages.push_back({static_cast<std::uint32_t>(random_.below(schedule_.ranks)),
                          static_cast<std::uint32_t>(random_.below(schedule_.ranks))});
    const auto tag = static_cast<std::int32_t>(random_.below(2)) - 1;
    for (const bool sending : {false, true})
      for (const Message& m : messages) {
        const std::uint32_t rank = sending ? m.from : m.to;
        posted[rank].push_back(post(rank, sending ? What::kSend : What::kReceive, sending ? m.to : m.from, bytes, tag));
      }
    for (std::uint32_t rank = 0; rank < schedule_.ranks; ++rank)
      for (std::vector<std::uint64_t>& left = posted[rank]; !left.empty();) {
        const std::size_t i = random_.below(left.size());
        done(rank, left[i]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      }
  }

  void collective(Collective kind) {
    const std::uint64_t bytes = size();
    for (std::uint32_t rank = 0; rank < schedule_.ranks; ++rank) {
      collectives::Shape shape;
      shape.kind = kind;
      shape.size = schedule_.ranks;
      shape.rank = rank;
      shape.sent = shape.received = bytes;
      for (std::uint32_t i = 0;; ++i) {
        const auto step = collectives::step_of(shape, i);
        if (!step) break;
        std::vector<std::uint64_t> posted;
        if (step->from) posted.push_back(post(rank, What::kReceive, *step->from, bytes, 7));
        if (step->to) posted.push_back(post(rank, What::kSend, *step->to, step->sent, 7));
        for (const std::uint64_t message : posted) done(rank, message);
      }
    }
  }

  sim::RandomStream random_;
  Schedule schedule_;
  std::vector<std::uint64_t> next_message_;
};

std::string time(Duration duration) { return format_exact(duration); }

// As single messages of the program; what calls compute lies between them.
std::string as_program(const Schedule& schedule) {
  std::string text = one_rank_per_node(schedule.ranks, "");
  for (std::uint32_t rank = 0; rank < schedule.ranks; ++rank) {
    text += fmt::format("rank {}\n", rank);
    Duration after;
    for (const Call& call : schedule.calls[rank]) {
      for (std::size_t i = 0; i < call.steps.size(); ++i) {
        const Step& step = call.steps[i];
        Duration gap = step.before;
        if (i == 0) gap += after + call.before;
        if (i == call.in_start && call.non_blocking) gap += call.between;
        text += fmt::format("  compute {}\n", time(gap));
        if (step.what == What::kDone)
          text += fmt::format("  wait m{}\n", step.message);
        else
          text += fmt::format("  {} {} tag {} {}B -> m{}\n", step.what == What::kSend ? "isend" : "irecv", step.peer,
                              step.tag, step.bytes, step.message);
      }
      after = call.after;
    }
  }
  return text;
}

struct Recorded {
  std::string text;
  std::vector<Column<OperationTimes>> times;
};

std::string inner_line(const Step& step, const OperationTimes& times, std::size_t of) {
  const bool done = step.what == What::kDone;
  const std::string at = time((done ? times.end : times.begin) - Time{});
  if (done) return fmt::format("    inner done m{} @{}\n", step.message, at);
  return fmt::format("    inner {} {} tag {} {}B of {} -> m{} @{}\n", step.what == What::kSend ? "send" : "recv",
                     step.peer, step.tag, step.bytes, of, step.message, at);
}

// The same inside of collectives, at these times.
Recorded as_recorded(const Schedule& schedule, const ReplayResult& result) {
  Recorded recorded{one_rank_per_node(schedule.ranks, ""), {}};
  for (std::uint32_t rank = 0; rank < schedule.ranks; ++rank) {
    Column<OperationTimes>& times = recorded.times.emplace_back();
    recorded.text += fmt::format("rank {}\n", rank);
    std::size_t next = 0;
    for (std::size_t n = 0; n < schedule.calls[rank].size(); ++n) {
      const Call& call = schedule.calls[rank][n];
      const OperationTimes* steps = &result.times[rank][next];
      next += call.steps.size();
      const std::size_t first_operation = times.size();
      const auto operation = [&](const std::string& what, Time begin, Time end, std::size_t from, std::size_t to) {
        times.push_back({begin, end});
        recorded.text += fmt::format("  @{} {} +{}\n", time(begin - Time{}), what, time(end - begin));
        for (std::size_t i = from; i < to; ++i) recorded.text += inner_line(call.steps[i], steps[i], first_operation);
      };
      const std::size_t last = call.steps.size() - 1;
      const Time begin = steps[0].begin - call.steps[0].before;
      if (!call.non_blocking) {
        operation("barrier", begin, steps[last].end + call.after, 0, last + 1);
        continue;
      }
      const std::size_t k = call.in_start;
      // Begun and left at once where all steps come later.
      const Time left = k == 0 ? steps[0].begin - call.between : steps[k - 1].end;
      operation(fmt::format("ibarrier -> c{}", n), k == 0 ? left : begin, left, 0, k);
      operation(fmt::format("wait c{}", n), steps[k].begin, steps[last].end, k, last + 1);
    }
  }
  return recorded;
}

TEST(InnerStreams, WhatTheModelMadeTakesAsLongWhenItIsRecordedInsideOfCalls) {
  for (std::uint64_t seed = 0; seed < kSchedules; ++seed) {
    const Schedule schedule = Maker(seed).make();
    const hw::Platform platform = star(schedule.ranks);
    const ReplayResult simulated = run(program_of(as_program(schedule)), platform, Mode::kFree);
    const Recorded recorded = as_recorded(schedule, simulated);
    const Program program = program_of(recorded.text);
    for (const Mode mode : {Mode::kFree, Mode::kAnchored})
      for (const bool run_ahead : {true, false}) {
        const ReplayResult result =
            replay::replay(program, platform, {.mode = mode, .form = Form::kAsRun, .run_ahead = run_ahead});
        ASSERT_TRUE(result.inner_faults.empty()) << "seed " << seed << ": " << result.inner_faults.front().reason;
        EXPECT_EQ(result.messages, simulated.messages) << "seed " << seed;
        EXPECT_EQ(result.unreceived, 0U) << "seed " << seed;
        for (std::uint32_t rank = 0; rank < schedule.ranks; ++rank)
          for (std::size_t i = 0; i < recorded.times[rank].size(); ++i) {
            const OperationTimes& expected = recorded.times[rank][i];
            ASSERT_EQ(result.times[rank][i].begin, expected.begin) << "seed " << seed << " rank " << rank << " " << i;
            ASSERT_EQ(result.times[rank][i].end, expected.end) << "seed " << seed << " rank " << rank << " " << i;
          }
      }
  }
}

TEST(InnerStreams, WaitingThatWasRecordedAsAGapIsNotRunAgain) {
  // All ranks idled 500 us inside of the call before they did anything: of that, 3 us can have been computing.
  for (std::uint64_t seed = 0; seed < kSchedules; ++seed) {
    const Schedule schedule = Maker(seed).make();
    Schedule late = schedule;
    for (std::vector<Call>& calls : late.calls)
      for (Call& call : calls)
        if (!call.non_blocking) call.steps.front().before = microseconds(500);
    const hw::Platform platform = star(schedule.ranks);
    const ReplayResult simulated = run(program_of(as_program(late)), platform, Mode::kFree);
    const Program program = program_of(as_recorded(late, simulated).text);
    const ReplayResult result = run(program, platform, Mode::kAnchored, Form::kAsRun);
    for (std::uint32_t rank = 0; rank < schedule.ranks; ++rank)
      for (std::size_t i = 0; i < result.times[rank].size(); ++i)
        if (program.rank(rank).operations[i].kind == OpKind::kCollective) {
          EXPECT_LE(duration(result.times[rank][i]), duration(program.rank(rank).times[i]) - microseconds(400))
              << "seed " << seed;
        }
  }
}

// Damage: items left out at random. Whatever is missing, the replay ends, and no message is lost.
TEST(InnerStreams, WithHolesTheReplayEndsAllTheSame) {
  std::uint64_t left_out = 0, whole = 0;
  for (std::uint64_t seed = 0; seed < kSchedules; ++seed) {
    const Schedule schedule = Maker(seed).make();
    const hw::Platform platform = star(schedule.ranks);
    const Recorded recorded = as_recorded(schedule, run(program_of(as_program(schedule)), platform));
    sim::RandomStream random(seed, "holes");
    std::string damaged;
    for (std::size_t begin = 0; begin < recorded.text.size();) {
      const std::size_t end = recorded.text.find('\n', begin) + 1;
      const std::string line = recorded.text.substr(begin, end - begin);
      begin = end;
      if (line.find("inner done") == std::string::npos || random.below(20) != 0) damaged += line;
    }
    const Program program = program_of(damaged);
    const ReplayResult result = run(program, platform, Mode::kAnchored, Form::kAsRun);
    EXPECT_EQ(result.unreceived, 0U) << "seed " << seed;
    for (const InnerFault& fault : result.inner_faults) left_out += fault.operations;
    for (const auto& operations : result.by_inner) whole += operations.size();
  }
  EXPECT_GT(left_out, 0U);
  EXPECT_GT(whole, 0U);
}

}  // namespace
}  // namespace plumbline::replay::test
