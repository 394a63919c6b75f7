#include "hwmodels/calibrate/observations/observations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "base/error.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/observations/cpu_list.hpp"
#include "hwmodels/calibrate/observations/frames.hpp"
#include "hwmodels/calibrate/observations/runs.hpp"
#include "hwmodels/calibrate/observations/storage_select.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::array<std::string_view, 8> kFamilies = {"prtt",     "pairs",     "streams", "protocol",
                                                       "progress", "overheads", "order",   "queue"};
constexpr double kNanosecond = 1e-9;
constexpr double kMostMessages = 1e9;

bool is_of_network(const bench::Cell& cell) {
  return std::find(kFamilies.begin(), kFamilies.end(), cell.operation) != kFamilies.end();
}

double number_in(const bench::Cell& cell, const char* name, double otherwise) {
  const auto found = cell.numbers.find(name);
  return found == cell.numbers.end() ? otherwise : found->second;
}

// A number that is to be a count or an index; what is none is one that nothing has.
std::uint32_t whole(double value) {
  constexpr double kMost = 1U << 31;
  return value >= 0 && value < kMost ? static_cast<std::uint32_t>(value) : 1U << 31;
}

// Nodes by name; where one run has several of one name, "name#2" is the second.
class Layout {
 public:
  explicit Layout(const bench::Campaign& campaign) {
    for (const bench::Run& run : campaign.runs) add(run);
  }

  Place at(std::uint32_t run, std::uint32_t rank) const {
    if (run >= places_.size() || rank >= places_[run].size())
      throw Error("", fmt::format("a cell of run {} names rank {}, which that run has not", run, rank),
                  "the campaign file is damaged: measure again");
    return places_[run][rank];
  }

  std::vector<SeenNode> nodes() const {
    std::vector<SeenNode> nodes = nodes_;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].cpus = static_cast<std::uint32_t>(cpus_[i].size());
      nodes[i].sockets.assign(sockets_[i].begin(), sockets_[i].end());
    }
    return nodes;
  }

 private:
  void add(const bench::Run& run) {
    std::map<std::uint32_t, std::uint32_t> known;  // node of the run: node
    std::map<std::string, std::uint32_t> named;
    std::map<std::uint32_t, std::uint32_t> ranks_on;
    std::vector<Place>& places = places_.emplace_back();
    for (std::size_t rank = 0; rank < run.node_of.size(); ++rank) {
      const auto [node, is_new] = known.try_emplace(run.node_of[rank], 0);
      if (is_new) {
        const std::string host = rank < run.hosts.size() ? run.hosts[rank] : fmt::format("node{}", run.node_of[rank]);
        const std::uint32_t namesakes = ++named[host];
        node->second = find(namesakes == 1 ? host : fmt::format("{}#{}", host, namesakes));
      }
      const std::uint32_t socket = rank < run.socket_of.size() ? run.socket_of[rank] : bench::kNoSocket;
      if (socket != bench::kNoSocket) sockets_[node->second].insert(socket);
      places.push_back({node->second, ranks_on[node->second]++, socket});
      nodes_[node->second].most_ranks = std::max(nodes_[node->second].most_ranks, ranks_on[node->second]);
      if (rank < run.bindings.size())
        for (const std::uint32_t cpu : parse_cpu_list(run.bindings[rank])) cpus_[node->second].insert(cpu);
    }
  }

  std::uint32_t find(const std::string& name) {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].name == name) return i;
    nodes_.push_back({name});
    cpus_.emplace_back();
    sockets_.emplace_back();
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  std::vector<SeenNode> nodes_;
  std::vector<std::set<std::uint32_t>> cpus_;     // [nodes]
  std::vector<std::set<std::uint32_t>> sockets_;  // [nodes]
  std::vector<std::vector<Place>> places_;        // [runs][ranks]
};

void forget_sockets_between_nodes(Experiment& experiment) {
  std::set<std::uint32_t> nodes;
  for (const auto* const places : {&experiment.places, &experiment.others})
    for (const Place& place : *places) nodes.insert(place.node);
  if (nodes.size() < 2) return;
  for (auto* const places : {&experiment.places, &experiment.others})
    for (Place& place : *places) place.socket = bench::kNoSocket;
}

Experiment experiment_of(const bench::Cell& cell, const Layout& layout, std::size_t ranks) {
  Experiment result;
  result.operation = cell.operation;
  const auto part = cell.words.find("part");
  if (part != cell.words.end()) result.part = part->second;
  for (const std::uint32_t rank : cell.ranks) result.places.push_back(layout.at(cell.run, rank));
  for (std::uint32_t rank = 0; cell.ranks.empty() && rank < ranks; ++rank)
    result.places.push_back(layout.at(cell.run, rank));
  if (result.part == "against")
    for (const char* const other : {"other_a", "other_b"})
      result.others.push_back(layout.at(cell.run, whole(number_in(cell, other, 0))));
  result.bytes = cell.bytes;
  result.in_flight = cell.in_flight;
  result.round = whole(number_in(cell, "round", 0));
  forget_sockets_between_nodes(result);
  return result;
}

bool is_through_loopback(const bench::Cell& cell, const Experiment& experiment) {
  const auto way = cell.words.find(bench::kWay);
  return way != cell.words.end() && way->second == bench::kLoopback &&
         std::all_of(experiment.places.begin(), experiment.places.end(),
                     [&](const Place& place) { return place.node == experiment.places.front().node; });
}

// Where prtt placed a change. Its times are those of a comparison, and no figure.
std::optional<SeenChange> change_in(const bench::Cell& cell, const Experiment& experiment) {
  if (experiment.operation != "prtt" || experiment.part != "change") return std::nullopt;
  const double low = number_in(cell, "low_bytes", 0);
  const bool is_below = low >= 0 && low < static_cast<double>(cell.bytes);
  return SeenChange{experiment.places, cell.run, is_below ? static_cast<std::uint64_t>(low) : cell.bytes, cell.bytes};
}

struct Gathered {
  std::map<std::uint32_t, std::vector<double>> of_runs;  // ns, valid repetitions
  std::vector<double> waits, messages;
};

void gather(const bench::Cell& cell, Gathered& into) {
  const double messages = number_in(cell, "messages", number_in(cell, "n", 0));
  if (!(messages >= 0 && messages < kMostMessages))
    throw Error("", fmt::format("a cell of '{}' says that it has {} messages", cell.operation, messages),
                "the campaign file is damaged: measure again");
  const double delay = number_in(cell, "delay_ns", 0);
  const bool delayed = delay > 0 && messages > 1;
  const double inside = delayed ? (messages - 1) * delay : 0;
  const double shared = cell.operation == "streams" ? std::max(messages, 1.0) : 1;
  std::vector<double>& values = into.of_runs[cell.run];
  for (std::size_t i = 0; i < cell.seconds.size(); ++i) {
    const bool flagged = i < cell.flags.size() && cell.flags[i] != 0;
    if (!flagged && cell.seconds[i] > 0 && std::isfinite(cell.seconds[i]))
      values.push_back((cell.seconds[i] / kNanosecond - inside) / shared);
  }
  into.messages.push_back(messages);
  into.waits.push_back(delayed ? delay : number_in(cell, "late_ns", number_in(cell, "compute_ns", 0)));
}

Figure figure_of(const Gathered& gathered) {
  Figure figure;
  std::vector<double> all;
  for (const auto& [run, values] : gathered.of_runs) {
    if (values.empty()) continue;
    figure.runs.push_back(median(values));
    all.insert(all.end(), values.begin(), values.end());
  }
  figure.repetitions = static_cast<std::uint32_t>(all.size());
  if (all.empty()) return figure;
  figure.value = median(figure.runs);
  figure.spread = spread_of_median(figure.runs.size() > 1 ? figure.runs : all);
  figure.messages = whole(median(gathered.messages));
  figure.wait = median(gathered.waits);
  return figure;
}

// How many have nothing to tell.
std::size_t add_figures(const std::map<Experiment, Gathered>& gathered, std::map<Experiment, Figure>& to) {
  std::size_t empty = 0;
  for (const auto& [experiment, each] : gathered) {
    const Figure figure = figure_of(each);
    if (figure.repetitions == 0)
      ++empty;
    else
      to.emplace(experiment, figure);
  }
  return empty;
}

}  // namespace

Observations observe(const bench::Campaign& campaign) {
  Observations result;
  const RunChoice choice = choose_runs(campaign);
  result.notes = choice.notes;
  result.disturbances = choice.disturbances;
  result.mark = choice.mark();
  const Layout layout(campaign);
  std::map<Experiment, Gathered> gathered, through_loopback;
  std::set<std::uint32_t> used;
  for (const bench::Cell& cell : campaign.cells) {
    if (cell.run >= campaign.runs.size() || !choice.takes(cell)) continue;
    if (cell.operation == "frames")
      if (const auto header = header_in(cell)) result.headers.push_back(*header);
    if (!is_of_network(cell)) continue;
    const Experiment experiment = experiment_of(cell, layout, campaign.runs[cell.run].node_of.size());
    const bool loopback = is_through_loopback(cell, experiment);
    if (const auto change = change_in(cell, experiment)) {
      if (!loopback) result.changes.push_back(*change);
      continue;
    }
    gather(cell, (loopback ? through_loopback : gathered)[experiment]);
    if (!loopback) used.insert(cell.run);
  }
  const std::size_t empty = add_figures(gathered, result.figures) + add_figures(through_loopback, result.loopback);
  const std::size_t of_storage = runs_of_storage(campaign, choice);
  if (result.figures.empty() && of_storage == 0)
    throw Error(campaign.environment.host, "the campaign measured nothing of the network, nor of storage",
                "a campaign for calibration has prtt, pairs, streams, protocol, overheads, progress, order and queue "
                "(docs/how-to/calibrate.md)",
                ExitCode::kTooNoisy);
  if (empty > 0) result.notes.push_back(fmt::format("{} cells had no valid repetition: left out", empty));
  result.nodes = layout.nodes();
  result.runs = static_cast<std::uint32_t>(result.figures.empty() ? of_storage : used.size());
  if (result.runs == 1) result.notes.push_back("one run only: spreads are within it, and the next may differ by more");
  return result;
}

}  // namespace plumbline::hw::calibration
