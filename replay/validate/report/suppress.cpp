#include "replay/validate/report/suppress.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "base/error.hpp"
#include "replay/validate/checks/catalogue.hpp"

namespace plumbline::replay::validate {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

Suppression suppression_of(std::string_view line, std::uint32_t number) {
  Suppression suppression;
  suppression.line = number;
  const std::size_t comment = std::min(line.find('#'), line.size());
  if (comment < line.size()) suppression.reason = trimmed(line.substr(comment + 1));
  const std::string_view text = trimmed(line.substr(0, comment));
  const std::size_t blank = std::min(text.find_first_of(" \t"), text.size());
  suppression.id = text.substr(0, blank);
  suppression.component = trimmed(text.substr(blank));
  return suppression;
}

bool fits(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool fits(const Suppression& suppression, const Diagnosis& diagnosis) {
  if (suppression.id != diagnosis.id) return false;
  if (suppression.component.empty() || fits(suppression.component, diagnosis.component)) return true;
  return !diagnosis.places.empty() && std::ranges::all_of(diagnosis.places, [&](const std::string& place) {
    return fits(suppression.component, place);
  });
}

}  // namespace

std::vector<Suppression> parse_suppressions(std::string_view text, const std::string& name) {
  std::vector<Suppression> suppressions;
  Diagnostics faults;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    Suppression suppression = suppression_of(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (suppression.id.empty()) continue;
    if (find_check(suppression.id) == nullptr)
      faults.add(fmt::format("{}:{}", name, number), fmt::format("there is no check '{}'", suppression.id),
                 nearest_checks(suppression.id));
    else
      suppressions.push_back(std::move(suppression));
  }
  faults.throw_if_any();
  return suppressions;
}

void suppress(Validation& validation, const std::vector<Suppression>& suppressions, const std::string& name) {
  for (const Suppression& suppression : suppressions) {
    bool used = false;
    for (Diagnosis& diagnosis : validation.diagnoses) {
      if (!fits(suppression, diagnosis)) continue;
      used = true;
      if (diagnosis.suppressed_by.empty()) diagnosis.suppressed_by = fmt::format("{}:{}", name, suppression.line);
    }
    if (!used)
      validation.notes.push_back(fmt::format("{}:{} suppresses nothing: there is no such finding of {}", name,
                                             suppression.line, suppression.id));
  }
  sort_diagnoses(validation);
  mark_found_checks(validation);
}

}  // namespace plumbline::replay::validate
