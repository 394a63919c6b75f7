#pragma once
// Models for tests, compiled and printed as programs.

#include <string>
#include <vector>

#include "base/error.hpp"
#include "replay/model/compile/compile.hpp"
#include "replay/program/text/text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay::model::test {

inline Layout one_per_node(std::uint32_t ranks) {
  Layout layout;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) layout.nodes.push_back({"n" + std::to_string(rank), 1});
  return layout;
}

// Throws Error with all that is wrong.
inline Program compiled(const std::string& text, std::uint32_t ranks, const Layout& layout,
                        const std::vector<Setting>& settings = {}) {
  std::vector<std::string> given;
  for (const Setting& setting : settings) given.push_back(setting.name);
  const Model model = parse_model(text, "m.c", given);
  Faults faults("m.c");
  const plumbline::test::TemporaryDirectory directory;
  std::optional<Program> program =
      compile_model(instance_of(model, ranks, settings), layout, directory.path() / "program", faults);
  faults.throw_if_any();
  return std::move(*program);
}
inline Program compiled(const std::string& text, std::uint32_t ranks, const std::vector<Setting>& settings = {}) {
  return compiled(text, ranks, one_per_node(ranks), settings);
}

// All that is wrong, a line each; "" when nothing is.
inline std::string faults_of(const std::string& text, std::uint32_t ranks) {
  try {
    compiled(text, ranks);
  } catch (const Error& error) {
    std::string all;
    for (const Problem& problem : error.problems()) all += problem.where + ": " + problem.what + "\n";
    return all;
  }
  return "";
}

// Operations of all ranks in the text form of programs, without what stands before the first rank and without sites.
inline std::string operations_of(const std::string& text, std::uint32_t ranks,
                                 const std::vector<Setting>& settings = {}) {
  std::string all = to_text(compiled(text, ranks, settings));
  all.erase(0, all.find("rank 0\n"));
  for (std::size_t at = all.find(" site \""); at != all.npos; at = all.find(" site \""))
    all.erase(at, all.find('"', at + 7) + 1 - at);
  return all;
}

}  // namespace plumbline::replay::model::test
