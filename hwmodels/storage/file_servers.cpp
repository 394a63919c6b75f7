// The clients' side: calls, and what they wait for.

#include "hwmodels/storage/file_servers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/error.hpp"

namespace plumbline::hw::storage {
namespace {

// Sizes of the messages of PVFS2 as PIOsimHD has them (revision 969d4e5).
constexpr std::uint64_t kRequestBytes = 20, kBytesOfExtent = 8;

}  // namespace

FileServers::FileServers(const Platform& platform, StoreAndForward& network, std::uint32_t first_component,
                         const FileServersOptions& options)
    : network_(network),
      packet_(platform.packets.granularity),
      first_component_(first_component),
      file_systems_(platform.file_systems),
      endpoints_(options.endpoints.begin(), options.endpoints.end()),
      writes_through_(options.bracket == Bracket::kWorst) {
  servers_.reserve(platform.servers.size());
  for (const Server& server : platform.servers) {
    const bool pages = server.cache.policy == CachePolicy::kPageCache;
    PLUMBLINE_CHECK((pages ? dirty_limit(server.cache) : server.cache.memory) >= packet_ &&
                        server.cache.memory >= server.cache.granularity,
                    "the memory of a cache holds a packet and an access");
    servers_.emplace_back(server, first_component + 2 * static_cast<std::uint32_t>(servers_.size()), options.bracket);
    if (options.endpoints.empty()) endpoints_.push_back(server.node);
  }
  for (const std::uint32_t endpoint : endpoints_)
    if (holders_.size() <= endpoint) holders_.resize(endpoint + 1);
}

void FileServers::add_file(std::uint32_t file, std::uint32_t file_system, std::string_view path,
                           const AskedLayout& asked, std::optional<Bytes> size) {
  if (files_.size() <= file) files_.resize(file + 1);
  files_[file] = {file_system, layout_of(file_systems_[file_system], path, asked), size};
}

void FileServers::open(const Client& client, std::uint32_t file, Time now, sim::EventQueue& queue) {
  start(begin_task(client, file, Call::kOpen), {now, queue});
}

void FileServers::create(const Client& client, std::uint32_t file, Time now, sim::EventQueue& queue) {
  const std::uint32_t task = begin_task(client, file, Call::kCreate);
  files_[file].size = Bytes{};
  start(task, {now, queue});
}

void FileServers::stat(const Client& client, std::uint32_t file, Time now, sim::EventQueue& queue) {
  start(begin_task(client, file, Call::kStat), {now, queue});
}

void FileServers::close(const Client& client, std::uint32_t file, Time now, sim::EventQueue& queue) {
  start(begin_task(client, file, Call::kClose), {now, queue});
}

void FileServers::sync(const Client& client, std::uint32_t file, Time now, sim::EventQueue& queue) {
  start(begin_task(client, file, Call::kSync), {now, queue});
}

void FileServers::access(const Client& client, std::uint32_t file, Access kind, std::span<const Extent> extents,
                         Time now, sim::EventQueue& queue) {
  const std::uint32_t task = begin_task(client, file, kind == Access::kRead ? Call::kRead : Call::kWrite);
  tasks_[task].extents.assign(extents.begin(), extents.end());
  if (kind == Access::kRead) clip(tasks_[task]);
  start(task, {now, queue});
}

void FileServers::take_completions(std::vector<Completion>& out) {
  out.insert(out.end(), completions_.begin(), completions_.end());
  completions_.clear();
}

std::uint32_t FileServers::begin_task(const Client& client, std::uint32_t file, Call call) {
  PLUMBLINE_CHECK(file < files_.size() && files_[file].file_system != kNone, "a file is added before it is used");
  std::uint32_t index = 0;
  if (free_tasks_.empty()) {
    index = static_cast<std::uint32_t>(tasks_.size());
    tasks_.emplace_back();
  } else {
    index = free_tasks_.back();
    free_tasks_.pop_back();
  }
  Task& task = tasks_[index];
  task.client = client;
  task.file = file;
  task.sequence = next_sequence(client.rank);
  task.call = call;
  task.parts_left = 0;
  task.next = 0;
  task.extents.clear();
  ++tasks_under_way_;
  return index;
}

// A client computes before it writes or asks, and after it has read.
void FileServers::start(std::uint32_t index, const Moment& moment) {
  const Task& task = tasks_[index];
  occupy_client(index, Phase::kClientBefore, task.call == Call::kRead ? Duration{} : client_cost(task), moment);
}

void FileServers::occupy_client(std::uint32_t index, Phase phase, Duration cost, const Moment& moment) {
  Task& task = tasks_[index];
  task.phase = phase;
  if (cost.ps == 0) {
    go_on(index, moment);
    return;
  }
  const std::uint32_t component = first_component_ + components() - 1;
  moment.queue.push({moment.now + cost, component, 0, task.client.rank, task.sequence, 0, index});
}

void FileServers::go_on(std::uint32_t index, const Moment& moment) {
  switch (tasks_[index].phase) {
    case Phase::kClientBefore:
      tasks_[index].phase = Phase::kServers;
      ask_servers(index, moment);
      break;
    case Phase::kServers:
      occupy_client(index, Phase::kClientAfter,
                    tasks_[index].call == Call::kRead ? client_cost(tasks_[index]) : Duration{}, moment);
      break;
    case Phase::kClientAfter:
      finish(index, moment);
      break;
  }
}

void FileServers::ask_servers(std::uint32_t index, const Moment& moment) {
  const Call call = tasks_[index].call;
  if (call == Call::kSync || call == Call::kRead || call == Call::kWrite)
    next_batch(index, moment);
  else
    ask_metadata(index, moment);
}

void FileServers::ask_metadata(std::uint32_t index, const Moment& moment) {
  const Task& task = tasks_[index];
  const Distribution& spread = distribution(task);
  if (!spread.metadata || (task.call == Call::kClose && !spread.close)) {
    go_on(index, moment);
    return;
  }
  send(Content::kAsk, index, endpoint_of(task.client), endpoints_[*spread.metadata], {kRequestBytes}, task.client.rank,
       moment);
}

// One request to each server that holds some of the next extents, at once.
void FileServers::next_batch(std::uint32_t index, const Moment& moment) {
  const Layout layout = files_[tasks_[index].file].layout;
  const std::uint32_t limit = distribution(tasks_[index]).list_limit;
  while (true) {
    const std::size_t left = tasks_[index].extents.size() - tasks_[index].next;
    const std::size_t end = tasks_[index].next + (limit == 0 ? left : std::min<std::size_t>(left, limit));
    for (std::uint32_t part = 0; part < layout.parts; ++part) {
      const std::uint32_t portion = new_portion();
      portions_[portion].task = index;
      if (!fill(portions_[portion], tasks_[index], part, end)) {
        free_portions_.push_back(portion);
        continue;
      }
      ++tasks_[index].parts_left;
      ask(portion, moment);
    }
    tasks_[index].next = end;
    if (tasks_[index].parts_left > 0) return;
    if (end < tasks_[index].extents.size()) continue;  // extents without bytes
    go_on(index, moment);
    return;
  }
}

// What one server has to do for the next extents up to `end`; false when nothing.
bool FileServers::fill(Portion& portion, const Task& task, std::uint32_t part, std::size_t end) const {
  portion.server = server_of(task, part);
  portion.cpu_done = false;
  portion.left = 0;
  portion.unsent = 0;
  portion.next = 0;
  portion.within = 0;
  portion.extents.clear();
  portion.operation = task.call == Call::kSync   ? Operation::kFlush
                      : task.call == Call::kRead ? Operation::kRead
                                                 : Operation::kWrite;
  for (std::size_t i = task.next; i < end; ++i) {
    const Extent extent = part_of(files_[task.file].layout, part, task.extents[i]);
    if (extent.length == 0) continue;
    portion.extents.push_back(extent);
    portion.left += extent.length;
  }
  return portion.left > 0 || portion.operation == Operation::kFlush;
}

std::uint32_t FileServers::server_of(const Task& task, std::uint32_t part) const {
  const Distribution& spread = distribution(task);
  if (!spread.local) {
    const Layout& layout = files_[task.file].layout;
    return spread.servers[(layout.first + part) % spread.servers.size()];
  }
  const auto here = std::find_if(spread.servers.begin(), spread.servers.end(),
                                 [&](std::uint32_t server) { return servers_[server].node() == task.client.node; });
  if (here == spread.servers.end())
    throw Error("",
                fmt::format("rank {} uses the local file system '{}' on a node that has no server of it",
                            task.client.rank, file_systems_[files_[task.file].file_system].name),
                "add a <server> on this node to the platform");
  return *here;
}

void FileServers::ask(std::uint32_t index, const Moment& moment) {
  const Portion& portion = portions_[index];
  const Client& client = tasks_[portion.task].client;
  const Bytes size{kRequestBytes + kBytesOfExtent * portion.extents.size()};
  send(Content::kRequest, index, endpoint_of(client), endpoints_[portion.server], size, client.rank, moment);
}

void FileServers::part_done(std::uint32_t portion, const Moment& moment) {
  const std::uint32_t index = portions_[portion].task;
  free_portions_.push_back(portion);
  Task& task = tasks_[index];
  if (--task.parts_left > 0) return;
  if (task.next < task.extents.size())
    next_batch(index, moment);
  else
    go_on(index, moment);
}

void FileServers::finish(std::uint32_t index, const Moment&) {
  const Task& task = tasks_[index];
  std::optional<Bytes>& size = files_[task.file].size;
  if (task.call == Call::kWrite && size)
    for (const Extent& extent : task.extents)
      if (extent.length > 0) size = std::max(*size, Bytes{extent.end()});
  completions_.push_back({task.client.request, bytes_of(task)});
  free_tasks_.push_back(index);
  --tasks_under_way_;
}

Duration FileServers::client_cost(const Task& task) const {
  const FileSystem& fs = file_systems_[files_[task.file].file_system];
  const auto cost = [&](const AccessCost& access) {
    const BytesPerSecond rate = access.rate.value;
    return access.call.value + (rate.count > 0 ? transfer_time(bytes_of(task), rate) : Duration{});
  };
  switch (task.call) {
    case Call::kRead:
      return cost(fs.cached_read);
    case Call::kWrite:
      return cost(fs.cached_write);
    case Call::kClose:
      return fs.close.value;
    case Call::kSync:
      return fs.sync.value;
    default:
      return fs.open.value;
  }
}

Bytes FileServers::bytes_of(const Task& task) const {
  Bytes sum;
  for (const Extent& extent : task.extents) sum += {extent.length};
  return sum;
}

void FileServers::clip(Task& task) const {
  const std::optional<Bytes> size = files_[task.file].size;
  if (!size) return;
  for (Extent& extent : task.extents)
    extent.length = extent.offset >= size->count ? 0 : std::min(extent.length, size->count - extent.offset);
}

const Distribution& FileServers::distribution(const Task& task) const {
  return file_systems_[files_[task.file].file_system].distribution;
}

std::uint32_t FileServers::next_sequence(std::uint32_t rank) {
  if (sequences_.size() <= rank) sequences_.resize(rank + 1);
  return sequences_[rank]++ | kOurs;
}

std::uint32_t FileServers::new_portion() {
  if (free_portions_.empty()) {
    portions_.emplace_back();
    return static_cast<std::uint32_t>(portions_.size() - 1);
  }
  const std::uint32_t portion = free_portions_.back();
  free_portions_.pop_back();
  return portion;
}

}  // namespace plumbline::hw::storage
