#include "replay/validate/checks/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/check.hpp"

namespace plumbline::replay::validate {
namespace {

struct Family {
  std::string_view name;                     // of the file
  std::string_view title;                    // "Checks of the network"
  std::vector<std::string_view> beginnings;  // of the ids that belong to it
};

// Cut so that no page is over 1,500 words, which a test holds.
const std::vector<Family>& families() {
  static const std::vector<Family> all{
      Family{"launch", "Checks of the launch and of nodes", {"launch.", "node.", "rank."}},
      Family{"processors", "Checks of processors and memory", {"cpu.", "memory."}},
      Family{"network", "Checks of the network", {"net."}},
      Family{"library", "Checks of the MPI library", {"mpi."}},
      Family{"storage", "Checks of storage and MPI-IO", {"disk.", "fs.", "io.", "server.", "storage."}},
      Family{"rules-messages",
             "Rules of messages, sizes and files",
             {"rule.collective-io", "rule.loopback.", "rule.sendrecv", "rule.shared-memory.", "rule.size.",
              "rule.thread-single"}},
      Family{"rules-rooted",
             "Rules of collectives with a root",
             {"rule.bcast.", "rule.gather.", "rule.reduce.", "rule.scatter."}},
      Family{"rules-unrooted",
             "Rules of collectives without a root",
             {"rule.allgather.", "rule.allreduce.", "rule.reduce-scatter.", "rule.reduce-scatter-block."}},
      Family{"rules-forms",
             "Rules of vector forms, neighbourhoods and scans",
             {"rule.neighbourhood", "rule.regular.", "rule.scan."}},
      Family{"suite", "Checks of the suite as a whole", {"data.", "suite."}}};
  return all;
}

std::string file_of(const Family& family) { return fmt::format("checks-{}.md", family.name); }

bool is_of(const Check& check, const Family& family) {
  return std::ranges::any_of(family.beginnings, [&](std::string_view begin) { return check.id.starts_with(begin); });
}

const Family& family_of(const Check& check) {
  const auto family = std::ranges::find_if(families(), [&](const Family& f) { return is_of(check, f); });
  PLUMBLINE_CHECK(family != families().end(), "a check belongs to no page: add the beginning of its id to a family");
  return *family;
}

// As GitHub makes it of the heading `id`.
std::string anchor_of(std::string_view id) {
  std::string anchor(id);
  std::erase(anchor, '.');
  return anchor;
}

std::string with_capital(std::string_view text) {
  std::string result(text);
  result.front() = static_cast<char>(result.front() - 'a' + 'A');
  return result;
}

std::string lines_to_set(const Remedy& remedy) {
  std::string text;
  const auto add = [&](std::string_view head, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) text += fmt::format("    {:<10}{}\n", head, line);
  };
  add("", remedy.lines);
  add("Open MPI", remedy.openmpi);
  add("MPICH", remedy.mpich);
  return text.empty() ? text : "\n" + text;
}

std::string page_of(const Family& family) {
  std::string text = fmt::format(
      "# {}\n\n"
      "A page of the [checks of `validate`](checks.md), which says what the words mean.\n",
      family.title);
  for (const Check& check : catalogue())
    if (&family_of(check) == &family)
      text += fmt::format("\n## `{}`\n\n{}. Stage: {}.\n\n- *Looks at:* {}\n- *Judged:* {}\n- *Repair:* {}\n{}",
                          check.id, check.title, word(check.stage), check.looks_at, check.judged, check.repair,
                          lines_to_set(remedy_of(check)));
  return text;
}

std::string index_page() {
  std::string text =
      "# Checks of `validate`\n\n"
      "This page and those that it leads to are made by `plumbline explain --markdown docs/reference`; a test fails "
      "when they are old.\n\n"
      "An *observation* is a fact that deviates; a *diagnosis* is a cause with its cost, and only that is a finding "
      "([validation.md](validation.md)). Ids are stable: `--suppress` and JUnit go by them. In the lines to set, words "
      "in capital letters stand for what depends on the machine.\n";
  for (const Stage stage : {Stage::kPreFlight, Stage::kWitness, Stage::kRule, Stage::kSuite}) {
    text += fmt::format("\n## {}\n\n{}.\n\n| check | passes when |\n|---|---|\n", with_capital(word(stage)),
                        with_capital(meaning(stage)));
    for (const Check& check : catalogue())
      if (check.stage == stage)
        text += fmt::format("| [`{}`]({}#{}) | {} |\n", check.id, file_of(family_of(check)), anchor_of(check.id),
                            check.title);
  }
  return text;
}

}  // namespace

std::vector<ChecksPage> checks_pages() {
  std::vector<ChecksPage> pages{{"checks.md", index_page()}};
  for (const Family& family : families()) pages.push_back({file_of(family), page_of(family)});
  return pages;
}

}  // namespace plumbline::replay::validate
