#include "bench/rules/form_text.hpp"

#include <fmt/format.h>

#include <string_view>

namespace plumbline::bench {
namespace {

std::string value_of(const RuleSettings& settings, const char* name, const char* otherwise) {
  const auto found = settings.find(name);
  return found == settings.end() ? otherwise : found->second;
}

std::string of_topology(const RuleSettings& settings) {
  const std::string topology = value_of(settings, "topology", "cartesian");
  if (topology == "complete") return " among all ranks";
  if (topology == "graph") return " on a ring";
  std::string text;
  if (topology == "moore") text = ", Moore";
  if (topology == "von_neumann") text = ", von Neumann";
  const std::string dimensions = value_of(settings, "dimensions", "2"), finite = value_of(settings, "finite", "0"),
                    radius = value_of(settings, "radius", "1");
  if (settings.contains("dimensions") && (dimensions != "2" || !text.empty())) text += fmt::format(" {}D", dimensions);
  if (finite != "0") text += fmt::format(", {} with ends", finite);
  if (!(topology == "cartesian") && radius != "1") text += fmt::format(", radius {}", radius);
  return text;
}

}  // namespace

std::string text_of_form(const RuleSettings& settings) {
  std::string text = of_topology(settings);
  const std::string order = value_of(settings, "order", "ascending");
  if (order == "random") text += ", in random order";
  if (order == "last_major") text += ", by the last coordinate";
  if (value_of(settings, "constructor", "adjacent") == "general") text += ", by MPI_Dist_graph_create";
  if (value_of(settings, "reorder", "0") == "1") text += ", reordered";
  return text;
}

}  // namespace plumbline::bench
