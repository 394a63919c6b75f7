#include "replay/model/compile/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/check.hpp"
#include "replay/model/compile/process_compiler.hpp"
#include "replay/model/compile/traffic.hpp"

namespace plumbline::replay::model {

bool is_of_model(const Program& program) { return !program.property(kModelProperty).empty(); }

std::optional<Program> compile_model(const Instance& instance, const Layout& layout, const std::filesystem::path& file,
                                     Faults& faults) {
  PLUMBLINE_CHECK(std::uint64_t{layout.per_node} * layout.nodes.size() >= instance.numprocs, "a process has no node");
  ProgramBuilder builder(file);
  std::vector<std::uint32_t> world(instance.numprocs);
  std::iota(world.begin(), world.end(), 0U);
  builder.comm(world);
  for (const Property& property : instance.model->properties) builder.property(property.name, property.value);
  builder.property(kModelProperty, instance.model->source);
  builder.property("program", fmt::format("model {}", instance.model->source));
  Faults own(instance.model->source);
  SharedNames names(builder, *instance.model, own);
  Traffic traffic(instance, own);
  for (std::uint32_t rank = 0; rank < instance.numprocs; ++rank) {
    const Layout::Place& place = layout.nodes[rank / layout.per_node];
    builder.begin_rank(builder.node(place.node), place.cores);
    ProcessCompiler process(builder, names, instance, layout, rank, own);
    traffic.begin_rank(rank);
    unroll(instance, rank, own, [&](const Action& action) {
      process.take(action);
      traffic.take(action);
    });
    process.finish();
    if (!own.any_with_partner()) traffic.end_rank();
    builder.end_rank(process.request_slots());
  }
  if (!own.any_with_partner()) traffic.finish();
  if (!own.empty()) {
    faults.add(own);
    return std::nullopt;
  }
  return builder.finish();
}

}  // namespace plumbline::replay::model
