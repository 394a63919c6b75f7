#include "replay/program/compile/compilation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "replay/program/compile/content_hash.hpp"
#include "replay/program/compile/context/group_properties.hpp"
#include "replay/program/compile/context/inside_locations.hpp"
#include "replay/program/compile/location/compiler.hpp"
#include "replay/program/compile/rank_locations.hpp"
#include "replay/program/compile/recording_properties.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;

std::string_view node_name(const archive::Definitions& definitions, const archive::LocationGroup& group) {
  if (const std::string_view host = property(group, names::kPropertyHost); !host.empty()) return host;
  const auto& tree = definitions.system_tree;
  std::uint32_t node = group.system_tree_node;
  for (std::size_t up = 0; node < tree.size() && up < tree.size(); ++up) {
    if (definitions.strings[tree[node].class_name] == "node") break;
    if (tree[node].parent >= tree.size()) break;
    node = tree[node].parent;
  }
  return node < tree.size() ? std::string_view(definitions.strings[tree[node].name]) : "unknown node";
}

std::string lines(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, "\n")); }

}  // namespace

Compilation::Compilation(archive::Reader& reader, ProgramBuilder& builder, Damage damage)
    : damage_(damage),
      reader_(reader),
      skipped_before_(reader.skipped()),
      definitions_(reader.definitions()),
      locations_(locations_by_rank(definitions_, reader.anchor().string())),
      insides_(inside_locations(definitions_)),
      builder_(builder),
      context_(definitions_, reader.anchor().string(), builder_) {}

void Compilation::compile(Block ranks, bool tells_progress) {
  std::optional<Progress> progress;
  if (tells_progress) progress.emplace("compiling", ranks.size());
  for (std::size_t rank = ranks.begin; rank < ranks.end; ++rank) {
    compile_rank(static_cast<std::uint32_t>(rank));
    if (progress) progress->update(rank + 1 - ranks.begin);
  }
}

void Compilation::compile_rank(std::uint32_t rank) {
  const std::uint32_t location = locations_[rank];
  const std::uint32_t group_index = definitions_.locations[location].group;
  const archive::LocationGroup none{};
  const bool known = group_index < definitions_.location_groups.size();
  const archive::LocationGroup& group = known ? definitions_.location_groups[group_index] : none;
  const TracerCost cost = tracer_cost(definitions_, location);
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const auto gap_cost = static_cast<std::uint32_t>(std::min((cost.inside + cost.outside).ps, kMost));
  const std::uint32_t node = builder_.node(node_name(definitions_, group));
  const std::string_view processor = property(group, "PLUMBLINE::META::processor_name");
  builder_.begin_rank(node, static_cast<std::uint32_t>(number(group, names::kPropertyCores)), gap_cost,
                      processor.empty() ? kNone : builder_.node(processor));
  InsideOfCalls inside(context_.scratch);
  if (insides_[location] != archive::kUndefined) inside = compile_inside(insides_[location]);
  LocationCompiler compiler(context_, rank, cost, inside.calls.empty() ? nullptr : &inside);
  read(location, compiler);
  compiler.finish();
  found_.operations += builder_.operations();
  builder_.end_rank(compiler.request_slots(), compiler.inner_slots());
}

InsideOfCalls Compilation::compile_inside(std::uint32_t location) {
  InsideCompiler compiler(context_);
  read(location, compiler);
  return compiler.finish();
}

template <class Compiler>
void Compilation::read(std::uint32_t location, Compiler& compiler) {
  try {
    reader_.read(location, [&](const archive::Event& event) { compiler.event(event); });
  } catch (const Error& error) {
    if (damage_ == Damage::kRefuse) throw;
    if (++found_.damaged_locations <= kMostInWords)
      found_.damage.push_back("incomplete: " + to_string(error.problems().front()));
  }
}

Found Compilation::found() const {
  Found found = found_;
  found.tally = context_.tally;
  for (const auto& [record, n] : reader_.skipped()) {
    const auto before = skipped_before_.find(record);
    const std::uint64_t own = n - (before == skipped_before_.end() ? 0 : before->second);
    if (own > 0) found.skipped.emplace(record, own);
  }
  return found;
}

CompileSummary Compilation::finish(const Found& found, const std::string& source) {
  CompileSummary summary;
  summary.operations = found.operations;
  summary.messages = found.tally.messages;
  summary.lacks = lacks_of(context_, found);
  summary.remarks = remarks_of(definitions_, locations_, found);
  builder_.property("source", source.empty() ? content_hash(reader_.anchor()) : source);
  builder_.property("operations", std::to_string(summary.operations));
  builder_.property("messages", std::to_string(summary.messages));
  builder_.property("lacks", lines(summary.lacks));
  builder_.property("remarks", lines(summary.remarks));
  write_recording_properties(builder_, definitions_);
  return summary;
}

}  // namespace plumbline::replay
