#include "viewer/index/aggregates/efficiency.hpp"

#include <algorithm>

#include "base/time_sum.hpp"
#include "viewer/index/pyramid/overlap.hpp"
#include "viewer/index/waits/waits.hpp"

namespace plumbline::viewer {
namespace {

// Of one rank, by bin.
struct RankTime {
  std::vector<Duration> compute, waited;
};

class Bins {
 public:
  Bins(TimeRange range, std::uint32_t count) {
    __extension__ using Wide = __int128;
    const Duration length = range.end - range.begin;
    for (std::uint32_t i = 0; i <= count; ++i)
      begins_.push_back(range.begin + Duration{static_cast<std::int64_t>(static_cast<Wide>(length.ps) * i / count)});
  }

  const std::vector<Time>& begins() const { return begins_; }
  std::size_t size() const { return begins_.size() - 1; }
  Duration length(std::size_t bin) const { return begins_[bin + 1] - begins_[bin]; }

  void add(std::vector<Duration>& times, Time begin, Time end) const {
    begin = std::max(begin, begins_.front());
    end = std::min(end, begins_.back());
    if (begin >= end) return;
    auto bin = static_cast<std::size_t>(std::ranges::upper_bound(begins_, begin) - begins_.begin() - 1);
    for (; bin < size() && begins_[bin] < end; ++bin)
      times[bin] += overlap({begins_[bin], begins_[bin + 1]}, begin, end);
  }

 private:
  std::vector<Time> begins_;
};

RankTime time_of(const Runs& runs, const Waits& waits, const Bins& bins, std::uint32_t rank) {
  RankTime time{std::vector<Duration>(bins.size()), std::vector<Duration>(bins.size())};
  const TimeRange range{bins.begins().front(), bins.begins().back()};
  const auto times = runs.observed.rank(rank).times;
  auto at = std::ranges::upper_bound(times, range.begin, {}, &replay::OperationTimes::end);
  if (at != times.begin() && at != times.end()) bins.add(time.compute, (at - 1)->end, at->begin);
  for (; at != times.end() && at->begin < range.end; ++at) {
    const OperationId id{rank, static_cast<std::uint32_t>(at - times.begin())};
    if (const Waited waited = waits.of(id); waited.on.exists())
      bins.add(time.waited, at->begin, waits.times(waited.on).begin);
    if (at + 1 != times.end()) bins.add(time.compute, at->end, (at + 1)->begin);
  }
  return time;
}

double ratio(TimeSum part, TimeSum whole) { return whole.ps > 0 ? share_of(part, whole) : 1; }

}  // namespace

Efficiency efficiency_of(const Runs& runs, const Matches& matches, TimeRange range, std::uint32_t count) {
  const Bins bins(range, count);
  const Waits waits(runs, matches, TimesOf::kObserved);
  std::vector<TimeSum> sum(bins.size()), most_compute(bins.size()), most_without_transfer(bins.size());
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    const RankTime time = time_of(runs, waits, bins, rank);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      sum[i] += time.compute[i];
      most_compute[i] = std::max(most_compute[i], TimeSum(time.compute[i]));
      most_without_transfer[i] = std::max(most_without_transfer[i], TimeSum(time.compute[i] + time.waited[i]));
    }
  }
  Efficiency result{bins.begins(), {}, {}, {}};
  for (std::size_t i = 0; i < bins.size(); ++i) {
    result.load_balance.push_back(ratio(sum[i], most_compute[i] * runs.observed.ranks()));
    result.serialisation.push_back(ratio(most_compute[i], most_without_transfer[i]));
    result.transfer.push_back(ratio(most_without_transfer[i], bins.length(i)));
  }
  return result;
}

}  // namespace plumbline::viewer
