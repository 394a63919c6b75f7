#include "replay/model/fold/notable.hpp"

#include <algorithm>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

namespace plumbline::replay::model {
namespace {

// The times of one statement. Those that are not notable count as their mean, all of them.
class Times {
 public:
  Times(Elapsed& elapsed, std::uint64_t times)
      : elapsed_(elapsed), sorted_(std::exchange(elapsed.notable, {})), others_(times - sorted_.size()) {
    std::ranges::stable_sort(sorted_, {}, &Passage::time);
    double notable = 0;
    for (const Passage& one : sorted_) sums_.push_back(notable += one.time);
    of_others_ = std::max(elapsed.sum - notable, 0.0);
  }

  // Of what is not told, and how much of it is longer than that.
  double mean() const { return rest() > 0 ? (of_others_ + sum_of(left_)) / rest() : 0; }
  double beyond() const {
    const double usual = mean();
    const auto end = sorted_.begin() + static_cast<std::ptrdiff_t>(left_);
    const auto first = std::ranges::upper_bound(sorted_.begin(), end, usual, {}, &Passage::time);
    const auto not_longer = static_cast<std::size_t>(first - sorted_.begin());
    const auto longer = static_cast<double>(left_ - not_longer);
    const double others = static_cast<double>(others_);
    return sum_of(left_) - sum_of(not_longer) - longer * usual + std::max(of_others_ - others * usual, 0.0);
  }

  bool has_more() const { return left_ > 0 && rest() > 1; }
  double longest_beyond() const { return sorted_[left_ - 1].time - mean(); }
  void tell_longest() { --left_; }

  void finish() {
    const double usual = mean();
    for (std::size_t i = left_; i < sorted_.size(); ++i) {
      elapsed_.notable.push_back({sorted_[i].number, sorted_[i].time - usual});
      elapsed_.sum -= elapsed_.notable.back().time;
    }
    std::ranges::sort(elapsed_.notable, {}, &Passage::number);
  }

 private:
  double rest() const { return static_cast<double>(others_ + left_); }
  double sum_of(std::size_t first) const { return first == 0 ? 0 : sums_[first - 1]; }

  Elapsed& elapsed_;
  std::vector<Passage> sorted_;  // by time
  std::vector<double> sums_;     // of the first ones
  std::size_t left_ = sorted_.size();
  std::uint64_t others_ = 0;
  double of_others_ = 0;
};

using AllTimes = std::vector<std::unique_ptr<Times>>;

void find_times(FoldedBlock& block, AllTimes& all) {
  for (FoldedStatement& statement : block) {
    for (Elapsed* const elapsed : {&statement.before.computed, &statement.before.kept, &statement.before.least})
      if (!elapsed->notable.empty()) all.push_back(std::make_unique<Times>(*elapsed, statement.before.times));
    find_times(statement.body, all);
  }
}

}  // namespace

double keep_longest(FoldedBlock& block, const NotableLimits& limits) {
  AllTimes all;
  find_times(block, all);
  double left = 0;
  std::priority_queue<std::pair<double, std::size_t>> longest;
  const auto offer = [&](std::size_t i) {
    if (all[i]->has_more()) longest.emplace(all[i]->longest_beyond(), i);
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    left += all[i]->beyond();
    offer(i);
  }
  for (std::size_t told = 0; told < limits.most && left > limits.enough && !longest.empty(); ++told) {
    const std::size_t at = longest.top().second;
    longest.pop();
    left -= all[at]->beyond();
    all[at]->tell_longest();
    left += all[at]->beyond();
    offer(at);
  }
  for (const auto& times : all) times->finish();
  return std::max(left, 0.0);
}

}  // namespace plumbline::replay::model
