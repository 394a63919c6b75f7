#include "bench/ranks/storage/one_of_each_node.hpp"

#include <utility>
#include <vector>

#include "base/error.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/storage/clients.hpp"
#include "bench/ranks/storage/request.hpp"
#include "bench/results/storage_cells.hpp"
#include "bench/storage/scratch.hpp"

namespace plumbline::bench {
namespace {

std::vector<std::uint32_t> measuring_ranks(const Context& context, const Request& request) {
  const std::string which = word_of(request, "nodes", "first");
  if (which == "first") return {0};
  if (which != "all")
    throw Error(request.operation, "nodes is '" + which + "'", "write first or all", ExitCode::kWrongUse);
  const std::vector<std::uint32_t> order = client_order(context.places);  // begins with one of each node
  return {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(context.places.hosts.size())};
}

}  // namespace

void on_one_of_each_node(const Context& context, const Request& request,
                         const std::function<void(const std::function<void(Cell)>& give)>& part) {
  const auto me = static_cast<std::uint32_t>(rank_in(context.world));
  std::vector<Cell> own;
  const auto keep = [&](Cell cell) {
    cell.ranks = {me};
    cell.words[cells::kNode] = context.places.hosts.at(context.places.node_of.at(me));
    own.push_back(std::move(cell));
  };
  for (const std::uint32_t rank : measuring_ranks(context, request))
    all_or_none(context.world, [&] {
      if (me != rank) return;
      remove_abandoned(word_of(request, "directory", "."));
      part(keep);
    });
  give_of_all(context, own);
}

}  // namespace plumbline::bench
