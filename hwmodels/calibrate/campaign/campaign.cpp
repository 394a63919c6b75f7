#include "hwmodels/calibrate/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "hwmodels/calibrate/findings/nominal.hpp"
#include "hwmodels/calibrate/findings/nominal_latency.hpp"
#include "hwmodels/calibrate/findings/peers_of_network.hpp"
#include "hwmodels/calibrate/findings/socket_peers.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/network/between.hpp"
#include "hwmodels/calibrate/network/cables.hpp"
#include "hwmodels/calibrate/network/distributions.hpp"
#include "hwmodels/calibrate/network/graph.hpp"
#include "hwmodels/calibrate/network/loggp_network.hpp"
#include "hwmodels/calibrate/network/loopback.hpp"
#include "hwmodels/calibrate/network/order.hpp"
#include "hwmodels/calibrate/network/progress.hpp"
#include "hwmodels/calibrate/network/send_buffer.hpp"
#include "hwmodels/calibrate/network/send_queue.hpp"
#include "hwmodels/calibrate/node/inside.hpp"
#include "hwmodels/calibrate/node/socket_fit.hpp"
#include "hwmodels/calibrate/node/this_machine.hpp"
#include "hwmodels/calibrate/observations/observations.hpp"
#include "hwmodels/calibrate/storage/alone.hpp"
#include "hwmodels/calibrate/storage/cells.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"
#include "hwmodels/calibrate/tidy.hpp"

namespace plumbline::hw::calibration {
namespace {

void append(const std::vector<std::string>& more, std::vector<std::string>& to) {
  to.insert(to.end(), more.begin(), more.end());
}

// CPUs of this machine by hwloc; of another what its ranks were bound to, or at least the ranks that it had.
std::uint32_t cores_of(const SeenNode& seen, const std::optional<Machine>& here) {
  if (here && here->host == seen.name) return here->cpus;
  return std::max({1U, seen.cpus, seen.most_ranks});
}

// Of a node whose sockets are one class.
std::string why_one_class(const SeenNode& seen, const SocketGroup* group) {
  if (group != nullptr) return group->why_not;
  if (seen.sockets.empty()) return "no rank was bound to one of them: bind ranks to cores (docs/how-to/calibrate.md)";
  return "all ranks were on one of them: measure more ranks per node, or deal them out to both";
}

void add_nodes(const Observations& observations, const SocketClasses& classes, Calibration& into) {
  const std::optional<Machine> here = this_machine();
  for (std::uint32_t i = 0; i < observations.nodes.size(); ++i) {
    const SeenNode& seen = observations.nodes[i];
    Node& node = into.platform.nodes.emplace_back();
    node.name = seen.name;
    node.cores = cores_of(seen, here);
    const bool is_here = here && here->host == seen.name;
    const auto sockets = std::max(static_cast<std::uint32_t>(seen.sockets.size()), is_here ? sockets_of(*here) : 0);
    if (sockets > 1 && !classes.apart[i])
      into.notes.push_back(fmt::format("{} has {} sockets, but pairs inside of it are one class: {}", seen.name,
                                       sockets, why_one_class(seen, classes.group_of(i))));
  }
}

PairClass class_of(const Structure& structure, const Streams& streams, PairKind kind, const char* name) {
  PairClass result;
  result.name = name;
  for (const auto& [pair, curve] : structure.one_way) result.pairs += structure.kind(pair.first, pair.second) == kind;
  if (const Curve curve = structure.curve(kind); !curve.empty())
    result.smallest = duration_from_seconds(curve.begin()->second.value * 1e-9);
  std::vector<double> rates;
  for (const StreamRate& stream : streams.alone())
    if (structure.kind(stream.from, stream.to) == kind) rates.push_back(stream.rate);
  if (!rates.empty()) result.rate = {static_cast<std::uint64_t>(std::llround(median(rates)))};
  return result;
}

std::vector<PairClass> classes_of(const Structure& structure, const Observations& observations) {
  const Streams streams(observations, structure.one_way);
  const char* const inside = structure.sockets.anywhere() ? "inside a socket" : "inside a node";
  std::vector<PairClass> classes = {class_of(structure, streams, PairKind::kInside, inside),
                                    class_of(structure, streams, PairKind::kOtherSocket, "across sockets"),
                                    class_of(structure, streams, PairKind::kNear, "behind one switch"),
                                    class_of(structure, streams, PairKind::kFar, "across switches")};
  std::erase_if(classes, [](const PairClass& each) { return each.pairs == 0; });
  return classes;
}

class CampaignCalibration {
 public:
  CampaignCalibration(const bench::Campaign& campaign, const CampaignOptions& options)
      : campaign_(campaign), options_(options), observations_(observe(campaign)) {
    if (options.nominal) observations_ = on_nodes_of(*options.nominal, observations_, options.nominal_name);
    if (!is_of_storage_alone()) structure_ = find_structure(observations_);
    result_.notes = campaign.notes;
    append(observations_.notes, result_.notes);
    append(structure_.grouping.notes, result_.notes);
    append(structure_.sockets.notes, result_.notes);
    result_.disturbances = observations_.disturbances;
    source_ = fmt::format("calibrate: {} runs{}", observations_.runs, observations_.mark);
  }

  Calibration run() {
    describe();
    if (is_of_storage_alone()) return storage_alone();
    result_.classes = classes_of(structure_, observations_);
    const bool several = observations_.nodes.size() > 1;
    if (several) find_loopback();
    const std::optional<std::uint64_t> rendezvous =
        several ? rendezvous_between(structure_, observations_, result_.notes) : std::nullopt;
    Cables cables;
    if (several) cables = fit_cables(structure_, observations_, rendezvous, source_);
    if (options_.nominal)
      take_nominal();
    else
      build(cables);
    const bool sampled = options_.network == NetworkKind::kSampled;
    if (options_.network == NetworkKind::kLogGP || (sampled && several))
      fit_loggp_network(structure_, observations_, rendezvous, source_, result_);
    else
      fit_transports(rendezvous, cables);
    if (sampled && several) fit_behaviour(rendezvous, cables);
    if (sampled) draw_from_measured_times();
    if (options_.network != NetworkKind::kStoreAndForward && structure_.sockets.anywhere())
      result_.notes.push_back("only a store-and-forward network has sockets: pairs in one stand for all of a node");
    if (several) find_faults();
    for (Finding& each : slower_across_sockets(structure_, observations_)) result_.findings.push_back(std::move(each));
    fit_storage_cells(campaign_, source_, result_);
    tidy(result_.platform);
    return std::move(result_);
  }

 private:
  bool is_of_storage_alone() const { return observations_.figures.empty(); }

  Calibration storage_alone() {
    if (options_.nominal || options_.network != NetworkKind::kStoreAndForward)
      throw Error(campaign_.environment.host, "the campaign measured storage, and nothing of the network",
                  "leave out --nominal and --network; --add-to FILE puts its storage into a platform",
                  ExitCode::kWrongUse);
    SocketClasses not_asked;  // storage tells nothing of sockets
    not_asked.apart.assign(observations_.nodes.size(), true);
    add_nodes(observations_, not_asked, result_);
    fit_storage_alone(campaign_, source_, result_);
    return std::move(result_);
  }

  void describe() {
    Platform& platform = result_.platform;
    platform.name = campaign_.environment.host;
    platform.created = campaign_.environment.created;
    if (!campaign_.runs.empty()) {
      platform.mpi = short_library_name(campaign_.runs.front().library);
      if (platform.created.empty()) platform.created = campaign_.runs.front().created;
    }
    if (observations_.nodes.size() > 1)
      platform.name = fmt::format("{} and {} more", observations_.nodes.front().name, observations_.nodes.size() - 1);
  }

  void build(const Cables& cables) {
    Platform& platform = result_.platform;
    add_nodes(observations_, structure_.sockets, result_);
    append(cables.notes, result_.notes);
    platform.packets = cables.packets;
    if (platform.nodes.size() < 2) platform.packets.header = Bytes{0};  // no network: it is in the ranges
    if (options_.network == NetworkKind::kStoreAndForward) add_graph(structure_.grouping, cables, platform);
  }

  void take_nominal() {
    Platform hardware = hardware_of(*options_.nominal, options_.nominal_name);
    hardware.mpi = result_.platform.mpi;
    hardware.created = result_.platform.created;
    result_.platform = std::move(hardware);
  }

  void fit_transports(std::optional<std::uint64_t> rendezvous, const Cables& cables) {
    Platform& platform = result_.platform;
    // Messages between nodes cross their sockets, too: these are there before their latencies are fitted.
    const bool sockets = gives_sockets();
    if (sockets) {
      fit_inside(structure_, observations_, source_, result_);
      fit_sockets(structure_, observations_, source_, result_);
    }
    if (platform.nodes.size() > 1) {
      fit_between(structure_, observations_, rendezvous, source_, options_.nominal.has_value(), loopback_, result_);
      fit_behaviour(rendezvous, cables);
      if (options_.network == NetworkKind::kStoreAndForward) {
        platform.between.send_buffer = fit_send_buffer(structure_, observations_, platform, source_, result_.notes);
        const auto queue = fit_send_queue(observations_, platform, source_, result_.notes);
        platform.packets.send_queue = queue.value_or(platform.packets.send_queue);
      }
    }
    if (!sockets) fit_inside(structure_, observations_, source_, result_);
    platform.inside.progress = fit_progress(structure_, observations_, PairKind::kInside, result_.notes);
  }

  void fit_behaviour(std::optional<std::uint64_t> rendezvous, const Cables& cables) {
    Transport& between = result_.platform.between;
    const auto ordered = fit_order(structure_, observations_, rendezvous, source_, result_.notes);
    between.ordered = ordered.value_or(cables.ordered);
    between.progress = fit_progress(structure_, observations_, PairKind::kNear, result_.notes);
  }

  bool gives_sockets() const {
    return options_.network == NetworkKind::kStoreAndForward && !options_.nominal && structure_.sockets.anywhere() &&
           times_inside(structure_, observations_, result_.platform.packets.granularity).size() >= kFewestInside;
  }

  void draw_from_measured_times() {
    DistributionOptions how;
    how.command = source_;
    Distributions measured = distributions(campaign_, how);
    append(measured.notes, result_.notes);
    if (measured.inside.empty() && observations_.nodes.size() > 1) assume_inside(measured);
    use(measured, result_.platform);
  }

  // Nobody measured two ranks of a node.
  void assume_inside(Distributions& measured) {
    result_.platform.inside = assumed_inside(result_.platform.between);
    measured.inside = measured.between;
    for (MessageTimes& times : measured.inside) times.source = "assumed: as between nodes";
    result_.notes.push_back("no times of messages were measured inside of nodes: taken as between them");
  }

  void find_loopback() {
    loopback_ = loopback_of(structure_, observations_, result_.notes);
    if (loopback_)
      result_.classes.push_back(
          {"through the loopback", loopback_->pairs, duration_from_seconds(loopback_->ns * 1e-9), {}});
  }

  void find_faults() {
    result_.findings = slower_in_network(structure_, observations_, result_.platform);
    if (!options_.nominal) return;
    for (Finding& each : below_nominal(structure_, observations_, result_.platform))
      result_.findings.push_back(std::move(each));
    if (!loopback_) return;
    for (Finding& each : beyond_nominal_latency(structure_, observations_, result_.platform, *loopback_))
      result_.findings.push_back(std::move(each));
  }

  const bench::Campaign& campaign_;
  const CampaignOptions& options_;
  Observations observations_;
  Structure structure_;
  std::optional<Loopback> loopback_;
  std::string source_;
  Calibration result_;
};

}  // namespace

Calibration calibrate(const bench::Campaign& campaign, const CampaignOptions& options) {
  if (options.add_to) return add_storage(campaign, *options.add_to, options.add_to_name);
  return CampaignCalibration(campaign, options).run();
}

}  // namespace plumbline::hw::calibration
