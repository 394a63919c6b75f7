#include "replay/engine/distributed_files.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "base/error.hpp"
#include "replay/engine/access.hpp"
#include "replay/io/settings.hpp"

namespace plumbline::replay {
namespace {

using hw::storage::AskedLayout;
using hw::storage::Bracket;
using hw::storage::FileServers;

static_assert(mpi::kNotOfRanks == FileServers::kOurs);

mpi::PacketNetwork& packets_of(mpi::PacketNetwork* network, const Program& program, const hw::Platform& platform,
                               const ModelCoverage& coverage) {
  if (network != nullptr) return *network;
  std::uint32_t file = 0;
  while (!coverage.on_servers(file)) ++file;
  throw Error(
      fmt::format("platform '{}'", platform.name),
      fmt::format("'{}' is on '{}', whose servers are reached over the network, and on this one messages of ranks "
                  "alone have a way",
                  program.file(file), platform.file_systems[*coverage.file_system(file)].name),
      "use network=\"store-and-forward\", or give the file system <device-read> and <device-write> instead of a "
      "<distribution>");
}

// Servers run on the first socket of their node.
std::vector<std::uint32_t> endpoints_of(const hw::Platform& platform, const hw::Topology& topology) {
  std::vector<std::uint32_t> endpoints;
  for (const hw::Server& server : platform.servers) endpoints.push_back(topology.endpoint(server.node, 0));
  return endpoints;
}

Bracket bracket_of(hw::CacheCase cache) { return cache == hw::CacheCase::kCached ? Bracket::kBest : Bracket::kWorst; }

std::optional<std::uint64_t> hint_number(const io::HintMap& hints, std::string_view name) {
  const auto hint = hints.find(name);
  std::uint64_t number = 0;
  if (hint == hints.end()) return std::nullopt;
  const char* const end = hint->second.data() + hint->second.size();
  if (std::from_chars(hint->second.data(), end, number).ptr != end || hint->second.empty()) return std::nullopt;
  return number;
}

// The reserved hints of MPI 4.0, 14.2.8. ROMIO tells zeros where nobody asked.
AskedLayout asked_layout(const io::HintMap& hints) {
  AskedLayout asked;
  if (const auto unit = hint_number(hints, "striping_unit"); unit && *unit > 0) asked.stripe = Bytes{*unit};
  const auto factor = hint_number(hints, "striping_factor");
  if (!factor || *factor == 0) return asked;
  asked.parts = static_cast<std::uint32_t>(*factor);
  if (const auto first = hint_number(hints, "start_iodevice")) asked.first = static_cast<std::uint32_t>(*first);
  return asked;
}

const char* verb_of(hw::Access kind) { return kind == hw::Access::kRead ? "read from" : "write to"; }

}  // namespace

DistributedFiles::DistributedFiles(const Program& program, const hw::Platform& platform, const ModelCoverage& coverage,
                                   std::span<const std::uint32_t> nodes, mpi::PacketNetwork* network,
                                   std::uint32_t first_component, hw::CacheCase cache,
                                   const std::map<std::string, std::string>& hints, sim::EventQueue& queue)
    : program_(program),
      network_(packets_of(network, program, platform, coverage)),
      queue_(queue),
      nodes_(nodes.begin(), nodes.end()),
      servers_(platform, network_.network, first_component,
               {bracket_of(cache), endpoints_of(platform, network_.topology)}),
      lists_(program.ranks()) {
  for (std::uint32_t file = 0; file < program.files(); ++file) {
    if (!coverage.on_servers(file)) continue;
    const std::string_view path = program.file(file);
    io::HintMap in_force = io::parse_hints(program.property("hints:" + std::string(path)));
    for (const auto& [name, value] : hints) in_force[name] = value;
    servers_.add_file(file, *coverage.file_system(file), path, asked_layout(in_force));
  }
}

bool DistributedFiles::any(const Program& program, const ModelCoverage& coverage) {
  for (std::uint32_t file = 0; file < program.files(); ++file)
    if (coverage.on_servers(file)) return true;
  return false;
}

void DistributedFiles::handle_notifications() {
  for (const hw::Notification& note : network_.notifications)
    if (note.message & mpi::kNotOfRanks) servers_.notified(note, queue_.now(), queue_);
}

hw::storage::Client DistributedFiles::begin(const FileCall& call, std::uint32_t file, const char* verb) {
  std::uint32_t number = static_cast<std::uint32_t>(under_way_.size());
  if (free_.empty()) {
    under_way_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  under_way_[number] = {call, file, verb};
  return {number, nodes_[call.rank], call.rank, network_.endpoints[call.rank]};
}

void DistributedFiles::ask(const FileCall& call, std::uint32_t file, Metadata what) {
  switch (what) {
    case Metadata::kOpen:
      return servers_.open(begin(call, file, "open"), file, queue_.now(), queue_);
    case Metadata::kCreate:
      return servers_.create(begin(call, file, "create"), file, queue_.now(), queue_);
    case Metadata::kClose:
      return servers_.close(begin(call, file, "close"), file, queue_.now(), queue_);
    case Metadata::kSync:
      return servers_.sync(begin(call, file, "sync"), file, queue_.now(), queue_);
  }
}

void DistributedFiles::access(const FileCall& call, std::uint32_t file, const io::FileOperation& operation) {
  const hw::Access kind = access_of(operation.action);
  const hw::storage::Extent extents[] = {{operation.offset, operation.bytes}};
  servers_.access(begin(call, file, verb_of(kind)), file, kind, extents, queue_.now(), queue_);
}

void DistributedFiles::set_list(std::uint32_t rank, std::span<const io::ByteRange> runs) {
  lists_[rank].clear();
  for (const io::ByteRange& run : runs) lists_[rank].push_back({run.begin, run.end - run.begin});
}

void DistributedFiles::access_list(const FileCall& call, std::uint32_t file, hw::Access kind) {
  servers_.access(begin(call, file, verb_of(kind)), file, kind, lists_[call.rank], queue_.now(), queue_);
  lists_[call.rank] = {};
}

bool DistributedFiles::take_done(std::vector<FileCall>& done) {
  done.clear();
  completions_.clear();
  servers_.take_completions(completions_);
  for (const hw::storage::Completion& completion : completions_) {
    UnderWay& over = under_way_[completion.request];
    done.push_back(over.call);
    over.file = kNone;
    free_.push_back(completion.request);
  }
  return !done.empty();
}

std::string DistributedFiles::waits_for(std::uint32_t rank) const {
  for (const UnderWay& entry : under_way_)
    if (entry.file != kNone && entry.call.rank == rank)
      return fmt::format("file servers, to {} '{}'", entry.verb, program_.file(entry.file));
  return "";
}

}  // namespace plumbline::replay
