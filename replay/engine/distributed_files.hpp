#pragma once
// Files on servers of the platform: what ranks ask of the servers, in the network that their messages use too
// (hwmodels/storage/file_servers.hpp; docs/models/replay-file-servers.md).

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hwmodels/storage/file_servers.hpp"
#include "replay/engine/model_coverage.hpp"
#include "replay/io/file_operation.hpp"
#include "replay/io/footprint.hpp"
#include "replay/mpi/transfers/packet_network.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// Who waits for a call to the servers.
struct FileCall {
  enum class For : std::uint8_t {
    kRank,       // in the call
    kSubmitted,  // aio
    kRequest,    // of the engine
  };
  For waits = For::kRank;
  std::uint32_t rank = 0;
  std::uint32_t request = kNone;
};

class DistributedFiles {
 public:
  enum class Metadata : std::uint8_t { kOpen, kCreate, kClose, kSync };

  // Its events carry components from `first_component` on. `nodes`: of each rank; `hints`: those that were asked for.
  // Throws Error when the platform has no network of packets. Network and queue outlive it.
  DistributedFiles(const Program& program, const hw::Platform& platform, const ModelCoverage& coverage,
                   std::span<const std::uint32_t> nodes, mpi::PacketNetwork* network, std::uint32_t first_component,
                   hw::CacheCase cache, const std::map<std::string, std::string>& hints, sim::EventQueue& queue);

  // Whether the program has files on servers; without any there is nothing to make.
  static bool any(const Program& program, const ModelCoverage& coverage);

  std::uint32_t components() const { return servers_.components(); }
  void handle(const sim::Event& event) { servers_.handle(event, queue_); }
  void handle_notifications();  // of the last event of the network

  // Calls begin now. take_done() says when they are over, which may be at once.
  void ask(const FileCall& call, std::uint32_t file, Metadata what);
  void access(const FileCall& call, std::uint32_t file, const io::FileOperation& operation);

  // What a rank will access with its next access_list(), one call.
  void set_list(std::uint32_t rank, std::span<const io::ByteRange> runs);
  std::span<const hw::storage::Extent> list(std::uint32_t rank) const { return lists_[rank]; }
  void access_list(const FileCall& call, std::uint32_t file, hw::Access kind);

  // The calls that are over since the last question; false: none.
  bool take_done(std::vector<FileCall>& done);

  // What a rank waits for, for reports; "" when for nothing here.
  std::string waits_for(std::uint32_t rank) const;

  // Before the run: each device notes its first accesses.
  void log_accesses(std::size_t most) { servers_.log_accesses(most); }

  // For reports of their use.
  const hw::storage::FileServers& servers() const { return servers_; }

 private:
  struct UnderWay {
    FileCall call;
    std::uint32_t file = kNone;  // kNone: free
    const char* verb = "";
  };

  hw::storage::Client begin(const FileCall& call, std::uint32_t file, const char* verb);

  const Program& program_;
  mpi::PacketNetwork& network_;
  sim::EventQueue& queue_;
  const std::vector<std::uint32_t> nodes_;
  hw::storage::FileServers servers_;
  std::vector<UnderWay> under_way_;  // by the number of the request
  std::vector<std::uint32_t> free_;
  std::vector<std::vector<hw::storage::Extent>> lists_;  // by rank
  std::vector<hw::storage::Completion> completions_;     // scratch
};

}  // namespace plumbline::replay
