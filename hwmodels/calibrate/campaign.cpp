#include "hwmodels/calibrate/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "hwmodels/calibrate/between.hpp"
#include "hwmodels/calibrate/cables.hpp"
#include "hwmodels/calibrate/distributions.hpp"
#include "hwmodels/calibrate/graph.hpp"
#include "hwmodels/calibrate/inside.hpp"
#include "hwmodels/calibrate/loggp_network.hpp"
#include "hwmodels/calibrate/loopback.hpp"
#include "hwmodels/calibrate/nominal.hpp"
#include "hwmodels/calibrate/nominal_latency.hpp"
#include "hwmodels/calibrate/observations.hpp"
#include "hwmodels/calibrate/peers_of_network.hpp"
#include "hwmodels/calibrate/progress.hpp"
#include "hwmodels/calibrate/storage_cells.hpp"
#include "hwmodels/calibrate/structure.hpp"
#include "hwmodels/calibrate/summary.hpp"
#include "hwmodels/calibrate/this_machine.hpp"
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

void add_nodes(const Observations& observations, Calibration& into) {
  const std::optional<Machine> here = this_machine();
  for (const SeenNode& seen : observations.nodes) {
    Node& node = into.platform.nodes.emplace_back();
    node.name = seen.name;
    node.cores = cores_of(seen, here);
    if (here && here->host == seen.name && sockets_of(*here) > 1)
      into.notes.push_back(fmt::format("{} has {} sockets: pairs inside of it are taken as one class all the same",
                                       seen.name, sockets_of(*here)));
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
  std::vector<PairClass> classes = {class_of(structure, streams, PairKind::kInside, "inside a node"),
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
    structure_ = find_structure(observations_);
    result_.notes = campaign.notes;
    append(observations_.notes, result_.notes);
    append(structure_.grouping.notes, result_.notes);
    result_.disturbances = observations_.disturbances;
    source_ = fmt::format("calibrate: {} runs{}", observations_.runs,
                          result_.disturbances.empty() ? "" : " (machine in use)");
  }

  Calibration run() {
    describe();
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
    if (options_.network == NetworkKind::kLogGP)
      fit_loggp_network(structure_, observations_, rendezvous, source_, result_);
    else
      fit_transports(rendezvous, cables);
    if (options_.network == NetworkKind::kSampled) draw_from_measured_times();
    if (several) find_faults();
    fit_storage_cells(campaign_, source_, result_);
    tidy(result_.platform);
    return std::move(result_);
  }

 private:
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
    add_nodes(observations_, result_);
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
    if (platform.nodes.size() > 1) {
      fit_between(structure_, observations_, rendezvous, source_, options_.nominal.has_value(), loopback_, result_);
      platform.between.ordered = cables.ordered;
      platform.between.progress = fit_progress(structure_, observations_, PairKind::kNear, result_.notes);
    }
    fit_inside(structure_, observations_, source_, result_);
    platform.inside.progress = fit_progress(structure_, observations_, PairKind::kInside, result_.notes);
  }

  void draw_from_measured_times() {
    DistributionOptions how;
    how.command = source_;
    const Distributions measured = distributions(campaign_, how);
    append(measured.notes, result_.notes);
    use(measured, result_.platform);
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
  return CampaignCalibration(campaign, options).run();
}

}  // namespace plumbline::hw::calibration
