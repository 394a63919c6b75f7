#include "cli/workflows/predict/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files/nameless_file.hpp"
#include "base/files/text_file.hpp"
#include "base/progress.hpp"
#include "base/quantity.hpp"
#include "hwmodels/platform/network_models.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/engine/replay.hpp"
#include "replay/expect/what_if.hpp"
#include "replay/model/compile/compile.hpp"

namespace plumbline::cli::predict {
namespace {

namespace model = replay::model;

Duration time_unit_of(const std::string& text) {
  if (text.empty()) return {};
  const std::optional<Duration> unit = parse_duration("1" + text);
  if (!unit)
    throw Error("--time-unit", fmt::format("'{}' is no unit of time", text), "s, ms, us, ns or ps",
                ExitCode::kWrongUse);
  return *unit;
}

std::uint64_t largest_of(const hw::Transport& transport) {
  std::uint64_t largest = 0;
  for (const hw::MessageRange& range : transport.ranges)
    for (const hw::MessageTimes& times : range.times) largest = std::max(largest, times.size.count);
  return largest;
}

// Nodes that follow each other and are in the same pairs are of one kind; kinds are numbered in this order.
std::vector<std::uint32_t> kinds_of(const hw::Platform& platform, std::uint32_t nodes) {
  std::set<std::uint32_t> begins;
  for (const hw::PairTransport& pair : platform.pairs)
    for (const std::uint32_t begin : {pair.first_a, pair.last_a + 1, pair.first_b, pair.last_b + 1})
      begins.insert(begin);
  std::vector<std::uint32_t> kinds(nodes);
  for (std::uint32_t node = 1; node < nodes; ++node) kinds[node] = kinds[node - 1] + (begins.contains(node) ? 1 : 0);
  return kinds;
}

// Between two kinds, of which the nodes first[kind] up to first[kind + 1] are. No bound where there is no such pair.
std::uint64_t largest_of(const hw::Platform& platform, const std::vector<std::uint32_t>& first, std::size_t kind,
                         std::size_t other) {
  const std::uint32_t node = first[kind], second = kind == other ? node + 1 : first[other];
  return second < first[other + 1] ? largest_of(hw::transport_of(platform, node, second)) : ~std::uint64_t{0};
}

void limit_pairs(const hw::Platform& platform, model::Layout& layout) {
  const auto nodes = static_cast<std::uint32_t>(layout.nodes.size());
  layout.kinds = kinds_of(platform, nodes);
  std::vector<std::uint32_t> first;
  for (std::uint32_t node = 0; node < nodes; ++node)
    if (layout.kinds[node] == first.size()) first.push_back(node);
  const std::size_t kinds = first.size();
  first.push_back(nodes);
  layout.largest_of_kinds.assign(kinds, std::vector<std::uint64_t>(kinds));
  for (std::size_t kind = 0; kind < kinds; ++kind)
    for (std::size_t other = kind; other < kinds; ++other) {
      const std::uint64_t largest = largest_of(platform, first, kind, other);
      layout.largest_of_kinds[kind][other] = layout.largest_of_kinds[other][kind] = largest;
      layout.largest_together = std::min(layout.largest_together, largest);
    }
}

// To those that were measured.
void limit_sizes(const hw::Platform& platform, std::uint32_t ranks, model::Layout& layout) {
  layout.largest_inside = largest_of(platform.inside);
  layout.largest_between = largest_of(platform.between);
  if (std::min(ranks, layout.per_node) > 1) layout.largest_together = layout.largest_inside;
  if (!platform.pairs.empty())
    limit_pairs(platform, layout);
  else if (layout.nodes.size() > 1)
    layout.largest_together = std::min(layout.largest_together, layout.largest_between);
}

model::Layout layout_of(const hw::Platform& platform, std::uint32_t ranks, const Options& options) {
  model::Layout layout;
  const auto nodes = static_cast<std::uint32_t>(platform.nodes.size());
  const std::uint32_t fewest = (ranks + nodes - 1) / nodes;
  layout.per_node =
      options.per_node > 0 ? options.per_node : std::max(fewest, std::min(options.recorded_per_node, ranks));
  const std::uint32_t used = (ranks + layout.per_node - 1) / layout.per_node;
  if (used > nodes)
    throw Error("--per-node",
                fmt::format("{} processes, {} on a node, need {} nodes; the platform has {}", ranks, layout.per_node,
                            used, nodes),
                "put more on a node", ExitCode::kWrongUse);
  for (std::uint32_t node = 0; node < used; ++node)
    layout.nodes.push_back({platform.nodes[node].name, platform.nodes[node].cores});
  if (!hw::model_of(platform).needs_times || options.extrapolate) return layout;
  limit_sizes(platform, ranks, layout);
  return layout;
}

// A file that nothing serves would take no time.
void require_file_systems(const replay::Program& program, const hw::Platform& platform, Diagnostics& diagnostics) {
  std::vector<bool> told(program.files());
  for (std::uint32_t file = 0; file < program.files(); ++file)
    told[file] = hw::file_system_of(platform, std::string(program.file(file))).has_value();
  if (std::ranges::find(told, false) == told.end()) return;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (const replay::Operation& op : program.rank(rank).operations) {
      if (!replay::is_io(op.kind) || told[op.comm]) continue;
      told[op.comm] = true;
      diagnostics.add(std::string(program.site(op.site)),
                      fmt::format("no file system of the platform serves '{}'", program.file(op.comm)),
                      "name a file under the prefix of one that the platform has");
    }
}

TimeSum computation_of(const replay::Program& program, const hw::Platform& platform) {
  const std::vector<std::uint32_t> nodes = replay::place_ranks(program, platform);
  TimeSum sum;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    if (const auto times = program.rank(rank).times; !times.empty()) {
      Duration computes = times.back().end - Time{};
      for (const replay::OperationTimes& passes : times) computes -= passes.end - passes.begin;
      sum += time_sum_from_seconds(computes.seconds() / platform.nodes[nodes[rank]].speed);
    }
  return sum;
}

class Preparing {
 public:
  explicit Preparing(const Options& options) : options_(options) {}

  Preparation run() {
    result_.sweeps = sweeps_of(options_.ranks, options_.settings);
    if (!options_.program.empty() && result_.sweeps.points.size() > 1)
      throw Error("--to-program", "writes one program, not those of a sweep", "ask for one number of processes",
                  ExitCode::kWrongUse);
    unit_ = time_unit_of(options_.time_unit);
    const bool is_folded = !options_.folded.empty();
    result_.model_text =
        is_folded ? options_.folded
                  : read_text_file(options_.model, "name a source with PEVPM directives, or a file of them alone");
    const std::string source = is_folded ? options_.folded_source : options_.model.filename().string();
    result_.model =
        std::make_unique<model::Model>(model::parse_model(result_.model_text, source, result_.sweeps.constants));
    auto [platform, choices] = replay::expect::what_if(platform_as_given(), result_.sweeps.platform);
    result_.platform = std::move(platform);
    result_.choices = std::move(choices);
    compile_all();
    return std::move(result_);
  }

 private:
  hw::Platform platform_as_given() const {
    if (!options_.platform_text.empty()) return hw::parse_platform(options_.platform_text, options_.platform.string());
    return replay::expect::read_platform_for(result_.sweeps.platform, options_.platform);
  }

  void compile_all() {
    std::optional<Progress> progress;
    if (options_.tells_progress) progress.emplace("compiling", result_.sweeps.points.size());
    model::Faults faults(result_.model->source);
    Diagnostics diagnostics;
    for (const Point& point : result_.sweeps.points) {
      const model::Instance instance =
          model::instance_of(*result_.model, point.ranks, point.settings, options_.machine, unit_);
      compile(point, instance, faults, diagnostics);
      if (progress) progress->update(result_.points.size());
    }
    faults.add_to(diagnostics);
    diagnostics.throw_if_any();
  }

  void compile(const Point& point, const model::Instance& instance, model::Faults& faults, Diagnostics& diagnostics) {
    const model::Layout layout = layout_of(result_.platform, point.ranks, options_);
    const NamelessFile nameless;
    const bool named = !options_.program.empty();
    model::Faults own(result_.model->source);
    std::optional<replay::Program> program =
        model::compile_model(instance, layout, named ? options_.program : nameless.path(), own);
    const std::string swept = swept_text(result_.sweeps, point);
    faults.add(own, swept.empty() ? "" : " with " + swept);
    if (!program) return;
    require_file_systems(*program, result_.platform, diagnostics);
    const TimeSum computation = computation_of(*program, result_.platform);
    result_.points.push_back({point, instance, std::move(*program), static_cast<std::uint32_t>(layout.nodes.size()),
                              layout.per_node, computation});
  }

  const Options& options_;
  Preparation result_;
  Duration unit_;
};

}  // namespace

Preparation prepare(const Options& options) { return Preparing(options).run(); }

}  // namespace plumbline::cli::predict
