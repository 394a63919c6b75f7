#include "cli/workflows/predict/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/model/compile/compile.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"

namespace plumbline::cli::predict {
namespace {

replay::Program open_recording(const std::filesystem::path& path, Workers* workers) {
  if (replay::is_program_file(path)) return replay::Program::open(path);
  replay::CompileSummary summary;
  return replay::program_of(path, summary, workers);
}

std::string name_of_recording(const std::filesystem::path& path) {
  const std::filesystem::path normal = (path / "").lexically_normal().parent_path();
  const std::string name = normal.stem().string();
  return name.empty() ? "recording" : name;
}

void find_placement(const replay::Program& program, Recording& recording) {
  std::vector<std::uint32_t> on_node(program.nodes());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) ++on_node[program.rank(rank).node];
  recording.per_node = std::max(1U, on_node.empty() ? 1U : std::ranges::max(on_node));
  for (std::uint32_t rank = 1; rank < program.ranks(); ++rank) {
    const bool is_next = rank % recording.per_node == 0;
    const bool changes = program.rank(rank).node != program.rank(rank - 1).node;
    recording.fills_nodes_in_order = recording.fills_nodes_in_order && is_next == changes;
  }
}

std::string line_of(const replay::model::NotFolded& one) {
  return fmt::format("  {}: {} of {}{}{}: {}\n", one.approximated ? "approximated" : "not folded",
                     replay::plural(one.operations, "operation"), one.call, one.site.empty() ? "" : " at ", one.site,
                     one.reason);
}

}  // namespace

Recording fold_recording(const std::filesystem::path& path, Workers* workers) {
  const replay::Program program = open_recording(path, workers);
  if (replay::model::is_of_model(program))
    throw Error(path.string(), "was made from a model, and was never run", "predict from the model itself");
  Recording recording;
  recording.source = name_of_recording(path) + ".pevpm";
  recording.model = replay::model::fold(program, path.string());
  find_placement(program, recording);
  return recording;
}

std::string fold_text(const Recording& recording, bool details) {
  constexpr std::size_t kMost = 3;
  const replay::model::FoldedModel& model = recording.model;
  std::string text = fmt::format("folded {} of {} into {}\n", replay::plural(model.operations, "operation"),
                                 replay::plural(model.ranks, "rank"), replay::plural(model.directives, "directive"));
  for (std::size_t i = 0; i < model.not_folded.size() && (details || i < kMost); ++i)
    text += line_of(model.not_folded[i]);
  if (!details && model.not_folded.size() > kMost)
    text += fmt::format("  and {} more: --details\n", model.not_folded.size() - kMost);
  if (is_uneven(model))
    text += fmt::format("  approximated: iterations that take longer than their mean, by up to {:.1f} % of the run\n",
                        100 * model.unevenness);
  if (!recording.fills_nodes_in_order)
    text += fmt::format("  ranks were recorded in another order of nodes than {} on each, one after the other\n",
                        recording.per_node);
  return text;
}

}  // namespace plumbline::cli::predict
