#include "tests/hwmodels/broadcast_schemes_figure.hpp"

#include <fmt/format.h>

#include "bench/report/plot.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/hwmodels/broadcast_schemes.hpp"

namespace plumbline::hw::test {
namespace {

constexpr std::uint32_t kCount = 1000;  // broadcasts of a loop
constexpr std::uint32_t kMostRanks = 1024;

struct NamedTree {
  Tree tree;
  const char* name;
};
struct NamedScheme {
  Scheme scheme;
  const char* name;
};
constexpr NamedTree kTrees[] = {{Tree::kChain, "chain"}, {Tree::kBinomial, "binomial"}};
constexpr NamedScheme kSchemes[] = {
    {Scheme::kIsolated, "synchronised"}, {Scheme::kLoop, "loop"}, {Scheme::kChangeRoot, "rotating root"}};

bench::Cell cell_of(const Platform& platform, const NamedTree& tree, const NamedScheme& scheme, std::uint32_t ranks) {
  const std::uint32_t count = scheme.scheme == Scheme::kIsolated ? 1 : kCount;
  bench::Cell cell;
  cell.operation = "broadcast";
  cell.implementation = tree.name;
  cell.bytes = 1;
  cell.words["scheme"] = scheme.name;
  cell.seconds = {length_of(platform, tree.tree, scheme.scheme, ranks, {1}, count).seconds() / count};
  cell.flags = {0};
  return cell;
}

bench::Campaign simulated(const Platform& platform) {
  bench::Campaign campaign;
  for (std::uint32_t ranks = 2; ranks <= kMostRanks; ranks *= 2) {
    bench::Run& run = campaign.runs.emplace_back();
    run.nodes = ranks;
    for (const NamedTree& tree : kTrees)
      for (const NamedScheme& scheme : kSchemes) {
        campaign.cells.push_back(cell_of(platform, tree, scheme, ranks));
        campaign.cells.back().run = static_cast<std::uint32_t>(campaign.runs.size() - 1);
      }
  }
  return campaign;
}

}  // namespace

std::string broadcast_schemes_figure(const std::string& transport) {
  const bench::Campaign campaign =
      simulated(read_platform(std::string(PLUMBLINE_PLATFORMS "/loggp-") + transport + ".xml"));
  return bench::plot(bench::summarise(campaign, {}), bench::PlotKind::kLines,
                     fmt::format("The time of a broadcast of 1 B by three schemes: LogGP, {}", transport),
                     bench::PlotOver::kRanks);
}

}  // namespace plumbline::hw::test
