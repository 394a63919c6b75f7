#include "replay/validate/report/junit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "base/text/xml_text.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/check.hpp"
#include "replay/validate/report/text.hpp"
#include "replay/validate/report/verdict.hpp"

namespace plumbline::replay::validate {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kTextWidth = 100;

// Seconds with three places, as surefire's schema wants them.
std::string time_text(double seconds) { return fmt::format("{:.3f}", seconds > 0 && seconds < 1e9 ? seconds : 0.0); }

void set(XMLElement& element, const char* name, std::string_view value) {
  element.SetAttribute(name, xml_text(value).c_str());
}

void add_property(XMLElement& properties, const char* name, const std::string& value) {
  XMLElement& property = *properties.InsertNewChildElement("property");
  set(property, "name", name);
  set(property, "value", value);
}

void add_properties(XMLElement& suite, const Validation& validation) {
  XMLElement& properties = *suite.InsertNewChildElement("properties");
  add_property(properties, "verdict", verdict_sentence(validation));
  add_property(properties, "exit_code", std::to_string(static_cast<int>(exit_code(validation))));
  add_property(properties, "plumbline", validation.version);
  add_property(properties, "level", validation.level);
  add_property(properties, "nodes", fmt::format("{}", fmt::join(validation.machine.nodes, " ")));
  add_property(properties, "ranks", std::to_string(validation.machine.ranks));
  add_property(properties, "mpi", fmt::format("{}", fmt::join(validation.machine.mpis, ", ")));
  add_property(properties, "kernel", validation.machine.kernel);
  add_property(properties, "machine", machine_sentence(validation));
}

struct Counts {
  int failures = 0, skipped = 0;
};

void add_failure(XMLElement& test, const std::vector<const Diagnosis*>& found) {
  XMLElement& failure = *test.InsertNewChildElement("failure");
  const Diagnosis& first = *found.front();
  std::string message = fmt::format("{}{}: {}", first.title, places_text(first.places), cost_sentence(first));
  if (found.size() > 1) message += fmt::format("; and {} more", found.size() - 1);
  set(failure, "message", message);
  set(failure, "type", word(first.reference));
  std::string text = "\n";
  for (std::size_t i = 0; i < found.size(); ++i)
    text += fmt::format("{}\n", fmt::join(finding_lines(*found[i], i + 1, kTextWidth), "\n"));
  failure.SetText(xml_text(text).c_str());
}

// Why a check is no pass although nothing was found; "" where it is one.
std::string why_skipped(const Validation& validation, const CheckResult* result) {
  if (result == nullptr) return "no part of this validation";
  if (result->state == CheckState::kSuppressed)
    for (const Diagnosis& diagnosis : validation.diagnoses)
      if (diagnosis.id == result->id && !diagnosis.suppressed_by.empty())
        return fmt::format("suppressed by {}: {}", diagnosis.suppressed_by, diagnosis.title);
  if (result->state == CheckState::kPassed || result->state == CheckState::kFound) return {};
  return result->reason.empty() ? std::string(word(result->state))
                                : fmt::format("{}: {}", word(result->state), result->reason);
}

void add_observations(XMLElement& test, const Validation& validation, std::string_view id) {
  std::string text;
  for (const Observation& observation : validation.observations)
    if (observation.id == id) text += fmt::format("{}{}\n", observation.text, places_text(observation.places));
  if (!text.empty()) test.InsertNewChildElement("system-out")->SetText(xml_text(text).c_str());
}

void add_case(XMLElement& suite, const Validation& validation, const Check& check, Counts& counts) {
  const auto result = std::ranges::find(validation.checks, check.id, &CheckResult::id);
  const CheckResult* made = result == validation.checks.end() ? nullptr : &*result;
  std::vector<const Diagnosis*> found = findings(validation);
  std::erase_if(found, [&](const Diagnosis* each) { return each->id != check.id; });
  XMLElement& test = *suite.InsertNewChildElement("testcase");
  set(test, "classname", "plumbline.validate");
  set(test, "name", check.id);
  set(test, "time", time_text(made == nullptr ? 0 : made->seconds));
  if (!found.empty()) {
    ++counts.failures;
    add_failure(test, found);
  } else if (const std::string why = why_skipped(validation, made); !why.empty()) {
    ++counts.skipped;
    set(*test.InsertNewChildElement("skipped"), "message", why);
  }
  add_observations(test, validation, check.id);
}

// "2026-11-25T20:48:00" of "2026-11-25T20:48:00Z"; "" of what is no such time.
std::string_view timestamp(std::string_view created) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd";
  const std::string_view text = created.substr(0, kForm.size());
  const bool fits = std::ranges::equal(
      text, kForm, [](char given, char form) { return form == 'd' ? given >= '0' && given <= '9' : given == form; });
  return fits ? text : std::string_view();
}

}  // namespace

std::string junit_text(const Validation& validation) {
  tinyxml2::XMLDocument document;
  document.InsertEndChild(document.NewDeclaration());
  XMLElement& root = *document.NewElement("testsuites");
  document.InsertEndChild(&root);
  XMLElement& suite = *root.InsertNewChildElement("testsuite");
  Counts counts;
  add_properties(suite, validation);
  for (const Check& check : catalogue()) add_case(suite, validation, check, counts);
  double seconds = 0;
  for (const StageTime& stage : validation.stages) seconds += stage.seconds;
  set(suite, "name", "plumbline validate");
  suite.SetAttribute("tests", static_cast<std::int64_t>(catalogue().size()));
  suite.SetAttribute("failures", counts.failures);
  suite.SetAttribute("errors", 0);
  suite.SetAttribute("skipped", counts.skipped);
  set(suite, "time", time_text(seconds));
  if (const std::string_view time = timestamp(validation.created); !time.empty()) set(suite, "timestamp", time);
  if (!validation.machine.nodes.empty()) set(suite, "hostname", validation.machine.nodes.front());
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

}  // namespace plumbline::replay::validate
