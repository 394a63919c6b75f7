#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "replay/validate/preflight/control_variables.hpp"
#include "replay/validate/preflight/parts.hpp"
#include "replay/validate/preflight/transport_lists.hpp"

namespace plumbline::replay::validate {
namespace {

// Names of fast ports that are active: "mlx5_0:1".
std::vector<std::string> active_ports(const node::Facts& facts) {
  constexpr std::string_view kBegin = "rdma.", kEnd = ".state";
  std::vector<std::string> ports;
  for (auto fact = facts.facts.lower_bound(kBegin); fact != facts.facts.end() && fact->first.starts_with(kBegin);
       ++fact)
    if (fact->first.ends_with(kEnd) && fact->second.value == "ACTIVE")
      ports.push_back(fact->first.substr(kBegin.size(), fact->first.size() - kBegin.size() - kEnd.size()));
  return ports;
}

bool is_tcp_provider(std::string_view provider) {
  return provider.starts_with("tcp") || provider.starts_with("sockets") || provider.starts_with("udp");
}

// The setting by which messages between nodes go over TCP; nullptr: nothing says that they do.
const ControlVariable* reason_for_tcp(const std::vector<ControlVariable>& variables, const std::string& mpi) {
  const auto find = [&](const char* name) { return find_variable(variables, name, mpi); };
  const ControlVariable *pml = find("pml"), *btl = find("btl"), *mtl = find("mtl"), *device = find("device"),
                        *tls = find("UCX_TLS"), *provider = find("FI_PROVIDER"), *selected = find("pml.selected");
  const auto says = [](const ControlVariable* variable, std::string_view text) {
    return variable != nullptr && variable->value.find(text) != std::string::npos;
  };
  if (mpi == "openmpi" && says(selected, "ob1")) {
    constexpr std::string_view kFast[] = {"openib", "uct", "ofi", "usnic", "ugni", "portals4"};
    const TransportList list = parse_transports(btl == nullptr ? "" : btl->value);
    const bool wanted = !list.excludes && !leaves_out(list, kFast) && !list.names.empty();
    if (wanted) return nullptr;
    // What keeps UCX, libfabric or a fast BTL out; the default of ob1 is TCP between nodes.
    for (const ControlVariable* variable : {pml, mtl, btl})
      if (variable != nullptr && variable->is_set()) return variable;
    return selected;
  }
  const bool by_ucx = says(selected, "ucx") || (mpi == "mpich" && says(device, "ucx"));
  if (by_ucx) return tls != nullptr && !has_rdma_of_ucx(tls->value) ? tls : nullptr;
  const bool by_libfabric = says(selected, "cm") || (mpi == "mpich" && says(device, "ofi"));
  if (by_libfabric) return provider != nullptr && is_tcp_provider(provider->value) ? provider : nullptr;
  if (mpi == "mpich" && (says(device, "sock") || says(device, "nemesis"))) return device;
  return nullptr;
}

}  // namespace

void judge_fast_network(const PreFlightInput& input, Judgement& into) {
  std::vector<std::string> nodes;
  std::vector<Datum> rows;
  for (const NodeSettings& node : input.nodes) {
    const std::vector<std::string> ports = active_ports(node.facts);
    if (!ports.empty()) nodes.push_back(node.host);
    for (const std::string& port : ports)
      rows.push_back({fmt::format("{} rdma.{}", node.host, port),
                      std::string(node.facts.value(fmt::format("rdma.{}.rate_gbit", port))), "Gbit/s"});
  }
  if (input.ranks.empty() || nodes.empty()) return;
  const std::vector<ControlVariable> variables = control_variables(input.ranks.front());
  const ControlVariable* reason = reason_for_tcp(variables, input.ranks.front().flavour);
  if (reason == nullptr) return;
  rows.push_back({reason->name, reason->value, ""});
  Diagnosis& diagnosis = add_finding(into, "mpi.transport.fast-network-unused",
                                     fmt::format("Messages of {} go over TCP, though nodes have an active RDMA port",
                                                 name_of_mpi(input.ranks.front().flavour)),
                                     reason->name, nodes, rows);
  if (reason->is_set()) diagnosis.origin = into.observations.back().origin = reason->origin;
  diagnosis.remedy.openmpi = {"OMPI_MCA_pml=ucx", "OMPI_MCA_osc=ucx"};
  diagnosis.remedy.mpich = {"UCX_TLS=all", "UCX_NET_DEVICES=all"};
}

void judge_build(const PreFlightInput& input, Judgement& into) {
  std::vector<std::string> nodes;
  std::string says;
  for (const NodeRanks& node : by_node(input.ranks))
    for (const node::RankIdentity* rank : node.ranks) {
      if (rank->debug.empty()) continue;
      says = rank->debug;
      nodes.push_back(node.host);
      break;
    }
  if (!nodes.empty())
    into.observations.push_back({"mpi.build.debug",
                                 fmt::format("{} was built for debugging", name_of_mpi(input.ranks.front().flavour)),
                                 input.ranks.front().library,
                                 nodes,
                                 {{"build", says, ""}}});
}

}  // namespace plumbline::replay::validate
