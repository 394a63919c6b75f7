#include <fmt/format.h>

#include "replay/compare/result/wording.hpp"
#include "replay/diagnose/kinds.hpp"

namespace plumbline::replay {

Confidence confidence_of(const Effect& effect) {
  if (effect.p_slower <= 0.01) return Confidence::kHigh;
  return effect.few || !effect.shown ? Confidence::kLow : Confidence::kGood;
}

std::string basis_of(const Comparison& comparison, const Effect& effect) {
  const std::string beyond =
      comparison.reference == ReferenceRun::kExpected ? "the platform's error bar" : "the reference run";
  const std::string samples = plural(effect.samples, "sample");
  if (effect.p_slower <= comparison.options.false_discovery_rate)
    return fmt::format("{} of {} beyond {}; sign test, adjusted p = {:.2g}", effect.above, samples, beyond,
                       effect.p_slower);
  if (!effect.shown) return fmt::format("{} of {} beyond {}, which no test shows", effect.above, samples, beyond);
  return fmt::format("{}, too few for a test, {}far beyond {}", samples, effect.samples == 1 ? "" : "all ", beyond);
}

}  // namespace plumbline::replay
