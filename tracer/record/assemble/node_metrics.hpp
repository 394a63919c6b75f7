#pragma once
// Samples of nodes (tracer/spool/format/samples_format.h) become metrics of the archive: per node a location group with
// one location, and on it an event per series and sample. Counters become increases since the start of the trace.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "tracer/archive/write/writer.hpp"
#include "tracer/record/assemble/summary.hpp"
#include "tracer/record/clocks/clock.hpp"
#include "tracer/record/definitions/definition_registry.hpp"
#include "tracer/spool/samples.hpp"

namespace plumbline::record {

// By how much a counter grew. One that wrapped around 32 or 64 bits went on; one that is far below what it was began
// anew, as those of an interface that was made again; one that is a little below has not grown.
std::uint64_t increase(std::uint64_t before, std::uint64_t now);

class NodeMetrics {
 public:
  // What is no file of samples is remarked and left out.
  NodeMetrics(const std::vector<std::filesystem::path>& files, AssembleSummary& summary);

  // What the hosts' names are to be turned into; before define().
  void show_hosts_as(std::function<std::string(const std::string&)> show) { show_ = std::move(show); }
  // Its own readings of the clock of each node of which there is no spool: those of the ranks stand, where there are
  // any.
  void add_clocks(Clocks& clocks) const;
  // Groups, locations and metrics of all nodes that have samples; after those of the ranks.
  void define(DefinitionRegistry& world, const Clocks& clocks);
  // From the start of the trace to the first sample after `end`, which moves there: a run ends between two samples.
  void write(archive::Writer& writer, const Clocks& clocks, Time& end) const;

 private:
  using NodeKey = std::tuple<std::string, std::string, std::uint64_t>;  // host, boot id, network namespace
  using SeriesKey = std::pair<std::uint64_t, std::string>;              // enum pl_sampled, name

  struct Series {
    std::uint64_t present = 0;  // bit per value that this kernel has
    std::uint64_t changed = 0;  // bit per value that was not always the same
    std::vector<std::uint64_t> last = {};
    std::uint32_t metric = archive::kUndefined;  // in the archive, if it is there
  };

  struct Node {
    std::vector<std::unique_ptr<spool::Samples>> files;  // of samplers that took turns, by time
    std::map<SeriesKey, Series> series;
    std::uint64_t location = 0;
  };

  // What a sample adds to the archive.
  struct Row {
    Time time;
    std::uint32_t metric;
    std::vector<std::uint64_t> values;
  };

  void look_at(Node& node) const;
  static bool is_worth_it(const Node& node, const SeriesKey& key, const Series& series);
  std::uint32_t metric_class(DefinitionRegistry& world, const SeriesKey& key, std::uint64_t present);
  static std::vector<Row> rows_of(const Node& node, const Clocks& clocks, Time end);

  std::function<std::string(const std::string&)> show_;
  std::map<NodeKey, Node> nodes_;
  std::map<std::pair<SeriesKey, std::uint64_t>, std::uint32_t> classes_;
};

}  // namespace plumbline::record
