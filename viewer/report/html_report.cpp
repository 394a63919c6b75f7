#include "viewer/report/html_report.hpp"

#include <fmt/format.h>

#include <vector>

#include "replay/compare/result/wording.hpp"
#include "replay/validate/report/verdict.hpp"
#include "viewer/report/findings.hpp"
#include "viewer/report/html.hpp"
#include "viewer/report/style.hpp"
#include "viewer/report/tables.hpp"
#include "viewer/report/waterfall.hpp"

namespace plumbline::viewer {
namespace {

using replay::validate::CheckState;
using replay::validate::Validation;

std::string_view tone(const Validation& validation) {
  const ExitCode code = exit_code(validation);
  return code == ExitCode::kAsExpected ? "is-good" : code == ExitCode::kTooNoisy ? "is-warn" : "is-bad";
}

std::string_view verdict_sign(const Validation& validation) {
  const ExitCode code = exit_code(validation);
  return code == ExitCode::kAsExpected ? "✓ " : code == ExitCode::kTooNoisy ? "? " : "✗ ";
}

std::string head(const Validation& validation) {
  std::string text = "<p class=\"brand\">Plumbline validation</p>\n";
  text += wrap("h1", fmt::format("<span aria-hidden=\"true\">{}</span>", verdict_sign(validation)) +
                         escaped(verdict_sentence(validation))) +
          "\n";
  text += element("p", "Checked: " + checked_sentence(validation) + ".") + "\n";
  for (const CheckState state : {CheckState::kCouldNotRun, CheckState::kNotJudged})
    if (const std::string unmade = unmade_sentence(validation, state, 5); !unmade.empty())
      text += element("p", unmade + ".") + "\n";
  text += element("p", "Took " + time_sentence(validation) + ".") + "\n";
  std::string machine = "Machine: " + machine_sentence(validation) + ".";
  if (validation.unexplained_s > 0)
    machine += fmt::format(" Of the suite's {}, {} were lost to no known cause.",
                           replay::validate::seconds_text(validation.suite_s()),
                           replay::validate::seconds_text(validation.unexplained_s));
  text += element("p", machine) + "\n";
  return wrap("header", "\n" + text, fmt::format("class=\"verdict {}\"", tone(validation))) + "\n";
}

std::string waterfall_part(std::span<const NamedReport> runs) {
  std::vector<const replay::Totals*> totals;
  for (const auto& [name, report] : runs)
    if (report->reference == replay::ReferenceRun::kExpected) totals.push_back(&report->totals);
  const std::string figure = waterfall_figure(waterfall_of(totals));
  if (figure.empty()) return {};
  return element("p", fmt::format("Time of all ranks in {}; each part begins where the last one ended.",
                                  replay::plural(totals.size(), "run"))) +
         "\n" + figure;
}

struct Part {
  std::string_view id, heading;
  std::string markup;
};

std::vector<Part> parts_of(const Validation& validation, std::span<const NamedReport> runs) {
  std::string all = finding_cards(validation);
  if (all.empty()) all = "<p>None.</p>\n";
  return {{"findings", "Findings", all},
          {"suppressed", "Suppressed findings", suppressed_table(validation)},
          {"time", "Where the time of the suite went", waterfall_part(runs)},
          {"rows", "Calls that lost most", worst_rows_table(runs)},
          {"machine", "Machine", machine_facts(validation)},
          {"observations", "Observations", observation_tables(validation)},
          {"suite", "Suite", suite_table(validation, runs)},
          {"checks", "Checks", check_table(validation)},
          {"withheld", "Withheld", withheld_table(runs)},
          {"not-judged", "Not judged in the suite", not_judged_table(runs)},
          {"stages", "Stages", stage_table(validation)},
          {"notes", "Notes", note_list(validation, runs)}};
}

std::string contents(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts)
    if (!part.markup.empty())
      text += wrap("li", element("a", part.heading, fmt::format("href=\"#{}\"", part.id))) + "\n";
  return fmt::format("<nav aria-label=\"Contents\"><ul class=\"parts\">\n{}</ul></nav>\n", text);
}

}  // namespace

std::string html_report(const Validation& validation, std::span<const NamedReport> runs) {
  std::vector<NamedReport> known;
  for (const NamedReport& run : runs)
    if (run.second != nullptr) known.push_back(run);
  const std::vector<Part> parts = parts_of(validation, known);
  std::string body = head(validation) + contents(parts);
  for (const Part& part : parts) body += section(part.id, part.heading, part.markup);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri "
      "'none'; form-action 'none'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"referrer\" content=\"no-referrer\"/>\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<main>\n{}</main>\n</body>\n</html>\n",
      escaped("Plumbline: " + verdict_sentence(validation)), style_sheet(), body);
}

}  // namespace plumbline::viewer
