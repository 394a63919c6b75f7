#include "cli/workflows/validate/preflight/lossy_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "tracer/archive/node_facts.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/archive/tcp_peers.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Confidence;
using replay::validate::Diagnosis;
using replay::validate::LossyPairs;
using replay::validate::Reference;
using replay::validate::TcpTraffic;

constexpr double kTimeout = 0.2;  // s
constexpr int kLeastRuns = 2;
constexpr double kHalf = 0.5;

double value_of(const std::map<std::string, double>& of_nodes, const std::string& node) {
  const auto value = of_nodes.find(node);
  return value == of_nodes.end() ? 0 : value->second;
}

RunLoss loss_of(const SuiteResult& run, const archive::Definitions& definitions) {
  RunLoss loss;
  loss.run = &run;
  loss.traffic = traffic_of(definitions);
  loss.lost_s = (run.judged.report.totals.run - run.judged.expected).seconds();
  for (const auto& [host, facts] : archive::node_facts(definitions)) {
    loss.sent[host] = value_of(facts.growth, "tcp.OutSegs");
    loss.again[host] = value_of(facts.growth, "tcp.RetransSegs");
  }
  return loss;
}

double all_of(const std::map<std::string, double>& of_nodes) {
  double sum = 0;
  for (const auto& [node, value] : of_nodes) sum += value;
  return sum;
}

bool are_of(const LossyPairs& pairs, const std::vector<std::string>& ends) {
  return std::ranges::all_of(ends, [&](const std::string& node) { return std::ranges::count(pairs.ends, node) > 0; });
}

bool agrees(const RunLoss& run, const std::vector<std::string>& ends) {
  const auto pairs = replay::validate::lossy_pairs(run.traffic);
  return pairs && are_of(*pairs, ends);
}

// Whether these nodes had to send again themselves, too: what a full buffer at the port of one loses others send again.
bool send_again(const std::vector<TcpTraffic>& traffic, const std::vector<std::string>& ends) {
  constexpr double kPart = 0.1;
  double from = 0, all = 0;
  for (const TcpTraffic& one : traffic) {
    all += one.again;
    if (std::ranges::count(ends, one.from) > 0) from += one.again;
  }
  return from >= kPart * all;
}

// Without those nodes that send and receive much more than the others, as where all exchange with a single aggregator:
// what is lost on its way may be lost in full buffers, whatever the cable is like. In a laboratory of eight nodes nodes
// had 0.85 to 1.28 times the mean in other runs of the suite, a single aggregator 1.95 to 2.99.
void leave_out_hubs(const std::vector<TcpTraffic>& traffic, std::vector<std::string>& ends) {
  constexpr double kRatio = 1.5;
  std::map<std::string, double> of_nodes;  // of the ranks, and not whoever else they talk to
  for (const TcpTraffic& one : traffic) of_nodes[one.from] += one.segments;
  for (const TcpTraffic& one : traffic)
    if (const auto to = of_nodes.find(one.to); to != of_nodes.end()) to->second += one.segments;
  const double mean = all_of(of_nodes) / static_cast<double>(of_nodes.size());
  std::erase_if(ends, [&](const std::string& node) { return value_of(of_nodes, node) > kRatio * mean; });
}

// The node, or the nodes of a pair, at an end of what most runs lost that lost anything; none where no runs agree.
// Where one run loses much more than the others, as by an exchange that fills a buffer, it has no more to say than
// they.
std::vector<std::string> ends_of_most(const std::vector<LossyPairs>& of_runs) {
  std::map<std::string, int> votes;
  for (const LossyPairs& pairs : of_runs)
    for (const std::string& node : pairs.ends) ++votes[node];
  int most = 0;
  for (const auto& [node, count] : votes) most = std::max(most, count);
  std::vector<std::string> ends;
  if (most < kLeastRuns || 2 * most <= static_cast<int>(of_runs.size())) return ends;
  for (const auto& [node, count] : votes)
    if (count == most) ends.push_back(node);
  return ends;
}

// What the sockets of a run say of nodes that are no hubs; nothing where they speak of a hub alone.
std::optional<LossyPairs> told_by(const RunLoss& run) {
  std::optional<LossyPairs> pairs = replay::validate::lossy_pairs(run.traffic);
  if (!pairs || pairs->ends.empty()) return pairs;
  leave_out_hubs(run.traffic, pairs->ends);
  return pairs->ends.empty() ? std::nullopt : std::move(pairs);
}

// What the sockets say over the runs that agree.
std::optional<LossyPairs> named_by(const std::vector<RunLoss>& runs) {
  std::vector<LossyPairs> of_runs;
  for (const RunLoss& run : runs)
    if (auto pairs = told_by(run)) of_runs.push_back(*std::move(pairs));
  const std::vector<std::string> ends = ends_of_most(of_runs);
  if (ends.empty()) return {};
  std::vector<TcpTraffic> agreed;
  for (const RunLoss& run : runs)
    if (const auto pairs = told_by(run); pairs && are_of(*pairs, ends))
      agreed.insert(agreed.end(), run.traffic.begin(), run.traffic.end());
  std::optional<LossyPairs> named = replay::validate::lossy_pairs(agreed);
  if (!named || !are_of(*named, ends) || !send_again(agreed, named->ends)) return {};
  return named;
}

// Sockets of ranks, or the counters of the node, which also count what its file systems send.
bool is_seen_in(const RunLoss& run, const std::vector<std::string>& ends) {
  return agrees(run, ends) || std::ranges::any_of(ends, [&](const std::string& node) {
           return replay::validate::is_lossy(value_of(run.sent, node), value_of(run.again, node));
         });
}

Diagnosis begun_of(const LossyPairs& named) {
  Diagnosis diagnosis;
  diagnosis.id = named.observation.id;
  diagnosis.title = named.observation.text;  // which names the place
  diagnosis.component = named.observation.component;
  diagnosis.reference = Reference::kWitness;
  diagnosis.cost_is_bound = true;
  diagnosis.cost_basis = "200 ms for each segment sent again, in each run no more than it lost";
  diagnosis.confidence = Confidence::kGood;
  if (const auto* const check = replay::validate::find_check(diagnosis.id))
    diagnosis.remedy = replay::validate::remedy_of(*check);
  return diagnosis;
}

// Segments that were lost on the way to and from `ends`: in a run whose sockets do not tell, those that these sent
// again.
double lost_segments(const RunLoss& run, const std::vector<std::string>& ends) {
  if (agrees(run, ends)) return all_of(run.again);
  double again = 0;
  for (const std::string& node : ends) again += value_of(run.again, node);
  return again;
}

void add_run(const RunLoss& run, const std::vector<std::string>& ends, LossyNetwork& to) {
  const double again = lost_segments(run, ends), cost = cost_of_segments(again, run.lost_s);
  to.diagnosis.cost_s += cost;
  ++to.diagnosis.samples;
  to.diagnosis.evidence.push_back(
      {run.run->entry->name + ", sent again", fmt::format("{:.0f} of {:.0f}", again, all_of(run.sent)), "segments"});
  if (cost > 0 && cost >= kHalf * run.lost_s) to.explained.push_back(run.run);
}

}  // namespace

std::vector<TcpTraffic> traffic_of(const archive::Definitions& definitions) {
  const std::vector<archive::TcpPeer> peers = archive::tcp_peers(definitions);
  std::map<std::string, std::string> host_of;
  for (const archive::TcpPeer& peer : peers) host_of.emplace(peer.from, peer.host);
  std::vector<TcpTraffic> traffic;
  for (const archive::TcpPeer& peer : peers) {
    const auto host = host_of.find(peer.to);
    const std::string& to = host == host_of.end() ? peer.to : host->second;
    if (peer.from == peer.to || to == peer.host || !peer.segments) continue;
    traffic.push_back({peer.host, to, static_cast<double>(*peer.segments), static_cast<double>(peer.again)});
  }
  return traffic;
}

double cost_of_segments(double again, double lost_s) {
  return std::clamp(again * kTimeout, 0.0, std::max(0.0, lost_s));
}

std::optional<LossyNetwork> lossy_network(const std::vector<RunLoss>& runs) {
  const std::optional<LossyPairs> named = named_by(runs);
  if (!named) return {};
  LossyNetwork found{begun_of(*named), {}};
  found.diagnosis.evidence = named->observation.rows;
  for (const RunLoss& run : runs)
    if (is_seen_in(run, named->ends)) add_run(run, named->ends, found);
  if (found.diagnosis.cost_s <= 0) return {};
  return found;
}

bool may_be_of_lost_segments(const Diagnosis& suspected) {
  constexpr std::array<std::string_view, 5> kTimed{"net.link.rate", "net.latency", "storage.slow", "rank.slow",
                                                   "suite.slower"};
  return suspected.confidence != Confidence::kCertain && std::ranges::count(kTimed, suspected.id) > 0;
}

std::vector<LossyNetwork> lossy_networks(const Session& session) {
  std::map<std::string, std::vector<RunLoss>> by_mpi;
  for (const SuiteResult& run : session.runs) {
    try {
      by_mpi[run.mpi->installed.flavour].push_back(loss_of(run, archive::Reader(run.archive).definitions()));
    } catch (const Error&) {
      continue;
    }
  }
  std::vector<LossyNetwork> found;
  for (const auto& [mpi, runs] : by_mpi)
    if (std::optional<LossyNetwork> network = lossy_network(runs)) {
      network->diagnosis.mpi = mpi;
      found.push_back(*std::move(network));
    }
  return found;
}

}  // namespace plumbline::cli::validate
