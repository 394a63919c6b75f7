#include "bench/ranks/runtime/pairs.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"
#include "bench/ranks/runtime/sizes.hpp"

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
