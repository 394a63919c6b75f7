// Random programs, folded and compiled again: every rank does what it did, and has computed as long before each call.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "fold_world.hpp"
#include "replay/model/fold/loops.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay::model {
namespace {

using Random = std::mt19937_64;

std::uint32_t below(Random& random, std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); }

// What all ranks do together, as text of each.
class RandomRun {
 public:
  explicit RandomRun(std::uint64_t seed) : random_(seed), ranks_(1 + below(random_, 7)), text_(ranks_) {
    all("local MPI_Init");
    all("open /data/x collective");
    steps(3);
    all("close collective");
  }

  std::string text() const {
    std::string text = fmt::format("ranks {}\n", ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) text += fmt::format("rank {}\n{}", rank, text_[rank]);
    return text;
  }

  std::uint32_t ranks() const { return ranks_; }

 private:
  struct Step {
    std::uint32_t kind = 0, a = 0, b = 0, bytes = 0, compute = 0, times = 1;
    std::vector<Step> inner;  // of a loop
  };

  Step random_step(int depth) {
    Step step{below(random_, depth > 0 ? 9 : 7),
              below(random_, ranks_),
              below(random_, ranks_),
              8 * below(random_, 3),
              below(random_, 4),
              1,
              {}};
    if (step.kind < 7) return step;
    step.times = 1 + below(random_, 6);
    for (std::uint32_t i = below(random_, 4); i > 0; --i) step.inner.push_back(random_step(depth - 1));
    return step;
  }

  void steps(int depth) {
    for (std::uint32_t i = 1 + below(random_, 8); i > 0; --i) play(random_step(depth));
  }

  void play(const Step& step) {
    for (std::uint32_t i = 0; step.kind >= 7 && i < step.times; ++i)
      for (const Step& inner : step.inner) play(inner);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
      if (step.compute > 0) put(rank, fmt::format("compute {}ns", computation(step, rank)));
    switch (step.kind) {
      case 0:
        return all("barrier");
      case 1:
        return all(fmt::format("bcast root {} {}B", step.a, step.bytes));
      case 2:
        return all(fmt::format("allreduce {}B", step.bytes));
      case 3:
        return shift(step);
      case 4:
        return pair(step);
      case 5:
        return chain(step);
      case 6:
        return write(step);
      default:
        return;
    }
  }

  // Now and then it takes longer.
  std::uint32_t computation(const Step& step, std::uint32_t rank) {
    const std::uint32_t usual = step.compute * (1 + rank / 3) * 1000;
    return below(random_, 8) == 0 ? usual * (2 + below(random_, 9)) : usual;
  }

  void shift(const Step& step) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      put(rank, fmt::format("irecv {} tag 1 {}B -> a", (rank + ranks_ - step.a) % ranks_, step.bytes));
      put(rank, fmt::format("isend {} tag 1 {}B -> b", (rank + step.a) % ranks_, step.bytes));
      put(rank, step.b % 2 == 0 ? "wait a b call MPI_Waitall" : "wait b\nwait a");
    }
  }

  void pair(const Step& step) {
    if (step.a == step.b) return;
    put(step.a, fmt::format("send {} tag 2 {}B", step.b, step.bytes));
    put(step.b, fmt::format("recv {} tag 2 {}B", step.a, step.bytes));
  }

  void chain(const Step& step) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (rank > 0) put(rank, fmt::format("recv {} tag 3 {}B", rank - 1, step.bytes));
      if (rank + 1 < ranks_) put(rank, fmt::format("send {} tag 3 {}B", rank + 1, step.bytes));
    }
  }

  void write(const Step& step) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      const std::string call = step.a % 2 == 0 ? "write_at" : "write_at_all";
      const std::uint32_t at = (written_ * ranks_ + rank) * 64;
      if (step.b % 2 == 0)
        put(rank, fmt::format("{} {}..{}", call, at, at + 64));
      else  // each third 8 bytes of its own place
        put(rank, fmt::format("{} layout \"disp={} extent=192 size=64: 8x8@0/24\" {}..{}", call, at * 3, at * 3,
                              at * 3 + 64));
    }
    ++written_;
  }

  void put(std::uint32_t rank, const std::string& line) { text_[rank] += line + "\n"; }
  void all(const std::string& line) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) put(rank, line);
  }

  Random random_;
  std::uint32_t ranks_, written_ = 0;
  std::vector<std::string> text_;
};

// One rank's calls with all their numbers. Calls that need nobody are time in the model.
std::vector<std::string> calls_of(const Program& program, std::uint32_t rank) {
  std::vector<std::string> calls;
  const RankProgram& own = program.rank(rank);
  for (const Operation& op : own.operations) {
    if (op.kind == OpKind::kLocal) continue;
    const bool waits = op.kind == OpKind::kWait;
    if (waits && own.waits_for(op).empty()) continue;  // begin and end of a process
    std::string call = fmt::format("{} peer {} tag {} {}B", program.call(op.call), op.peer, op.tag, op.bytes);
    if (waits) call += fmt::format(" for {}", own.waits_for(op).size());
    if (is_io(op.kind)) call += fmt::format(" at {}", own.accesses[op.extra].offset);
    if (is_io(op.kind) && own.accesses[op.extra].layout != kNone)
      call += fmt::format(" through {}", program.layout(own.accesses[op.extra].layout));
    calls.push_back(call);
  }
  return calls;
}

// Between calls, one after the other; ps.
std::vector<double> computed_before(const Program& program, std::uint32_t rank) {
  std::vector<double> computed;
  const RankProgram& own = program.rank(rank);
  double sum = 0;
  Time end;
  for (std::size_t i = 0; i < own.operations.size(); ++i) {
    sum += static_cast<double>((own.times[i].begin - end).ps);
    end = own.times[i].end;
    const bool is_call = own.operations[i].kind != OpKind::kLocal &&
                         (own.operations[i].kind != OpKind::kWait || !own.waits_for(own.operations[i]).empty());
    if (is_call) computed.push_back(sum);
  }
  computed.push_back(sum);
  return computed;
}

TEST(FoldProperties, UnfoldingGivesTheSameCallsBack) {
  const std::uint64_t first = plumbline::test::random_seed();
  for (std::uint64_t seed = first; seed < first + 300; ++seed) {
    SCOPED_TRACE(fmt::format("PLUMBLINE_SEED={}", seed));
    const RandomRun run(seed);
    const Program program = test::recorded(run.text());
    const FoldedModel model = fold(program, "random");
    ASSERT_TRUE(model.not_folded.empty()) << run.text() << model.text;
    const Program again = test::compiled(model.text, run.ranks());
    for (std::uint32_t rank = 0; rank < run.ranks(); ++rank) {
      ASSERT_EQ(calls_of(again, rank), calls_of(program, rank)) << "rank " << rank << '\n' << run.text() << model.text;
      const std::vector<double> truth = computed_before(program, rank), found = computed_before(again, rank);
      ASSERT_EQ(found.size(), truth.size());
      const double most = 0.01 * truth.back() + 2000 * static_cast<double>(truth.size());
      for (std::size_t i = 0; i < truth.size(); ++i)
        ASSERT_NEAR(found[i], truth[i], most) << "call " << i << " of rank " << rank << '\n'
                                              << run.text() << model.text;
    }
  }
}

void unfold(const FoldedBlock& block, std::vector<std::int32_t>& peers) {
  for (const FoldedStatement& statement : block) {
    if (statement.iterations == 0) peers.push_back(statement.call.to);
    for (std::uint64_t i = 0; i < statement.iterations; ++i) unfold(statement.body, peers);
  }
}

TEST(FoldProperties, LoopsOfAnySequenceUnfoldToIt) {
  Random random(plumbline::test::random_seed());
  for (int round = 0; round < 500; ++round) {
    std::vector<std::int32_t> sequence;
    while (sequence.size() < 200) {  // repeats what is there, or goes on with something new
      const std::size_t width = sequence.empty() ? 0 : below(random, static_cast<std::uint32_t>(sequence.size()));
      if (below(random, 2) == 0)
        sequence.push_back(static_cast<std::int32_t>(below(random, 3)));
      else
        for (std::size_t i = 0; i < width; ++i) sequence.push_back(sequence[sequence.size() - width]);
    }
    LoopFolder folder;
    for (const std::int32_t peer : sequence) {
      FoldedCall call;
      call.type = message_type("MPI_Send");
      call.to = peer;
      folder.add(call, {});
    }
    std::vector<std::int32_t> unfolded;
    unfold(folder.take(), unfolded);
    ASSERT_EQ(unfolded, sequence);
  }
}

// The list is as long as the program has statements, not as it has calls.
TEST(FoldProperties, ANestOfLoopsIsFoldedToItsStatements) {
  LoopFolder folder;
  const auto call = [&](std::int32_t tag) {
    FoldedCall one;
    one.type = message_type("MPI_Send");
    one.tag = tag;
    folder.add(one, {});
  };
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 30; ++j) {
      call(1);
      for (int k = 0; k < 5; ++k) call(2);
    }
    call(3);
  }
  const FoldedBlock block = folder.take();
  ASSERT_EQ(block.size(), 1U);
  EXPECT_EQ(block[0].iterations, 50U);
  ASSERT_EQ(block[0].body.size(), 2U);
  EXPECT_EQ(block[0].body[0].iterations, 30U);
  EXPECT_EQ(block[0].body[0].body.size(), 2U);
}

}  // namespace
}  // namespace plumbline::replay::model
