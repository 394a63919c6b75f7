#include "replay/model/fold/fold.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "replay/model/fold/loops.hpp"
#include "replay/model/fold/notable.hpp"
#include "replay/model/fold/ranks.hpp"
#include "replay/model/fold/text.hpp"

namespace plumbline::replay::model {
namespace {

std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

constexpr double kEnough = 4e-3;  // of what the longest rank does: of all ranks together
constexpr std::size_t kMostTold = 5'000, kMostOfRank = 1'000;
constexpr double kUneven = 5e-3;

std::string head_of(const FoldedModel& model, const std::string& name) {
  std::string text = fmt::format("# {}: {} ranks, {} operations\n", on_one_line(name), model.ranks, model.operations);
  for (const NotFolded& one : model.not_folded)
    text +=
        on_one_line(fmt::format("# {}: {} operations of {}{}{}: {}", one.approximated ? "approximated" : "not folded",
                                one.operations, one.call, one.site.empty() ? "" : " at ", one.site, one.reason)) +
        "\n";
  if (is_uneven(model))
    text += fmt::format("# approximated: iterations that take longer than their mean, by up to {:.1f} % of the run\n",
                        100 * model.unevenness);
  return text;
}

// What the replay goes by.
std::string properties_of(const Program& program, const RecordedCalls& calls) {
  std::string text;
  const auto tell = [&](std::string_view name, std::string_view value) {
    const auto fits = [](std::string_view word) {
      return word.find_first_of("\"\r") == word.npos && word.find("*/") == word.npos;
    };
    for (std::size_t at = 0; at < value.size(); ++at) {
      const std::string_view line = value.substr(at, value.find('\n', at) - at);
      if (fits(name) && fits(line)) text += fmt::format("Property \"{}\" = \"{}\"\n", name, line);
      at += line.size();
    }
  };
  for (const auto& [name, value] : program.properties()) {
    const bool is_of_library = name == "library" || name == "thread_level";
    if (is_of_library || name.starts_with("mca:") || name.starts_with("setting:") || name.starts_with("filesystem:"))
      tell(name, value);
  }
  for (std::uint32_t file = 0; file < program.files(); ++file)
    if (calls.files().why_not(file).empty())
      tell(fmt::format("hints:{}", program.file(file)), program.hints(calls.files().hints(file)));
  return text;
}

}  // namespace

bool is_uneven(const FoldedModel& model) { return model.unevenness > kUneven; }

FoldedModel fold(const Program& program, const std::string& name) {
  FoldedModel model;
  model.ranks = program.ranks();
  RecordedCalls calls(program);
  RankFolder ranks(program.ranks());
  const std::uint32_t at_least_one = std::max(model.ranks, 1U);
  const NotableLimits limits{kEnough * calls.busy() / at_least_one, std::min(kMostTold / at_least_one, kMostOfRank)};
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    model.operations += program.rank(rank).operations.size();
    LoopFolder loops;
    calls.visit(rank, [&](const FoldedCall& call, const Gap& before) {
      model.calls += call.type != nullptr ? 1 : 0;
      loops.add(call, before);
    });
    FoldedBlock block = loops.take();
    const double left = keep_longest(block, limits);
    if (left > 0) model.unevenness += left / calls.busy();
    ranks.add(rank, block);
  }
  const FoldedText directives = directives_of(program, calls, ranks.block());
  if (directives.directives == 0)
    throw Error(name, "nothing was recorded that a model could do", "record a run that calls MPI");
  model.not_folded = calls.not_folded();
  model.directives = directives.directives;
  model.text = head_of(model, name) + properties_of(program, calls) + fmt::format("Constant {} = 1\n", kComputation) +
               directives.text;
  return model;
}

}  // namespace plumbline::replay::model
