// The servers' side: what their messages mean.

#include <algorithm>

#include "base/check.hpp"
#include "hwmodels/storage/file_servers.hpp"

namespace plumbline::hw::storage {
namespace {

constexpr std::uint32_t kContentShift = 28;
constexpr std::uint32_t kIndexMask = (1U << kContentShift) - 1;
constexpr std::uint32_t kLookedAt = 0, kMetadataDone = 1;  // kinds of events of a server's CPU

// Sizes of the messages of PVFS2 as PIOsimHD has them (revision 969d4e5); it has no metadata server: the answer of one
// is taken to be as long as an acknowledgement.
constexpr std::uint64_t kAcknowledgeBytes = 15;

}  // namespace

void FileServers::handle(const sim::Event& event, sim::EventQueue& queue) {
  const Moment moment{event.at, queue};
  const std::uint32_t component = event.component - first_component_;
  if (component + 1 == components())
    go_on(event.payload, moment);
  else if (component % 2 == 0)
    device_event(component / 2, event, moment);
  else if (event.kind == kLookedAt)
    looked_at(event.payload, moment);
  else
    send(Content::kAnswer, event.payload, endpoints_[component / 2], endpoint_of(tasks_[event.payload].client),
         {kAcknowledgeBytes}, tasks_[event.payload].client.rank, moment);
}

void FileServers::notified(const Notification& note, Time now, sim::EventQueue& queue) {
  const Moment moment{now, queue};
  const Content content = static_cast<Content>((note.message & ~kOurs) >> kContentShift);
  const std::uint32_t index = note.message & kIndexMask;
  const bool delivered = note.kind == Notification::Kind::kDelivered;
  switch (content) {
    case Content::kRequest:
      if (delivered) requested(index, moment);
      if (note.kind == Notification::Kind::kSent && portions_[index].operation == Operation::kWrite) {
        const Portion& portion = portions_[index];
        const Client& client = tasks_[portion.task].client;
        send(Content::kData, index, endpoint_of(client), endpoints_[portion.server], {portion.left}, client.rank,
             moment, {true, std::nullopt});
      }
      break;
    case Content::kData:
      if (note.kind == Notification::Kind::kPacketDelivered) packet_arrived(index, note.bytes, moment);
      break;
    case Content::kAcknowledge:
      if (delivered) part_done(index, moment);
      break;
    case Content::kResponse:
      if (note.kind == Notification::Kind::kPacketTaken) packet_left(index, note.bytes, moment);
      if (delivered) part_done(index, moment);
      break;
    case Content::kAsk:
      if (delivered) asked_metadata(index, moment);
      break;
    case Content::kAnswer:
      if (delivered) go_on(index, moment);
      break;
  }
}

void FileServers::requested(std::uint32_t index, const Moment& moment) {
  const std::uint32_t server = portions_[index].server;
  const Time done = servers_[server].occupy_cpu(servers_[server].parameters().request.value, moment.now);
  if (done == moment.now)
    looked_at(index, moment);
  else
    moment.queue.push({done, first_component_ + 2 * server + 1, kLookedAt, 0, cpu_sequence_++, 0, index});
}

void FileServers::looked_at(std::uint32_t index, const Moment& moment) {
  Portion& portion = portions_[index];
  portion.cpu_done = true;
  const std::uint32_t server = portion.server;
  CacheModel& cache = servers_[server].cache();
  const std::uint32_t file = tasks_[portion.task].file;
  const Client client = tasks_[portion.task].client;
  switch (portion.operation) {
    case Operation::kWrite:
      if (portion.left > 0) return;
      accepted(index, moment);
      break;
    case Operation::kRead:
      portion.response = send(Content::kResponse, index, endpoints_[server], endpoint_of(client), {portion.left},
                              client.rank, moment, {true, Bytes{}});
      read(index, moment);
      break;
    case Operation::kFlush:
      if (writes_through_) cache.write(file, {0, unsynced_.take(server, file)});
      cache.flush(index, file);
      break;
  }
  settle(server, moment);
}

// What is in the cache is provided at once.
void FileServers::read(std::uint32_t index, const Moment& moment) {
  const Portion& portion = portions_[index];
  CacheModel& cache = servers_[portion.server].cache();
  Bytes here;
  for (const Extent& extent : portion.extents) here += cache.read(index, tasks_[portion.task].file, extent);
  servers_[portion.server].count_hits(here);
  if (here.count > 0) provide({index, here}, moment);
}

void FileServers::asked_metadata(std::uint32_t index, const Moment& moment) {
  const Task& task = tasks_[index];
  const Distribution& spread = distribution(task);
  const std::uint32_t server = *spread.metadata;
  Duration cost = spread.lookup.value;
  if (task.call == Call::kCreate) cost = spread.create.value;
  if (task.call == Call::kStat) cost = spread.stat.value;
  if (task.call == Call::kClose) cost = spread.close->value;
  const Time done = servers_[server].occupy_cpu(cost, moment.now);
  moment.queue.push({done, first_component_ + 2 * server + 1, kMetadataDone, 0, cpu_sequence_++, 0, index});
}

void FileServers::packet_arrived(std::uint32_t index, Bytes bytes, const Moment& moment) {
  const std::uint32_t server = portions_[index].server;
  if (servers_[server].must_park(bytes))
    servers_[server].park({index, bytes}, moment.now);
  else
    accept(index, bytes, moment);
  settle(server, moment);
}

// The bytes of a packet go to the extents in turn.
void FileServers::accept(std::uint32_t index, Bytes bytes, const Moment& moment) {
  Portion& portion = portions_[index];
  CacheModel& cache = servers_[portion.server].cache();
  const std::uint32_t file = tasks_[portion.task].file;
  portion.left -= bytes.count;
  for (std::uint64_t rest = bytes.count; rest > 0;) {
    const Extent& extent = portion.extents[portion.next];
    const std::uint64_t length = std::min(rest, extent.length - portion.within);
    cache.write(file, {extent.offset + portion.within, length});
    rest -= length;
    portion.within += length;
    if (portion.within < extent.length) continue;
    portion.within = 0;
    ++portion.next;
  }
  if (writes_through_) unsynced_.add(portion.server, file, bytes.count);
  if (portion.left == 0 && portion.cpu_done) accepted(index, moment);
}

// All of a write is in the cache.
void FileServers::accepted(std::uint32_t index, const Moment& moment) {
  const Portion& portion = portions_[index];
  if (writes_through_)
    servers_[portion.server].cache().flush(index, tasks_[portion.task].file);
  else
    acknowledge(index, moment);
}

// The interface has begun to send a packet of data that was read: its memory is free.
void FileServers::packet_left(std::uint32_t index, Bytes bytes, const Moment& moment) {
  Portion& portion = portions_[index];
  const std::int64_t before = sendable(portion);
  portion.unsent -= bytes.count;
  servers_[portion.server].change_sendable(sendable(portion) - before);
  servers_[portion.server].cache().release(bytes);
  settle(portion.server, moment);
}

void FileServers::device_event(std::uint32_t server, const sim::Event& event, const Moment& moment) {
  served_.clear();
  servers_[server].handle(event, moment.queue, served_);
  for (const Served& served : served_) {
    if (served.bytes.count == 0)
      acknowledge(served.portion, moment);
    else
      provide(served, moment);
  }
  settle(server, moment);
}

void FileServers::provide(const Served& served, const Moment& moment) {
  Portion& portion = portions_[served.portion];
  const std::int64_t before = sendable(portion);
  portion.left -= served.bytes.count;
  portion.unsent += served.bytes.count;
  servers_[portion.server].change_sendable(sendable(portion) - before);
  network_.provide(portion.response, served.bytes, moment.now, moment.queue);
}

void FileServers::acknowledge(std::uint32_t index, const Moment& moment) {
  const Portion& portion = portions_[index];
  const Client& client = tasks_[portion.task].client;
  send(Content::kAcknowledge, index, endpoints_[portion.server], endpoint_of(client), {kAcknowledgeBytes}, client.rank,
       moment);
}

// After anything has changed on a server: what is parked may be accepted, the device given something, the interface
// held or let go.
void FileServers::settle(std::uint32_t index, const Moment& moment) {
  DataServer& server = servers_[index];
  while (server.can_unpark()) {
    const DataServer::Packet packet = server.unpark(moment.now);
    accept(packet.portion, packet.bytes, moment);
  }
  server.feed_device(moment.now, moment.queue);
  if (server.wants_hold() == server.held()) return;
  server.set_held(server.wants_hold(), moment.now);
  const std::uint32_t endpoint = endpoints_[index];
  std::uint32_t& holders = holders_[endpoint];
  if (server.held() && holders++ == 0) network_.hold(endpoint);
  if (!server.held() && --holders == 0) network_.resume(endpoint, moment.now, moment.queue);
}

// Whole packets, and at the end what is left.
std::int64_t FileServers::sendable(const Portion& portion) const {
  const std::uint64_t whole = portion.unsent - portion.unsent % packet_.count;
  return static_cast<std::int64_t>(portion.left == 0 ? portion.unsent : whole);
}

StoreAndForward::Handle FileServers::send(Content content, std::uint32_t index, std::uint32_t from, std::uint32_t to,
                                          Bytes size, std::uint32_t rank, const Moment& moment, SendOptions options) {
  PLUMBLINE_CHECK(index <= kIndexMask, "fewer than 2^28 requests are under way");
  const std::uint32_t message = kOurs | static_cast<std::uint32_t>(content) << kContentShift | index;
  return network_.send(message, from, to, size, rank, next_sequence(rank), moment.now, moment.queue, options);
}

}  // namespace plumbline::hw::storage
