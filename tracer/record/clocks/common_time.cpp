#include "tracer/record/clocks/common_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tracer/record/clocks/line_shifts.hpp"
#include "tracer/record/clocks/wide.hpp"

namespace plumbline::record {
namespace {

constexpr std::int64_t kShortestLine = 1'000'000;  // ns: it needs two moments

}  // namespace

// ---- One node

std::int64_t CommonTime::Node::common_ps(std::int64_t node_ns) const {
  const Wide passed = static_cast<Wide>(node_ns) - begin;
  const Wide span = static_cast<Wide>(common_end_ps) - common_begin_ps;
  const Wide length = static_cast<Wide>(end) - begin;
  Wide quotient = passed * span / length;
  if (passed * span % length < 0) --quotient;  // down, on both sides of the beginning
  return limited(quotient + common_begin_ps);
}

double CommonTime::Node::part(std::int64_t node_ns) const {
  return static_cast<double>(node_ns - begin) / static_cast<double>(end - begin);
}

void CommonTime::Node::move(clocks::Ends by_ns) {
  common_begin_ps += std::llround(by_ns.begin * kPsPerNs);
  common_end_ps += std::llround(by_ns.end * kPsPerNs);
  if (!fit) return;
  fit->move(by_ns);
  if (alignment.uncertainty_ns) alignment.uncertainty_ns = inherited_uncertainty + fit->uncertainty_ns;
  alignment.offset_ns = fit->difference(fit->begin);
  alignment.drift = fit->drift();
}

// ---- All of them

void CommonTime::add(const NodeClockName& name, const NodeReading& first, const NodeReading& last) {
  Node& node = nodes_[name];
  if (!node.first || first.node_ns < node.first->node_ns) node.first = first;
  if (!node.last || last.node_ns > node.last->node_ns) node.last = last;
}

std::vector<CommonTime::Comparison> CommonTime::compare() {
  std::vector<Comparison> comparisons;
  for (const ExchangeRecord& record : records_) {
    if (record.node == record.reference) continue;
    const auto known = nodes_.find(record.node);
    const bool is_there = known != nodes_.end() && known->second.first;
    // Over the exchanges alone where nothing was recorded.
    std::int64_t from = std::numeric_limits<std::int64_t>::max(), to = std::numeric_limits<std::int64_t>::min();
    for (const clocks::Burst& burst : record.bursts) {
      for (const clocks::Exchange& e : burst) {
        from = std::min(from, e.sent);
        to = std::max(to, e.received);
      }
    }
    if (is_there) from = std::min(from, known->second.first->node_ns);
    if (is_there) to = std::max(to, known->second.last->node_ns);
    if (const auto fit = clocks::fit_clock(record.bursts, from, to))
      comparisons.push_back({record.node, record.reference, *fit, &record});
  }
  return comparisons;
}

void CommonTime::fit() {
  const std::vector<Comparison> comparisons = compare();
  for (auto& [name, node] : nodes_) {
    if (!node.first) continue;
    node.begin = node.first->node_ns;
    node.end = std::max(node.last->node_ns, node.begin + kShortestLine);
  }
  for (const Comparison& comparison : comparisons) {
    nodes_[comparison.node];
    Node& reference = nodes_[comparison.reference];
    if (reference.first) continue;
    reference.begin = comparison.fit.begin + comparison.fit.difference(comparison.fit.begin);
    reference.end = reference.begin + kShortestLine;
  }
  for (const Comparison& comparison : comparisons) place(comparison.reference, comparisons);
  for (const auto& [name, node] : nodes_) place(name, comparisons);
  line_up_groups();
}

// Gives the node a group of its own, if it has none yet, and then all nodes that comparisons lead to.
void CommonTime::place(const NodeClockName& root, const std::vector<Comparison>& comparisons) {
  Node& node = nodes_[root];
  if (node.group) return;
  node.group = static_cast<std::uint32_t>(groups_.size());
  groups_.emplace_back();
  node.common_begin_ps = 0;  // the group's time counts from here: a clock may show more ns than there is room for in ps
  node.common_end_ps = limited((static_cast<Wide>(node.end) - node.begin) * kPsPerNs);
  for (bool found = true; found;) {
    found = false;
    for (const Comparison& comparison : comparisons) {
      if (nodes_[comparison.node].group.has_value() == nodes_[comparison.reference].group.has_value()) continue;
      place_beside(comparison);
      found = true;
    }
  }
}

// One of the two has its place, the other one has not.
void CommonTime::place_beside(const Comparison& comparison) {
  Node& node = nodes_[comparison.node];
  Node& reference = nodes_[comparison.reference];
  const clocks::ClockFit& fit = comparison.fit;
  const std::int64_t begin = fit.begin + fit.difference(fit.begin), end = fit.end + fit.difference(fit.end);
  Node& placed = node.group ? node : reference;
  Node& next = node.group ? reference : node;
  const bool forward = &next == &node;
  next.begin = forward ? fit.begin : begin;
  next.end = forward ? fit.end : end;
  next.common_begin_ps = placed.common_ps(forward ? begin : fit.begin);
  next.common_end_ps = placed.common_ps(forward ? end : fit.end);
  next.group = placed.group;
  next.inherited_uncertainty = placed.alignment.uncertainty_ns.value_or(0);
  const int sign = forward ? 1 : -1;
  next.alignment = {Alignment::Method::kExchanges,
                    forward ? comparison.record->reference_host : comparison.record->node_host,
                    sign * fit.difference(fit.begin),
                    sign * fit.drift(),
                    next.inherited_uncertainty + fit.uncertainty_ns,
                    comparison.record->rounds,
                    fit.slack_ns};
  if (forward) next.fit = fit;
}

// Each group by that of its readings that is earliest by the calendar. The one with most nodes is the one that the
// others are lined up with.
void CommonTime::line_up_groups() {
  std::vector<const Node*> anchors(groups_.size());
  for (auto& [name, node] : nodes_) {
    if (!node.first) continue;
    ++groups_[*node.group].nodes;
    const Node*& anchor = anchors[*node.group];
    if (anchor == nullptr || node.first->realtime_ns < anchor->first->realtime_ns) anchor = &node;
    if (origin_realtime_ns_ == 0 || node.first->realtime_ns < origin_realtime_ns_)
      origin_realtime_ns_ = node.first->realtime_ns;
  }
  const auto largest = std::ranges::max_element(groups_, {}, &Group::nodes);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (anchors[i] == nullptr) continue;
    const Wide apart_ns = static_cast<Wide>(anchors[i]->first->realtime_ns) - static_cast<Wide>(origin_realtime_ns_);
    groups_[i].shift_ps = limited(apart_ns * kPsPerNs - anchors[i]->common_ps(anchors[i]->first->node_ns));
  }
  for (auto& [name, node] : nodes_) {
    const Group& group = groups_[*node.group];
    if (&group == &*largest) {
      if (!node.fit && node.alignment.method == Alignment::Method::kReference) node.alignment.uncertainty_ns = 0;
      continue;
    }
    node.alignment.method = Alignment::Method::kRealTime;
    node.alignment.uncertainty_ns.reset();
    node.is_free = group.nodes == 1 && !node.fit;
  }
}

std::int64_t CommonTime::ps(const NodeClockName& name, std::int64_t node_ns) const {
  const auto node = nodes_.find(name);
  if (node == nodes_.end()) return limited(static_cast<Wide>(node_ns) * kPsPerNs);
  return limited(static_cast<Wide>(node->second.common_ps(node_ns)) + groups_[*node->second.group].shift_ps);
}

Alignment CommonTime::alignment(const NodeClockName& name) const {
  const auto node = nodes_.find(name);
  return node == nodes_.end() ? Alignment{} : node->second.alignment;
}

std::size_t CommonTime::nodes() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(nodes_, [](const auto& entry) { return entry.second.first.has_value(); }));
}

std::size_t CommonTime::nodes_by_real_time() const {
  return static_cast<std::size_t>(std::ranges::count_if(nodes_, [](const auto& entry) {
    return entry.second.first && entry.second.alignment.method == Alignment::Method::kRealTime;
  }));
}

// ---- Messages

std::vector<Disagreement> CommonTime::respect(std::span<const MessageBound> messages) {
  std::vector<Node*> movable;
  std::map<NodeClockName, std::size_t> index;
  std::vector<MovableLine> lines;
  for (auto& [name, node] : nodes_) {
    index[name] = lines.size();
    lines.push_back({node.fit ? &*node.fit : nullptr, node.is_free});
    movable.push_back(&node);
  }
  std::vector<Passage> passages;
  std::vector<const MessageBound*> of_passage;
  for (const MessageBound& m : messages) {
    const auto from = index.find(m.from), to = index.find(m.to);
    if (from == index.end() || to == index.end() || from == to) continue;
    const std::int64_t apart_ps = limited(static_cast<Wide>(ps(m.to, m.received_ns)) - ps(m.from, m.sent_ns));
    passages.push_back({from->second, to->second, static_cast<double>(apart_ps) / static_cast<double>(kPsPerNs),
                        movable[from->second]->part(m.sent_ns), movable[to->second]->part(m.received_ns)});
    of_passage.push_back(&m);
  }
  LineShifts shifts(lines);
  shifts.respect(passages);
  std::map<std::pair<NodeClockName, NodeClockName>, double> worst;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const double late_ns = -shifts.ahead_ns(passages[i]);
    if (late_ns <= 0) continue;
    double& ns = worst[{of_passage[i]->from, of_passage[i]->to}];
    ns = std::max(ns, late_ns);
  }
  for (std::size_t i = 0; i < movable.size(); ++i) movable[i]->move(shifts.shift(i));
  std::vector<Disagreement> disagreements;
  for (const auto& [pair, ns] : worst)
    disagreements.push_back({pair.first, pair.second, static_cast<std::int64_t>(std::ceil(ns))});
  return disagreements;
}

}  // namespace plumbline::record
