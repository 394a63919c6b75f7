#include "bench/ranks/pairs.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include "bench/ranks/requests.hpp"
#include "bench/ranks/sizes.hpp"
#include "bench/ranks/talk.hpp"

namespace plumbline::bench {
namespace {

constexpr std::string_view kWords[] = {"one", "all", "rounds"};

// The ranks of one group, in its order; MPI_COMM_NULL for others.
class GroupComm {
 public:
  GroupComm(MPI_Comm world, const Round& round) {
    const auto rank = static_cast<std::uint32_t>(rank_in(world));
    int colour = MPI_UNDEFINED, key = 0;
    for (std::size_t g = 0; g < round.size(); ++g) {
      const auto found = std::ranges::find(round[g], rank);
      if (found == round[g].end()) continue;
      colour = static_cast<int>(g);
      key = static_cast<int>(found - round[g].begin());
    }
    must(MPI_Comm_split(world, colour, key, &comm_));
    if (colour != MPI_UNDEFINED) group_ = round[static_cast<std::size_t>(colour)];
  }
  ~GroupComm() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  GroupComm(const GroupComm&) = delete;
  GroupComm& operator=(const GroupComm&) = delete;

  MPI_Comm comm() const { return comm_; }
  const Group& group() const { return group_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  Group group_;
};

bool have_a_rank_in_common(const Round& round, const Group& group) {
  return std::ranges::any_of(round, [&](const Group& other) {
    return std::ranges::any_of(other, [&](std::uint32_t rank) { return std::ranges::count(group, rank) > 0; });
  });
}

std::vector<Round> rounds_of(const Request& request, Group first, const std::vector<Round>& all) {
  switch (choice(request, "ranks", kWords)) {
    case 0:
      return {{std::move(first)}};
    case 1:
      return one_by_one(all);
    default:
      return all;
  }
}

}  // namespace

std::vector<Round> pairs_in_rounds(std::uint32_t ranks) {
  const std::uint32_t seats = ranks + ranks % 2, turns = seats - 1;  // with an odd number a pair has an empty seat
  std::vector<Round> rounds(ranks < 2 ? 0 : turns);
  for (std::uint32_t turn = 0; turn < rounds.size(); ++turn)
    for (std::uint32_t i = 0; i < seats / 2; ++i) {
      const std::uint32_t a = i == 0 ? turns : (turn + i) % turns;
      const std::uint32_t b = (turn + turns - i) % turns;
      if (std::max(a, b) < ranks) rounds[turn].push_back({std::min(a, b), std::max(a, b)});
    }
  return rounds;
}

std::vector<Round> one_by_one(const std::vector<Round>& rounds) {
  std::vector<Round> single;
  for (const Round& round : rounds)
    for (const Group& group : round) single.push_back({group});
  return single;
}

std::vector<Round> triplets_in_rounds(std::uint32_t ranks) {
  std::vector<Round> rounds;
  for (std::uint32_t i = 0; i < ranks; ++i)
    for (std::uint32_t j = 0; j < ranks; ++j)
      for (std::uint32_t k = j + 1; k < ranks; ++k) {
        if (j == i || k == i) continue;
        const Group group = {i, j, k};
        const auto free =
            std::ranges::find_if(rounds, [&](const Round& round) { return !have_a_rank_in_common(round, group); });
        if (free != rounds.end())
          free->push_back(group);
        else
          rounds.push_back({group});
      }
  return rounds;
}

Round random_matching(std::uint32_t ranks, std::uint64_t seed) {
  std::vector<std::uint32_t> order(ranks);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937_64 random(seed);
  // Not std::shuffle: its order may be another one in another standard library, and ranks must agree.
  for (std::uint32_t i = ranks; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  const auto first = std::ranges::find(order, 0U);
  if (first != order.end()) std::iter_swap(order.begin(), first);
  Round round;
  for (std::uint32_t i = 0; i + 1 < ranks; i += 2) round.push_back({order[i], order[i + 1]});
  return round;
}

std::vector<Round> rounds_of_pairs(const Request& request, std::uint32_t ranks) {
  return rounds_of(request, {0, 1}, pairs_in_rounds(ranks));
}

std::vector<Round> rounds_of_triplets(const Request& request, std::uint32_t ranks) {
  return rounds_of(request, {0, 1, 2}, triplets_in_rounds(ranks));
}

// A group that fails is left out of its round: the others are given, and what was wrong is told behind them.
void measure_groups(const Context& context, const Request& request, const std::vector<Round>& rounds,
                    const MeasureGroup& measure) {
  for (const Round& round : rounds) {
    const GroupComm own(context.world, round);
    for_each_size(context, request, [&](std::uint64_t bytes) {
      std::optional<Cell> cell;
      std::string fault;
      try {
        if (own.comm() != MPI_COMM_NULL) cell = measure(own.comm(), bytes, static_cast<std::uint32_t>(round.size()));
      } catch (const std::exception& error) {
        fault = error.what();
      } catch (const MpiFailure& failure) {
        fault = text_of_failure(failure);
      }
      const bool tells = cell && rank_in(own.comm()) == 0;
      if (tells) cell->ranks = own.group();
      give_of_all(context, tells ? std::vector<Cell>{*cell} : std::vector<Cell>{});
      fault = first_fault(context.world, fault);
      if (!fault.empty()) throw Error("", fault);
      double seconds = tells ? median_time(*cell) : 0;  // the slowest of a round decides where sizes are adaptive
      must(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, context.world));
      return seconds;
    });
  }
}

}  // namespace plumbline::bench
