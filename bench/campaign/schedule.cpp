#include "bench/campaign/schedule.hpp"

#include <random>
#include <utility>

namespace plumbline::bench {
namespace {

// The engine is the same everywhere, the distributions of <random> are not.
using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t bound) {
  const std::uint64_t whole = Random::max() - Random::max() % bound;
  std::uint64_t drawn;
  do {
    drawn = random();
  } while (drawn >= whole);
  return drawn % bound;
}

template <class T>
void shuffle(std::vector<T>& items, std::size_t from, Random& random) {
  for (std::size_t left = items.size() - from; left > 1; --left)
    std::swap(items[from + left - 1], items[from + below(random, left)]);
}

}  // namespace

std::vector<Start> starts_of(const Description& description) {
  Random random(description.seed);
  std::vector<Start> starts;
  for (std::uint32_t repetition = 0; repetition < description.runs; ++repetition) {
    const std::size_t begin = starts.size();
    for (std::uint32_t mpi = 0; mpi < description.mpis.size(); ++mpi)
      for (std::uint32_t layout = 0; layout < description.layouts.size(); ++layout)
        starts.push_back({mpi, layout, repetition, 0});
    shuffle(starts, begin, random);
  }
  for (Start& start : starts) start.seed = random();
  return starts;
}

Plan plan_of(const Description& description, const Start& start) {
  Plan plan{start.seed, {}};
  const Layout& layout = description.layouts[start.layout];
  for (std::size_t i = 0; i < description.requests.size(); ++i)
    if (is_measured_in(layout, description, i)) plan.requests.push_back(description.requests[i]);
  Random random(start.seed);
  shuffle(plan.requests, 0, random);
  return plan;
}

}  // namespace plumbline::bench
