#include "cli/workflows/validate/causes/first_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/quantity.hpp"
#include "replay/diagnose/finding.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/witness/witness.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Datum;
using replay::validate::Diagnosis;
using replay::validate::Observation;

// Of what the slowest memory allows: its rate was timed once, and varies.
constexpr double kPartOfRate = 2.0 / 3;

// The least of the rows whose name ends so, which begin with a node where nodes differ; 0: there is none.
double least(const std::vector<Datum>& rows, std::string_view name) {
  double least = 0;
  for (const Datum& row : rows) {
    if (!row.name.ends_with(name)) continue;
    const double value = std::strtod(row.value.c_str(), nullptr);
    if (value > 0 && (least == 0 || value < least)) least = value;
  }
  return least;
}

void rename(Diagnosis& diagnosis, const Observation& seen, double rate) {
  diagnosis.evidence.push_back({diagnosis.id, diagnosis.title, ""});
  diagnosis.evidence.insert(diagnosis.evidence.end(), seen.rows.begin(), seen.rows.end());
  diagnosis.id = replay::validate::kFirstUse;
  diagnosis.title =
      fmt::format("Memory that was idle is written at {} when it is used again, and the page cache waits for it: {}",
                  format(BytesPerSecond{static_cast<std::uint64_t>(rate)}), diagnosis.title);
  diagnosis.component = seen.component;
  diagnosis.places = seen.places;
  diagnosis.reference = replay::validate::Reference::kWitness;
  if (const auto* const check = replay::validate::find_check(diagnosis.id))
    diagnosis.remedy = replay::validate::remedy_of(*check);
}

}  // namespace

void name_first_use(std::vector<Observation>& observations, std::vector<Diagnosis>& shown) {
  const auto seen = std::ranges::find(observations, replay::validate::kFirstUse, &Observation::id);
  if (seen == observations.end()) return;
  const double rate = least(seen->rows, replay::validate::kFirstUseIdle);
  for (Diagnosis& each : shown) {
    if (each.id != "storage.slow" || least(each.evidence, replay::kRateWritten) < kPartOfRate * rate) continue;
    rename(each, *seen, rate);
    seen->explained = true;
  }
}

}  // namespace plumbline::cli::validate
