#pragma once
// Distributed file systems: what clients ask of them, as messages to servers on nodes of the network (the protocol of
// PIOsimHD, which is that of PVFS2; docs/models/file-servers.md).

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hwmodels/network/packets/store_and_forward.hpp"
#include "hwmodels/platform/platform.hpp"
#include "hwmodels/storage/access.hpp"
#include "hwmodels/storage/bracket.hpp"
#include "hwmodels/storage/data_server.hpp"
#include "hwmodels/storage/layout.hpp"
#include "hwmodels/storage/storage.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::hw::storage {

// Who asks. `request` comes back in the completion and decides nothing.
struct Client {
  std::uint32_t request = 0;
  std::uint32_t node = 0;
  std::uint32_t rank = 0;          // orders what happens at the same time
  std::uint32_t endpoint = kNone;  // of the network; kNone: it has the number of the node
};

struct Completion {
  std::uint32_t request = 0;
  Bytes bytes;  // read or written
};

struct FileServersOptions {
  Bracket bracket = Bracket::kAsGiven;
  std::span<const std::uint32_t> endpoints = {};  // of the network, by server; none: they have the numbers of the nodes
};

// Its messages have numbers with the top bit set and sequence numbers with the top bit set: others use numbers without.
class FileServers {
 public:
  static constexpr std::uint32_t kOurs = 0x8000'0000;

  // Its events carry components from `first_component` on, components() of them.
  FileServers(const Platform& platform, StoreAndForward& network, std::uint32_t first_component,
              const FileServersOptions& options = {});
  std::uint32_t components() const { return 2 * static_cast<std::uint32_t>(servers_.size()) + 1; }

  // Before the first request for it. Without a size, reads of the file are not clipped until it has been created.
  void add_file(std::uint32_t file, std::uint32_t file_system, std::string_view path, const AskedLayout& asked = {},
                std::optional<Bytes> size = {});

  void open(const Client& client, std::uint32_t file, Time now, sim::EventQueue& queue);
  void create(const Client& client, std::uint32_t file, Time now, sim::EventQueue& queue);  // also truncates
  void stat(const Client& client, std::uint32_t file, Time now, sim::EventQueue& queue);
  void close(const Client& client, std::uint32_t file, Time now, sim::EventQueue& queue);

  // All that was written to the file and acknowledged is on the devices.
  void sync(const Client& client, std::uint32_t file, Time now, sim::EventQueue& queue);

  // A list of extents, in the order of the data. A write is done when the caches of the servers have accepted it; a
  // read ends at the end of the file.
  void access(const Client& client, std::uint32_t file, Access kind, std::span<const Extent> extents, Time now,
              sim::EventQueue& queue);

  // An event with one of its components.
  void handle(const sim::Event& event, sim::EventQueue& queue);

  // A notification of the network about one of its messages.
  void notified(const Notification& note, Time now, sim::EventQueue& queue);

  // Appends what was done since the last call, in order.
  void take_completions(std::vector<Completion>& out);

  // Before the run: every device notes its first accesses, at most so many.
  void log_accesses(std::size_t most) {
    for (DataServer& server : servers_) server.log_accesses(most);
  }

  std::uint32_t requests_under_way() const { return tasks_under_way_; }
  const DataServer& server(std::uint32_t server) const { return servers_[server]; }
  std::uint32_t server_count() const { return static_cast<std::uint32_t>(servers_.size()); }
  std::optional<Bytes> size(std::uint32_t file) const { return files_[file].size; }

 private:
  enum class Call : std::uint8_t { kOpen, kCreate, kStat, kClose, kSync, kRead, kWrite };
  enum class Phase : std::uint8_t { kClientBefore, kServers, kClientAfter };
  // In the bits of a message's number below the top one; the rest is the index of a portion or of a task.
  enum class Content : std::uint32_t { kRequest, kData, kAcknowledge, kResponse, kAsk, kAnswer };

  struct File {
    std::uint32_t file_system = kNone;
    Layout layout;
    std::optional<Bytes> size;
  };

  // One call of a client.
  struct Task {
    Client client;
    std::uint32_t file = 0;
    std::uint32_t sequence = 0;
    Call call = Call::kOpen;
    Phase phase = Phase::kClientBefore;
    std::uint32_t parts_left = 0;  // portions that are not done
    std::size_t next = 0;          // extent that has not been asked for
    std::vector<Extent> extents;   // of the file
  };

  // What one server does for one request.
  struct Portion {
    std::uint32_t task = 0;
    std::uint32_t server = 0;
    Operation operation = Operation::kRead;
    bool cpu_done = false;     // the server has looked at the request
    std::uint64_t left = 0;    // bytes that the cache has not accepted, or that the device has not delivered
    std::uint64_t unsent = 0;  // bytes of a response that are there and have not begun service
    StoreAndForward::Handle response = 0;
    std::size_t next = 0;  // extent that data is written to, and where in it
    std::uint64_t within = 0;
    std::vector<Extent> extents;  // of the server's part of the file
  };

  struct Moment {  // what is constant while one call is handled
    Time now;
    sim::EventQueue& queue;
  };

  std::uint32_t begin_task(const Client& client, std::uint32_t file, Call call);
  void start(std::uint32_t task, const Moment& moment);
  void occupy_client(std::uint32_t task, Phase phase, Duration cost, const Moment& moment);
  void go_on(std::uint32_t task, const Moment& moment);
  void ask_servers(std::uint32_t task, const Moment& moment);
  void ask_metadata(std::uint32_t task, const Moment& moment);
  void next_batch(std::uint32_t task, const Moment& moment);
  void part_done(std::uint32_t portion, const Moment& moment);
  void finish(std::uint32_t task, const Moment& moment);
  Duration client_cost(const Task& task) const;
  Bytes bytes_of(const Task& task) const;
  void clip(Task& task) const;

  bool fill(Portion& portion, const Task& task, std::uint32_t part, std::size_t end) const;
  std::uint32_t server_of(const Task& task, std::uint32_t part) const;
  void ask(std::uint32_t portion, const Moment& moment);

  void requested(std::uint32_t portion, const Moment& moment);
  void looked_at(std::uint32_t portion, const Moment& moment);
  void read(std::uint32_t portion, const Moment& moment);
  void asked_metadata(std::uint32_t task, const Moment& moment);
  void packet_arrived(std::uint32_t portion, Bytes bytes, const Moment& moment);
  void accept(std::uint32_t portion, Bytes bytes, const Moment& moment);
  void accepted(std::uint32_t portion, const Moment& moment);
  void packet_left(std::uint32_t portion, Bytes bytes, const Moment& moment);
  void device_event(std::uint32_t server, const sim::Event& event, const Moment& moment);
  void provide(const Served& served, const Moment& moment);
  void acknowledge(std::uint32_t portion, const Moment& moment);
  void settle(std::uint32_t server, const Moment& moment);
  std::int64_t sendable(const Portion& portion) const;

  static std::uint32_t endpoint_of(const Client& client) {
    return client.endpoint == kNone ? client.node : client.endpoint;
  }
  StoreAndForward::Handle send(Content content, std::uint32_t index, std::uint32_t from, std::uint32_t to, Bytes size,
                               std::uint32_t rank, const Moment& moment, SendOptions options = {});
  std::uint32_t next_sequence(std::uint32_t rank);
  std::uint32_t new_portion();
  const Distribution& distribution(const Task& task) const;

  StoreAndForward& network_;
  Bytes packet_;  // payload of a full one
  std::uint32_t first_component_;
  std::vector<FileSystem> file_systems_;
  std::vector<DataServer> servers_;
  std::vector<std::uint32_t> endpoints_;  // of the network, by server
  std::vector<std::uint32_t> holders_;    // per endpoint, servers that want its interface held
  std::vector<File> files_;
  std::vector<Task> tasks_;
  std::vector<Portion> portions_;
  std::vector<std::uint32_t> free_tasks_, free_portions_;
  std::vector<std::uint32_t> sequences_;  // per rank
  std::vector<Served> served_;            // scratch of device_event
  std::vector<Completion> completions_;
  std::uint32_t tasks_under_way_ = 0;
  std::uint32_t cpu_sequence_ = 0;
  bool writes_through_ = false;  // Bracket::kWorst
  Unsynced unsynced_;            // then
};

}  // namespace plumbline::hw::storage
