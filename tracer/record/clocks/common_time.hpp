#pragma once
// The clocks of all nodes of a recording on one time. Nodes whose clocks were compared, directly or by way of others,
// form a group, which one straight line per node brings to the clock of its reference. Groups are lined up by real
// time.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock_fit.hpp"
#include "tracer/record/clocks/clock_file.hpp"

namespace plumbline::record {

// How the clock of a node was lined up with the others.
struct Alignment {
  enum class Method { kReference, kExchanges, kRealTime };
  Method method = Method::kReference;
  std::string reference;                 // host whose clock it was compared with
  std::int64_t offset_ns = 0;            // that clock minus the node's, at the node's first reading
  double drift = 0;                      // of this difference, ns per ns
  std::optional<double> uncertainty_ns;  // over the whole recording; unknown by real time
  std::uint64_t exchanges = 0;           // that were made
  double slack_ns = 0;                   // clocks::ClockFit
};

// A message by the clocks of the two nodes: it was not received before it was sent.
struct MessageBound {
  NodeClockName from, to;
  std::int64_t sent_ns = 0, received_ns = 0;
};

// Messages between two nodes are received this much before they are sent, and exchanges forbid to move the clocks.
struct Disagreement {
  NodeClockName from, to;
  std::int64_t ns = 0;
};

// A moment by the clock of a node and by the calendar.
struct NodeReading {
  std::int64_t node_ns = 0;
  std::uint64_t realtime_ns = 0;
};

class CommonTime {
 public:
  // Everything that is known first: a node is there from `first` to `last`,
  void add(const NodeClockName& name, const NodeReading& first, const NodeReading& last);
  void add(ExchangeRecord exchanges) { records_.push_back(std::move(exchanges)); }
  // then the lines.
  void fit();
  // Moves the lines, each within what the node's exchanges leave open (by real time: freely) and as little as is
  // possible, so that these messages are not received before they are sent.
  std::vector<Disagreement> respect(std::span<const MessageBound> messages);

  // Since the origin, which is the earliest reading by the calendar.
  std::int64_t ps(const NodeClockName& name, std::int64_t node_ns) const;
  std::uint64_t origin_realtime_ns() const { return origin_realtime_ns_; }  // 0: unknown
  Alignment alignment(const NodeClockName& name) const;
  std::size_t nodes() const;  // that are there
  std::size_t nodes_by_real_time() const;

 private:
  // A clock as a straight line through two moments, by itself and by the clock of its group's reference.
  struct Node {
    std::optional<NodeReading> first, last;
    std::int64_t begin = 0, end = 1;
    std::int64_t common_begin_ps = 0, common_end_ps = 1000;
    std::optional<std::uint32_t> group;
    std::optional<clocks::ClockFit> fit;  // against the node that it was reached from; else it is not moved
    bool is_free = false;                 // no exchange holds it
    double inherited_uncertainty = 0;     // of that node
    Alignment alignment;

    std::int64_t common_ps(std::int64_t node_ns) const;
    double part(std::int64_t node_ns) const;  // of the way from begin to end
    void move(clocks::Ends by_ns);
  };
  struct Comparison {
    NodeClockName node, reference;
    clocks::ClockFit fit;
    const ExchangeRecord* record = nullptr;
  };
  struct Group {
    std::int64_t shift_ps = 0;  // from the reference's clock to the time since the origin
    std::size_t nodes = 0;      // that are there
  };

  std::vector<Comparison> compare();
  void place(const NodeClockName& root, const std::vector<Comparison>& comparisons);
  void place_beside(const Comparison& comparison);
  void line_up_groups();

  std::map<NodeClockName, Node> nodes_;
  std::vector<ExchangeRecord> records_;
  std::vector<Group> groups_;
  std::uint64_t origin_realtime_ns_ = 0;
};

}  // namespace plumbline::record
