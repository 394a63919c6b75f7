#include "viewer/index/runs/alike.hpp"

#include <algorithm>

namespace plumbline::viewer {

OperationsAlike::OperationsAlike(const Runs& runs, std::size_t row)
    : runs_(runs),
      calls_(runs.observed.calls()),
      sites_(runs.observed.sites() + std::size_t{1}, 1),
      keys_(runs.observed),
      row_(runs.comparison->rows[row].key) {
  calls_[row_.call] = 1;
}

OperationsAlike::OperationsAlike(const Runs& runs, std::string_view call, std::optional<std::string_view> site)
    : runs_(runs) {
  for (std::uint32_t i = 0; i < runs.observed.calls(); ++i)
    calls_.push_back(runs.observed.call(static_cast<std::uint16_t>(i)) == call ? 1 : 0);
  for (std::uint32_t i = 0; i < runs.observed.sites(); ++i)
    sites_.push_back(!site || runs.observed.site(i) == *site ? 1 : 0);
  sites_.push_back(!site || site->empty() ? 1 : 0);
}

bool OperationsAlike::contains(std::uint32_t rank, std::uint32_t operation) const {
  const replay::RankProgram& own = runs_.observed.rank(rank);
  const replay::Operation& op = own.operations[operation];
  if (calls_[op.call] == 0 || sites_[std::min<std::size_t>(op.site, sites_.size() - 1)] == 0) return false;
  return !keys_ || keys_->of(own, op) == row_;
}

bool OperationsAlike::is_empty() const {
  return std::ranges::count(calls_, 1) == 0 || std::ranges::count(sites_, 1) == 0;
}

}  // namespace plumbline::viewer
