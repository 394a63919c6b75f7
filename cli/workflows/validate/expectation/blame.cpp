#include "cli/workflows/validate/expectation/blame.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "hwmodels/calibrate/assumed.hpp"
#include "replay/engine/replay.hpp"
#include "replay/expect/arrivals.hpp"

namespace plumbline::cli::validate {
namespace {

constexpr double kAlike = 0.98;  // cosine of the use of two components that cannot be told apart

// Seconds for each byte more.
void slow_down(hw::Parameter<BytesPerSecond>& rate, double seconds) {
  const double slower = 1 / (1 / static_cast<double>(rate.value.count) + seconds);
  rate.value.count = static_cast<std::uint64_t>(std::max(1.0, slower));
}

void lengthen(hw::Parameter<Duration>& time, double seconds) {
  time.value.ps += static_cast<std::int64_t>(seconds * 1e12);
}

// A parameter of a platform that may be changed, or of one that is only read.
template <class Platform, class T>
using ParameterOf = std::conditional_t<std::is_const_v<Platform>, const hw::Parameter<T>, hw::Parameter<T>>;

// What the slowness of a component is a change of. Files on servers cross their devices; what the clients have beside
// that is a copy.
template <class Platform>
std::vector<ParameterOf<Platform, BytesPerSecond>*> rates_of(const Exposed& exposed, Platform& platform) {
  if (exposed.kind == Exposed::Kind::kLink) return {&platform.edges[exposed.index].rate};
  auto& system = platform.file_systems[exposed.index];
  if (system.distribution.servers.empty())
    return {&system.cached_write.rate, &system.cached_read.rate, &system.device_write.rate, &system.device_read.rate};
  std::vector<ParameterOf<Platform, BytesPerSecond>*> rates;
  for (const std::uint32_t server : system.distribution.servers) {
    auto& device = platform.servers[server].device;
    if (device.disk) rates.push_back(&device.disk->rate);
    if (device.flash) rates.insert(rates.end(), {&device.flash->write_rate, &device.flash->read_rate});
    if (device.simple) rates.push_back(&device.simple->rate);
  }
  return rates;
}

template <class Platform>
std::vector<ParameterOf<Platform, Duration>*> latencies_of(const Exposed& exposed, Platform& platform) {
  if (exposed.kind == Exposed::Kind::kLink) return {&platform.edges[exposed.index].latency};
  auto& system = platform.file_systems[exposed.index];
  return {&system.cached_write.call, &system.cached_read.call, &system.device_write.call, &system.device_read.call};
}

void apply(const Exposed& exposed, double seconds, hw::Platform& platform) {
  if (exposed.slowness == Slowness::kRate)
    for (hw::Parameter<BytesPerSecond>* const rate : rates_of(exposed, platform)) slow_down(*rate, seconds);
  else
    for (hw::Parameter<Duration>* const time : latencies_of(exposed, platform)) lengthen(*time, seconds);
}

struct Value {
  double value = 0;  // B/s of the first of its rates, seconds of the first of its latencies
  bool is_measured = true;
};

Value value_of(const Exposed& exposed, const hw::Platform& platform) {
  if (exposed.slowness == Slowness::kRate) {
    const auto rates = rates_of(exposed, platform);
    if (rates.empty()) return {0, false};
    return {static_cast<double>(rates.front()->value.count), hw::calibration::is_measured(rates.front()->source)};
  }
  const hw::Parameter<Duration>& time = *latencies_of(exposed, platform).front();
  return {time.value.seconds(), hw::calibration::is_measured(time.source)};
}

double sum_of(const statistics::SparseColumn& column) {
  return std::accumulate(column.values.begin(), column.values.end(), 0.0);
}

// Where all messages of a component are of about one size, its rate and its latency cannot be told apart: then it is
// its rate if the bytes of a message take longer than its way, and its latency otherwise.
void prefer_one_kind(Exposure& exposure, const hw::Platform& platform) {
  for (std::size_t rate = 0; rate < exposure.columns.size(); ++rate) {
    Exposed twin = exposure.exposed[rate];
    if (twin.slowness != Slowness::kRate) continue;
    twin.slowness = Slowness::kLatency;
    const auto found = std::ranges::find(exposure.exposed, twin);
    if (found == exposure.exposed.end()) continue;
    const auto latency = static_cast<std::size_t>(found - exposure.exposed.begin());
    if (statistics::cosine(exposure.columns[rate], exposure.columns[latency]) < kAlike) continue;
    const double bytes = sum_of(exposure.columns[rate]) / sum_of(exposure.columns[latency]);
    const bool is_of_rate =
        bytes / value_of(exposure.exposed[rate], platform).value > value_of(exposure.exposed[latency], platform).value;
    exposure.columns[is_of_rate ? latency : rate] = {};
  }
}

class Search {
 public:
  Search(const replay::Program& program, const replay::Expected& expected, const hw::Platform& platform,
         const BlameOptions& options)
      : program_(program),
        arrivals_(program),
        columns_(expected),
        healthy_(platform),
        options_(options),
        exposure_(exposure_of(program, expected, platform)),
        platform_(platform) {
    prefer_one_kind(exposure_, platform);
    is_out_.resize(exposure_.columns.size(), false);
  }

  // One component after the other, each as slow as what those before it leave of the loss says.
  Blame run() {
    const double observed = (end_of(program_) - Time{}).seconds();
    double reached = free_length(platform_);
    blame_.lost_s = std::max(0.0, observed - reached);
    blame_.remainder_s = blame_.lost_s;
    std::uint32_t refused = 0;
    while (refused < kMostRefused && replays_ + kReplaysOfOne <= options_.most_replays) {
      const std::optional<Suspect> suspect = next_suspect();
      if (!suspect) break;
      leave_out(*suspect);
      const hw::Platform with = fitted(*suspect);
      const double explained = std::min(free_length(with), observed) - reached;
      if (explained < options_.threshold * observed || slowness(*suspect, with) < options_.slowness) {
        ++refused;
        continue;
      }
      take(*suspect, with, explained);
      reached += explained;
    }
    blame_.replays = replays_;
    return std::move(blame_);
  }

 private:
  static constexpr std::uint32_t kTries = 4, kReplaysOfOne = kTries + 2;
  static constexpr std::uint32_t kMostRefused = 2;  // suspects that explain nothing, before the search ends
  static constexpr double kMostSeverity = 8;        // times what the regression says
  static constexpr double kExact = 0.01;            // of the loss, that may be left of it

  struct Suspect {
    std::size_t column = 0;
    double per_unit = 0;  // seconds that the regression gives for each byte, or message
  };

  // That the regression explains most by.
  std::optional<Suspect> next_suspect() {
    std::vector<statistics::SparseColumn> columns = exposure_.columns;
    for (std::size_t column = 0; column < columns.size(); ++column)
      if (is_out_[column]) columns[column] = {};
    const std::vector<double> x = statistics::non_negative_least_squares(columns, exposure_.own_s);
    double all = 0, most = 0;
    for (const double own : exposure_.own_s) all += std::max(0.0, own);
    std::optional<Suspect> suspect;
    for (std::size_t column = 0; column < x.size(); ++column) {
      const double weight = x[column] * sum_of(columns[column]);
      if (weight <= std::max(most, options_.threshold * all)) continue;
      most = weight;
      suspect = {column, x[column]};
    }
    return suspect;
  }

  double free_length(const hw::Platform& platform) {
    ++replays_;
    replay::ReplayOptions how{.mode = replay::Mode::kFree, .form = replay::Form::kAsRun};
    how.keep_times = false;
    return (replay::replay(program_, platform, how).end - Time{}).seconds();
  }

  // What operations lose on that platform, by row.
  std::vector<double> losses_on(const hw::Platform& platform) {
    ++replays_;
    const replay::ReplayOptions how{.mode = replay::Mode::kAnchored, .form = replay::Form::kAsRun};
    replay::ReplayResult anchored = replay::replay(program_, platform, how);
    if (anchored.late_starts > 0) arrivals_.wait_as_observed(anchored.times);
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
      for (std::size_t i = 0; i < anchored.times[rank].size(); ++i)
        columns_.ranks[rank].as_run_upper[i] = anchored.times[rank][i].end - anchored.times[rank][i].begin;
    return exposure_of(program_, columns_, healthy_).own_s;
  }

  hw::Platform slowed(const Suspect& suspect, double severity) const {
    hw::Platform platform = platform_;
    apply(exposure_.exposed[suspect.column], severity * suspect.per_unit, platform);
    return platform;
  }

  double loss_of_users(const Suspect& suspect, const std::vector<double>& losses) const {
    double sum = 0;
    for (const std::uint32_t row : exposure_.columns[suspect.column].rows) sum += losses[row];
    return sum;
  }

  // As slow as takes the anchored loss of those who use the suspect to 0. The loss falls almost in proportion to the
  // seconds for each byte, so that the secant through the last two tries is soon there.
  hw::Platform fitted(const Suspect& suspect) {
    double before = 0, tried = 1;
    double loss_before = loss_of_users(suspect, exposure_.own_s);
    const double all = loss_before;
    for (std::uint32_t step = 0; step < kTries; ++step) {
      const double loss = loss_of_users(suspect, losses_on(slowed(suspect, tried)));
      if (std::abs(loss) < kExact * all || loss == loss_before) break;
      const double next = std::clamp(tried - loss * (tried - before) / (loss - loss_before), 0.0, kMostSeverity);
      before = std::exchange(tried, next);
      loss_before = loss;
    }
    return slowed(suspect, tried);
  }

  // How much less it delivers, or longer it takes, than on the healthy platform.
  double slowness(const Suspect& suspect, const hw::Platform& with) const {
    const Exposed& exposed = exposure_.exposed[suspect.column];
    const double expected = value_of(exposed, healthy_).value, now = value_of(exposed, with).value;
    if (expected <= 0) return 1;
    return exposed.slowness == Slowness::kRate ? 1 - now / expected : now / expected - 1;
  }

  // Nor anything that explains the same operations.
  void leave_out(const Suspect& suspect) {
    const Exposed& exposed = exposure_.exposed[suspect.column];
    for (std::size_t other = 0; other < exposure_.columns.size(); ++other) {
      const bool is_same_part =
          exposure_.exposed[other].kind == exposed.kind && exposure_.exposed[other].index == exposed.index;
      if (is_same_part || statistics::cosine(exposure_.columns[suspect.column], exposure_.columns[other]) >= kAlike)
        is_out_[other] = true;
    }
  }

  void take(const Suspect& suspect, const hw::Platform& with, double explained) {
    const Exposed& exposed = exposure_.exposed[suspect.column];
    Blamed blamed{exposed,
                  name_of(exposed, healthy_),
                  {},
                  value_of(exposed, healthy_).value,
                  value_of(exposed, with).value,
                  value_of(exposed, healthy_).is_measured,
                  explained,
                  exposure_.columns[suspect.column].rows.size()};
    for (std::size_t other = 0; other < exposure_.columns.size(); ++other)
      if (other != suspect.column && exposure_.exposed[other].slowness == exposed.slowness &&
          statistics::cosine(exposure_.columns[suspect.column], exposure_.columns[other]) >= kAlike)
        blamed.one_of.push_back(name_of(exposure_.exposed[other], healthy_));
    blame_.blamed.push_back(std::move(blamed));
    blame_.remainder_s -= explained;
    platform_ = with;
    exposure_.own_s = losses_on(platform_);
  }

  const replay::Program& program_;
  const replay::expect::Arrivals arrivals_;
  replay::Expected columns_;  // as-run on the platform that was tried last
  const hw::Platform& healthy_;
  const BlameOptions& options_;
  Exposure exposure_;         // own_s: what is left of it on platform_
  hw::Platform platform_;     // with all that has been taken
  std::vector<bool> is_out_;  // by column
  std::uint32_t replays_ = 0;
  Blame blame_;
};

}  // namespace

Blame blame(const replay::Program& program, const replay::Expected& expected, const hw::Platform& platform,
            const BlameOptions& options) {
  return Search(program, expected, platform, options).run();
}

}  // namespace plumbline::cli::validate
