// The catalogue for people in a terminal.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.hpp"
#include "base/text/text_table.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/check.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::array kStages{Stage::kPreFlight, Stage::kWitness, Stage::kRule, Stage::kSuite};

std::string paragraph(std::string_view head, std::string_view text) {
  return fmt::format("{:<10} {}\n", head, wrapped(text, kWidth, 11));
}

// One head, then its lines; nothing where there are none.
std::string set_of_lines(std::string_view head, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = fmt::format("           {}:\n", head);
  for (const std::string& line : lines) text += fmt::format("             {}\n", line);
  return text;
}

}  // namespace

std::string explain(std::string_view id) {
  const Check* check = find_check(id);
  if (check == nullptr)
    throw Error("explain", fmt::format("there is no check '{}'", id), nearest_checks(id), ExitCode::kWrongUse);
  const Remedy remedy = remedy_of(*check);
  std::string text = fmt::format("{}: {}\n\n", check->id, check->title);
  text += paragraph("stage", fmt::format("{}: {}", word(check->stage), meaning(check->stage)));
  text += paragraph("looks at", check->looks_at);
  text += paragraph("judged", check->judged);
  text += paragraph("repair", check->repair);
  text += set_of_lines(check->openmpi.empty() && check->mpich.empty() ? "lines" : "with either MPI", remedy.lines);
  text += set_of_lines("Open MPI", remedy.openmpi);
  text += set_of_lines("MPICH", remedy.mpich);
  return text +
         fmt::format("\nTo leave it out of the verdict: a line \"{} # REASON\" in a file for --suppress.\n", check->id);
}

std::string list_of_checks() {
  std::string text;
  std::size_t longest = 0;
  for (const Check& check : catalogue()) longest = std::max(longest, check.id.size());
  for (const Stage stage : kStages) {
    text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", word(stage), meaning(stage));
    for (const Check& check : catalogue())
      if (check.stage == stage) text += fmt::format("  {:<{}}  {}\n", check.id, longest, check.title);
  }
  return text + "\nplumbline explain ID tells what a check looks at, when it is a finding, and how to repair it.\n";
}

}  // namespace plumbline::replay::validate
