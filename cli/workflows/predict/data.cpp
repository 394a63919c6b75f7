#include "cli/workflows/predict/data.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace plumbline::cli::predict {
namespace {

template <class Change>
hw::Platform with_times(hw::Platform platform, Change change) {
  const auto of = [&](hw::Transport& transport) {
    for (hw::MessageRange& range : transport.ranges) change(range.times);
  };
  of(platform.inside);
  of(platform.between);
  for (hw::PairTransport& pair : platform.pairs) of(pair.transport);
  return platform;
}

// Times are spread evenly between two quantiles.
Duration mean_of(const std::vector<hw::Quantile>& quantiles) {
  double sum = 0;
  for (std::size_t i = 1; i < quantiles.size(); ++i)
    sum += (quantiles[i].share - quantiles[i - 1].share) *
           (static_cast<double>(quantiles[i].value.ps) + static_cast<double>(quantiles[i - 1].value.ps)) / 2;
  return {std::llround(sum)};
}

void set_point(hw::MessageTimes& times, Duration value) { times.quantiles = {{0, value}, {1, value}}; }

}  // namespace

hw::Platform with_fewest_in_flight(hw::Platform platform) {
  return with_times(std::move(platform), [](std::vector<hw::MessageTimes>& all) {
    std::map<Bytes, std::uint32_t> fewest;
    for (const hw::MessageTimes& times : all) {
      const auto [entry, is_new] = fewest.try_emplace(times.size, times.in_flight);
      if (!is_new) entry->second = std::min(entry->second, times.in_flight);
    }
    std::erase_if(all, [&](const hw::MessageTimes& times) { return times.in_flight != fewest.at(times.size); });
  });
}

hw::Platform with_means(hw::Platform platform) {
  return with_times(std::move(platform), [](std::vector<hw::MessageTimes>& all) {
    for (hw::MessageTimes& times : all) set_point(times, mean_of(times.quantiles));
  });
}

hw::Platform with_least(hw::Platform platform) {
  return with_times(std::move(platform), [](std::vector<hw::MessageTimes>& all) {
    for (hw::MessageTimes& times : all) set_point(times, times.quantiles.front().value);
  });
}

}  // namespace plumbline::cli::predict
