#include "replay/validate/report/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/text/text_table.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/report/text_paint.hpp"
#include "replay/validate/report/text_parts.hpp"
#include "replay/validate/report/verdict.hpp"

namespace plumbline::replay::validate {
namespace {

using replay::Paint;

Paint paint_of(const Validation& validation) {
  const ExitCode code = exit_code(validation);
  return code == ExitCode::kAsExpected ? Paint::kGreen : code == ExitCode::kTooNoisy ? Paint::kYellow : Paint::kRed;
}

std::string took(const Validation& validation, bool details) {
  std::string text = details ? time_sentence(validation) : total_time(validation);
  text += "; machine " + machine_sentence(validation);
  if (validation.unexplained_s > 0)
    text += fmt::format("; lost to no known cause: {} of {}", seconds_text(validation.unexplained_s),
                        seconds_text(validation.suite_s()));
  return text;
}

Lines head(const Validation& validation, const TextOptions& options) {
  Lines lines;
  append(lines, "", verdict_sentence(validation), options.width);
  for (std::string& line : lines) line = replay::painted(line, paint_of(validation), options.color);
  std::string checked = checked_sentence(validation);
  for (const CheckState state : {CheckState::kCouldNotRun, CheckState::kNotJudged})
    if (const std::string unmade = unmade_sentence(validation, state, options.details ? 20 : 1); !unmade.empty())
      checked += "; " + unmade;
  append(lines, "Checked: ", checked, options.width);
  append(lines, "Took: ", took(validation, options.details), options.width);
  return lines;
}

// "a cable carries 48 of 100 Mbit/s at n3 (net.link.rate, cable n3-s0)".
std::string what(const Diagnosis& diagnosis) {
  const std::string component =
      diagnosis.one_of.empty() ? diagnosis.component : fmt::format("one of {}", fmt::join(diagnosis.one_of, ", "));
  return fmt::format("{}{} ({}{}{})", diagnosis.title, places_text(diagnosis.places), diagnosis.id,
                     component.empty() ? "" : ", ", component);
}

std::string standing(const Diagnosis& diagnosis) {
  std::string text = fmt::format("{}; by {}, confidence {}", cost_sentence(diagnosis), word(diagnosis.reference),
                                 word(diagnosis.confidence));
  if (diagnosis.origin)
    if (const std::string origin = text_of(*diagnosis.origin); !origin.empty()) text += "; " + origin;
  return text;
}

std::string gain_text(const Diagnosis& diagnosis) {
  std::string text;
  if (diagnosis.predicted_gain_s) text = fmt::format("gains {}", seconds_text(*diagnosis.predicted_gain_s));
  if (diagnosis.measured_gain_s)
    text += fmt::format("{}measured {}", text.empty() ? "" : ", ", seconds_text(*diagnosis.measured_gain_s));
  return text;
}

void append_remedy(Lines& lines, const Diagnosis& diagnosis, std::size_t width) {
  constexpr std::size_t kMostGroups = 2;
  const std::vector<RemedyGroup> groups = remedy_groups(diagnosis.remedy, diagnosis.mpi);
  const std::string gain = gain_text(diagnosis);
  for (std::size_t i = 0; i < std::min(groups.size(), kMostGroups); ++i) {
    std::string text = fmt::format("{}", fmt::join(*groups[i].lines, "; "));
    if (i == 0 && !gain.empty()) text += fmt::format(" ({})", gain);
    append(lines, groups[i].mpi.empty() ? "    repair: " : fmt::format("    {}: ", groups[i].mpi), text, width);
  }
  if (groups.empty() && !gain.empty()) lines.push_back("    repair " + gain);
}

}  // namespace

Lines finding_lines(const Diagnosis& diagnosis, std::size_t number, std::size_t width) {
  Lines lines;
  append(lines, fmt::format("{:>2}. ", number), what(diagnosis), width);
  append(lines, "    ", standing(diagnosis), width);
  append_remedy(lines, diagnosis, width);
  return lines;
}

std::string to_text(const Validation& validation, const TextOptions& options) {
  Lines lines = head(validation, options);
  const std::vector<const Diagnosis*> found = findings(validation);
  const std::size_t last = options.elsewhere.empty() ? 0 : 1;
  std::size_t shown = 0;
  for (; shown < found.size(); ++shown) {
    const Lines next = finding_lines(*found[shown], shown + 1, options.width);
    const std::size_t more = shown + 1 < found.size() ? 1 : 0;
    if (shown > 0 && !options.details && lines.size() + next.size() + more + last > kSummaryLines) break;
    std::ranges::copy(next, std::back_inserter(lines));
  }
  if (shown < found.size())
    lines.push_back(fmt::format("    and {}", replay::plural(found.size() - shown, "more finding")));
  if (options.details) std::ranges::copy(detail_lines(validation, options.width), std::back_inserter(lines));
  if (last > 0) append(lines, "", options.elsewhere, options.width);
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace plumbline::replay::validate
