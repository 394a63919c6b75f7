#include "viewer/report/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "replay/compare/result/wording.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/check.hpp"
#include "replay/validate/report/verdict.hpp"
#include "viewer/report/html.hpp"

namespace plumbline::viewer {
namespace {

using replay::validate::Diagnosis;

std::string_view meaning(replay::validate::Reference reference) {
  using enum replay::validate::Reference;
  switch (reference) {
    case kStructure:
      return "held against the best form of the same calls";
    case kPeers:
      return "held against like ranks, links or nodes";
    case kNominal:
      return "held against what platform or data sheet say";
    case kBaseline:
      return "held against an earlier validation";
    case kRule:
      return "held against another measurement of the same machine, which must not be faster";
    case kWitness:
      return "read, not timed";
  }
  return "";
}

std::string cost_bar(const Diagnosis& diagnosis) {
  const double share = std::clamp(diagnosis.cost_share, 0.0, 1.0);
  return fmt::format(
      "<svg class=\"cost\" role=\"img\" aria-label=\"{} of the suite\"><rect class=\"track\" width=\"100%\" "
      "height=\"100%\"/><rect class=\"stack\" width=\"{:.2f}%\" height=\"100%\"/></svg>",
      escaped(replay::validate::share_text(share)), 100 * share);
}

std::string stands_on(const Diagnosis& diagnosis) {
  std::string text = fmt::format("By {} ({}), confidence {}", word(diagnosis.reference), meaning(diagnosis.reference),
                                 word(diagnosis.confidence));
  if (diagnosis.samples > 0) text += fmt::format(", {}", replay::plural(diagnosis.samples, "sample"));
  if (diagnosis.p < 1) text += fmt::format(", p = {:.2g}", diagnosis.p);
  text += ".";
  if (!diagnosis.cost_basis.empty()) text += fmt::format(" Cost: {}.", diagnosis.cost_basis);
  return text;
}

std::string fact(std::string_view name, std::string_view markup) {
  return markup.empty() ? "" : element("dt", name) + wrap("dd", markup) + "\n";
}

std::string facts(const Diagnosis& diagnosis) {
  const std::string component =
      diagnosis.one_of.empty() ? diagnosis.component : fmt::format("one of {}", fmt::join(diagnosis.one_of, ", "));
  std::string text = fact("component", component.empty() ? "" : element("code", component));
  if (!diagnosis.places.empty()) text += fact("where", escaped(fmt::format("{}", fmt::join(diagnosis.places, ", "))));
  text += fact("seen with", escaped(diagnosis.mpi));
  if (diagnosis.origin) text += fact("origin", escaped(text_of(*diagnosis.origin)));
  if (diagnosis.predicted_gain_s)
    text += fact("gain", escaped("predicted " + replay::validate::seconds_text(*diagnosis.predicted_gain_s)) +
                             (diagnosis.measured_gain_s
                                  ? escaped(", measured " + replay::validate::seconds_text(*diagnosis.measured_gain_s))
                                  : ""));
  return wrap("dl", "\n" + text) + "\n";
}

std::string evidence(const Diagnosis& diagnosis) {
  Table table({text_cell("evidence"), text_cell("value")});
  for (const replay::validate::Datum& datum : diagnosis.evidence)
    table.add({text_cell(datum.name), text_cell(datum_text(datum))});
  return table.markup();
}

std::string retests(const Diagnosis& diagnosis) {
  Table table({text_cell("measured again"), text_cell("first"), text_cell("again"), text_cell("healthy twin"),
               text_cell("persists")});
  for (const replay::validate::Retest& retest : diagnosis.retests) {
    const auto numbers = [&](const std::vector<double>& values) {
      std::vector<std::string> texts;
      for (const double value : values)
        texts.push_back(retest.unit == "s" ? replay::validate::seconds_text(value)
                                           : fmt::format("{:.4g} {}", value, retest.unit));
      return text_cell(fmt::format("{}", fmt::join(texts, ", ")));
    };
    table.add({text_cell(retest.what), numbers({retest.first}), numbers(retest.again), numbers(retest.twin),
               text_cell(retest.persists ? "yes" : "no")});
  }
  return table.markup();
}

std::string remedy(const Diagnosis& diagnosis) {
  std::string text;
  if (const replay::validate::Check* check = replay::validate::find_check(diagnosis.id))
    text += element("p", check->repair);
  for (const replay::validate::RemedyGroup& group : remedy_groups(diagnosis.remedy))
    text += fmt::format("<figure><figcaption>{}</figcaption><pre>{}</pre></figure>\n",
                        group.mpi.empty() ? "To set or run" : escaped(group.mpi),
                        escaped(fmt::format("{}", fmt::join(*group.lines, "\n"))));
  return text.empty() ? "" : "<h4>Repair</h4>\n" + text;
}

std::string card(const Diagnosis& diagnosis, std::size_t number) {
  return fmt::format(
      "<article class=\"card\" id=\"finding-{0}\">\n<h3><span class=\"sign\">{0}</span> {1}</h3>\n<p "
      "class=\"price\">{2}"
      "</p>{3}\n<p>{4}</p>\n<p class=\"legend\">{5}</p>\n{6}{7}{8}{9}</article>\n",
      number, escaped(diagnosis.title + replay::validate::places_text(diagnosis.places)),
      escaped(cost_sentence(diagnosis)), cost_bar(diagnosis), escaped(stands_on(diagnosis)),
      element("code", "plumbline explain " + diagnosis.id), facts(diagnosis), evidence(diagnosis), retests(diagnosis),
      remedy(diagnosis));
}

std::string observations(const replay::validate::Validation& validation, bool explained) {
  Table table({text_cell("what"), text_cell("where"), text_cell("rows"), text_cell("origin"), text_cell("check")});
  for (const replay::validate::Observation& each : validation.observations) {
    if (each.explained != explained) continue;
    std::vector<std::string> rows;
    for (const replay::validate::Datum& datum : each.rows)
      rows.push_back(fmt::format("{} {}", datum.name, datum_text(datum)));
    const std::string where = each.places.empty() ? "everywhere" : fmt::format("{}", fmt::join(each.places, ", "));
    table.add({text_cell(each.text),
               text_cell(where),
               text_cell(fmt::format("{}", fmt::join(rows, ", "))),
               text_cell(each.origin ? text_of(*each.origin) : ""),
               {element("code", each.id)}});
  }
  return table.markup();
}

}  // namespace

std::string finding_cards(const replay::validate::Validation& validation) {
  std::string text;
  std::size_t number = 0;
  for (const Diagnosis* finding : findings(validation)) text += card(*finding, ++number);
  return text;
}

std::string suppressed_table(const replay::validate::Validation& validation) {
  Table table({text_cell("finding"), text_cell("component"), number_cell("cost"), text_cell("suppressed by")});
  for (const Diagnosis& each : validation.diagnoses)
    if (!each.suppressed_by.empty())
      table.add(
          {{escaped(each.title + replay::validate::places_text(each.places)) + "<br/>" + element("code", each.id)},
           text_cell(each.component),
           number_cell(cost_sentence(each)),
           text_cell(each.suppressed_by)});
  return table.markup();
}

std::string observation_tables(const replay::validate::Validation& validation) {
  const std::string open = observations(validation, false), explained = observations(validation, true);
  std::string text;
  if (!open.empty()) text += "<h3>That no finding explains</h3>\n" + open;
  if (!explained.empty()) text += "<h3>That are part of a finding</h3>\n" + explained;
  return text;
}

}  // namespace plumbline::viewer
