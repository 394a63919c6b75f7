#include "hwmodels/storage/data_server.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace plumbline::hw::storage {
namespace {

// What the device does not take waits in the cache, where it can be merged.
ServerCache within_depth(const Server& server) {
  ServerCache cache = server.cache;
  cache.concurrent = std::min(cache.concurrent, depth_of(server.device));
  return cache;
}

}  // namespace

DataServer::DataServer(const Server& server, std::uint32_t device_component, Bracket bracket)
    : server_(at_end_of(bracket, server)),
      cache_(within_depth(server_), bracket == Bracket::kBest),
      device_(server.device, device_component) {}

Time DataServer::occupy_cpu(Duration cost, Time now) {
  cpu_free_ = std::max(cpu_free_, now) + cost;
  use_.cpu_busy += cost;
  ++use_.requests;
  while (!looked_at_.empty() && looked_at_.front() <= now) looked_at_.take();
  if (cpu_free_ > now) looked_at_.push(cpu_free_);
  return cpu_free_;
}

std::uint32_t DataServer::requests_waiting(Time now) const {
  const std::span<const Time> ends = looked_at_.items();
  return static_cast<std::uint32_t>(ends.end() - std::ranges::upper_bound(ends, now));
}

void DataServer::park(Packet packet, Time now) {
  parked_.push(packet);
  use_.parked.change(now, 1);
  ++use_.refused;
}

DataServer::Packet DataServer::unpark(Time now) {
  use_.parked.change(now, -1);
  return parked_.take();
}

void DataServer::feed_device(Time now, sim::EventQueue& queue) {
  note(now);
  while (true) {
    std::optional<DeviceAccess> access = cache_.next(false);
    if (!access && is_stuck()) access = cache_.next(true);
    if (!access) break;
    device_.submit(*access, now, queue);
  }
  note(now);
}

bool DataServer::is_stuck() const {
  const bool waits = cache_.has_reads() || !parked_.empty();
  return waits && cache_.under_way() == 0 && sendable_ == 0;
}

void DataServer::handle(const sim::Event& event, sim::EventQueue& queue, std::vector<Served>& served) {
  const std::optional<std::uint32_t> access = device_.handle(event, queue);
  if (access) cache_.done(*access, served);
}

void DataServer::set_held(bool held, Time now) {
  if (held)
    held_since_ = now;
  else
    use_.held += now - held_since_;
  held_ = held;
}

void DataServer::note(Time now) {
  use_.waiting.change(now, static_cast<std::int64_t>(cache_.waiting()) - use_.waiting.count());
  const std::int64_t used = cache_.capacity() - cache_.free_memory();
  if (used > 0) use_.most_memory = std::max(use_.most_memory, Bytes{static_cast<std::uint64_t>(used)});
}

}  // namespace plumbline::hw::storage
