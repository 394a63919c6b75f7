#pragma once
// An archive under assembly, step by step. Several processes that assemble one archive take the same steps, each for
// the recordings of its block, which are next to each other in the order of the ranks.

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/team/shared_work.hpp"
#include "tracer/archive/write/writer.hpp"
#include "tracer/record/assemble/node_metrics.hpp"
#include "tracer/record/assemble/options.hpp"
#include "tracer/record/assemble/recording.hpp"
#include "tracer/record/assemble/summary.hpp"
#include "tracer/record/clocks/clock.hpp"
#include "tracer/record/definitions/definition_registry.hpp"
#include "tracer/record/definitions/facts.hpp"
#include "tracer/record/definitions/process.hpp"
#include "tracer/record/definitions/pseudonyms.hpp"
#include "tracer/record/definitions/symbols.hpp"
#include "tracer/record/events/inner_peers.hpp"

namespace plumbline::record {

// What the events of a block of recordings have told of the archive.
struct BlockSummary {
  AssembleSummary counts;                                     // operations, bytes, calls in flight, remarks
  std::set<std::pair<std::uint32_t, std::uint32_t>> insides;  // threads with something inside: thread, process
  Time end;                                                   // of the last event
};

template <class Io>
void fields(Io& io, BlockSummary& block) {
  io(block.counts, block.insides, block.end);
}

class Assembly {
 public:
  // `summary` gets what is found out on the way.
  Assembly(std::vector<Recording> recordings, AssembleSummary& summary, const AssembleOptions& options);

  // First pass over the spools: what explains their records, and clocks. Each process reads a block of them and tells
  // the others, of several nodes also the messages between these, by which their clocks are compared.
  void gather(Processes& processes);
  // What does not come from events.
  void define();

  // Of what is defined so far, and of the recordings: the same in all processes that see the same.
  std::string digest() const;
  // Decodes this process's recordings and writes nothing: what they define, in order.
  std::string own_definitions();
  // Defines what all blocks define; journals in the order of the blocks.
  void follow(const std::vector<std::string>& journals);

  // Second pass over this process's recordings. `progress`: share of them that is done.
  void write(archive::Writer& writer, BlockSummary& summary, const std::function<void(double)>& progress);
  // What remains when all blocks have been written and told of.
  void finish(archive::Writer& writer, const BlockSummary& all);

 private:
  ProcessFacts read(Recording& recording);
  void read_own(Processes& processes);
  void number_servers();
  void require_calls();
  pl_file_header shown(const Recording& recording);
  std::string shown(const std::string& host) { return options_.anonymize ? pseudonyms_.text(host) : host; }
  void describe(archive::LocationGroup& group, std::size_t i);
  void define_servers();
  void define_processes();
  void learn_inner_peers();
  void define_insides(const BlockSummary& all);
  void write_thread(archive::Writer& writer, const Recording& recording, Process& process, std::uint32_t thread,
                    BlockSummary& summary);
  void write_process(archive::Writer& writer, std::size_t i, BlockSummary& summary);
  Process process(DefinitionRegistry& world, std::size_t i, ProcessFacts facts);
  Process decode(DefinitionRegistry& world, std::size_t i, FlatTable<OpenRequest> posted_later);
  FlatTable<OpenRequest> left_open(DefinitionRegistry& world, std::size_t i);
  void report(const spool::Record& record);

  std::vector<Recording> recordings_;
  std::vector<ProcessFacts> facts_;  // by recording; moved out when it is written
  AssembleSummary& summary_;
  const AssembleOptions& options_;
  NodeMetrics nodes_;
  DefinitionRegistry world_;
  Clocks clocks_;
  Symbols symbols_;
  Pseudonyms pseudonyms_;
  InnerPeers inner_peers_;
  bool is_shared_ = false;  // with other processes
  std::function<void(double)> progress_;
  std::uint64_t calls_ = 0, done_ = 0;  // of the passes over a block
};

}  // namespace plumbline::record
