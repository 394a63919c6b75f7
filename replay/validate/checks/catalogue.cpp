#include "replay/validate/checks/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/text/nearest.hpp"
#include "replay/validate/checks/tables.hpp"

namespace plumbline::replay::validate {
namespace {

std::vector<Check> all_checks() {
  std::vector<Check> checks;
  for (const std::span<const Check> part : {pre_flight_checks(), node_checks(), network_checks(), storage_checks(),
                                            library_checks(), rule_checks(), suite_checks()})
    checks.insert(checks.end(), part.begin(), part.end());
  return checks;
}

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::span<const Check> catalogue() {
  static const std::vector<Check> checks = all_checks();
  return checks;
}

const Check* find_check(std::string_view id) {
  const auto check = std::ranges::find(catalogue(), id, &Check::id);
  return check == catalogue().end() ? nullptr : &*check;
}

Remedy remedy_of(const Check& check) {
  return {.lines = lines_in(check.lines), .openmpi = lines_in(check.openmpi), .mpich = lines_in(check.mpich)};
}

std::string nearest_checks(std::string_view id) {
  std::vector<std::string> ids;
  for (const Check& check : catalogue()) ids.emplace_back(check.id);
  return did_you_mean(id, ids, "`plumbline explain` lists them all");
}

std::string_view word(Stage stage) {
  switch (stage) {
    case Stage::kPreFlight:
      return "pre-flight";
    case Stage::kWitness:
      return "witnesses";
    case Stage::kRule:
      return "rules";
    case Stage::kSuite:
      return "suite";
  }
  return "";
}

std::string_view meaning(Stage stage) {
  switch (stage) {
    case Stage::kPreFlight:
      return "before anything is measured";
    case Stage::kWitness:
      return "settings, counters and facts that are read, not timed";
    case Stage::kRule:
      return "of two things the machine does, one must not be slower; no other reference is needed";
    case Stage::kSuite:
      return "programs that are recorded, replayed and compared";
  }
  return "";
}

}  // namespace plumbline::replay::validate
