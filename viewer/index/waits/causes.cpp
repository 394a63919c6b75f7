#include "viewer/index/waits/causes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "viewer/index/runs/parts.hpp"
#include "viewer/index/waits/delays.hpp"

namespace plumbline::viewer {
namespace {

// A chain is read by people: no longer, and nothing that explains less than this part of the whole. Somebody waits for
// it: so many operations that waited are followed at most, those that lead nowhere included.
constexpr std::size_t kMostSteps = 64, kMostFollowed = 64;
constexpr std::int64_t kLeastPart = 50;  // 1/50

class Chain {
 public:
  Chain(const Runs& runs, const Matches& matches, Causes& causes)
      : runs_(runs), waits_(runs, matches, TimesOf::kObserved), delays_(runs, matches), causes_(causes) {}

  // The excess; where nothing explains any of it, the time.
  void follow(OperationId id) {
    const Waited waited = waits_.of(id);
    const Parts parts = parts_of(runs_, id.rank, id.operation);
    causes_.own = parts.own;
    causes_.inherited = parts.inherited;
    if (parts.judged && parts.inherited > Duration{}) {
      causes_.waited = parts.inherited;
      if (waited.on.exists()) explain(id, waited, causes_.waited);
      if (causes_.explained > Duration{}) return;
    }
    if (!waited.on.exists()) return;
    causes_.by_time = true;
    causes_.steps.clear();
    followed_ = 0;
    causes_.waited = waits_.times(waited.on).begin - parts.begin;
    explain(id, waited, causes_.waited);
  }

 private:
  // Looks for `amount` on the rank of `waited`.
  void explain(OperationId id, const Waited& waited, Duration amount) {
    ++followed_;
    const replay::OperationTimes times = waits_.times(waited.on);
    causes_.steps.push_back({waited.on, times.begin, times.end, waited.why, {}});
    const std::vector<Delay> delays =
        causes_.by_time ? delays_.meanwhile(id, waited.on) : delays_.since_last_contact(id, waited.on);
    bool followed = false;  // one way back, so that the steps are a chain
    for (const Delay& delay : delays) {
      const Duration part = std::min(delay.length, amount);
      if (part.ps <= 0 || part.ps < causes_.waited.ps / kLeastPart || causes_.steps.size() >= kMostSteps) break;
      if (delay.is_inherited && (followed || followed_ >= kMostFollowed)) continue;
      const Duration accounted = account(delay, part);
      followed = followed || (delay.is_inherited && accounted > Duration{});
      amount -= accounted;
    }
  }

  // How much of `part` it could explain.
  Duration account(const Delay& delay, Duration part) {
    const Duration before = causes_.explained;
    if (!delay.is_inherited) {
      causes_.steps.push_back(delay.step);
      causes_.steps.back().explains = part;
      causes_.explained += part;
    } else if (const Waited further = waits_.of(delay.step.operation); further.on.exists()) {
      const std::size_t here = causes_.steps.size();
      explain(delay.step.operation, further, part);
      if (causes_.explained == before) causes_.steps.resize(here);
    }
    return causes_.explained - before;
  }

  const Runs& runs_;
  Waits waits_;
  Delays delays_;
  Causes& causes_;
  std::size_t followed_ = 0;
};

std::string name_of(const Runs& runs, OperationId id) {
  const replay::Operation& op = runs.observed.rank(id.rank).operations[id.operation];
  const std::string_view call = runs.observed.call(op.call), site = runs.observed.site(op.site);
  return site.empty() ? std::string(call) : fmt::format("{} at {}", call, site);
}

std::string in_words(const Runs& runs, const CauseStep& step) {
  const std::string name = name_of(runs, step.operation);
  const std::string explains = format(step.explains);
  if (step.why == Why::kCompute)
    return fmt::format("{} from rank {}, computing before {}", explains, step.operation.rank, name);
  return fmt::format("{} from rank {}, {}", explains, step.operation.rank, name);
}

std::string sentence_of(const Runs& runs, const Causes& causes, Duration observed) {
  const Duration whole = causes.by_time ? observed : std::max(causes.own, Duration{}) + causes.inherited;
  std::vector<std::string> parts;
  if (causes.own > Duration{}) parts.push_back(fmt::format("{} own", format(causes.own)));
  std::vector<CauseStep> steps = causes.steps;
  std::ranges::stable_sort(steps, std::ranges::greater(), &CauseStep::explains);
  constexpr std::size_t kTold = 3;
  for (std::size_t i = 0; i < steps.size() && i < kTold && steps[i].explains > Duration{}; ++i)
    parts.push_back(in_words(runs, steps[i]));
  const Duration rest = causes.waited - causes.explained;
  if (rest > Duration{}) parts.push_back(fmt::format("{} of waiting not explained", format(rest)));
  if (parts.empty()) return fmt::format("{}, and it waited for nobody", format(observed));
  return fmt::format("of {}: {}", format(whole), fmt::join(parts, ", "));
}

}  // namespace

Causes causes_of(const Runs& runs, const Matches& matches, OperationId id) {
  Causes causes;
  Chain(runs, matches, causes).follow(id);
  const replay::OperationTimes times = runs.observed.rank(id.rank).times[id.operation];
  causes.sentence = sentence_of(runs, causes, times.end - times.begin);
  return causes;
}

}  // namespace plumbline::viewer
