#include "replay/mpi/transfers/network_port.hpp"

#include <algorithm>
#include <utility>

namespace plumbline::replay::mpi {

NetworkPort::NetworkPort(const hw::Platform& platform, std::span<const std::uint32_t> nodes, const Noise& noise,
                         sim::EventQueue& queue, hw::NetworkOptions options, const hw::SamplingOptions& sampling)
    : noise_(noise), queue_(queue) {
  switch (platform.network) {
    case hw::NetworkKind::kLogGP:
      loggp_.emplace(platform, nodes);
      break;
    case hw::NetworkKind::kSampled:
      sampled_.emplace(platform, nodes, noise, queue, sampling);
      break;
    case hw::NetworkKind::kStoreAndForward:
      packets_.emplace(platform, nodes, options);
      components_ = static_cast<std::uint32_t>(packets_->topology.components().size()) + 1;
      break;
  }
}

NetworkPort::Departure NetworkPort::begin_send(const MessageTransfer& transfer, const MessageCost& cost, Time cpu) {
  const hw::LogGP::Departure departure = loggp_->begin_send(transfer.from, transfer.to, transfer.bytes, cpu);
  const Time free = noise_.after(transfer.from, departure.start, cost.send);
  const Duration delay = free - (departure.start + cost.send);
  return {free, departure.arrival + delay};
}

Time NetworkPort::send(const MessageTransfer& transfer, const MessageCost& cost, bool ordered, Time cpu) {
  if (loggp_) {  // whose interfaces keep the order of what they send
    const Departure departure = begin_send(transfer, cost, cpu);
    announce(departure.arrival, transfer.from, transfer.sequence, transfer.message);
    if (transfer.buffer.count > 0) announce_buffered(transfer, departure);
    return departure.free;
  }
  if (sampled_) return sampled_->send(transfer, cost, ordered, cpu);
  const Time free = noise_.after(transfer.from, cpu, cost.send);
  const Time ready = free + cost.latency;
  if (cost.behind > Duration{}) arrives_later(transfer, cost.behind);
  if (!ordered || connections_.begin(transfer, ready)) enter(transfer, ordered, ready);
  return free;
}

// What a protocol does when its data is there (docs/models/transport.md).
void NetworkPort::arrives_later(const MessageTransfer& transfer, Duration latency) {
  if (late_.size() <= transfer.message) late_.resize(transfer.message + 1);
  late_[transfer.message] = {latency, transfer.from, transfer.sequence};
}

// Whether what the network has delivered arrives later.
bool NetworkPort::is_late(std::uint32_t message, Time now) {
  if (message >= late_.size() || late_[message].latency == Duration{}) return false;
  const Late late = std::exchange(late_[message], {});
  queue_.push({now + late.latency, components_ - 1, 0, late.from, late.sequence, 0, message});
  return true;
}

// In LogGP. Where that is not before the arrival, there is nothing to tell.
void NetworkPort::announce_buffered(const MessageTransfer& transfer, const Departure& departure) {
  const Bytes beyond = transfer.bytes - std::min(transfer.bytes, transfer.buffer);
  const Time at = departure.free + loggp_->leaves_after(transfer.from, transfer.to, transfer.bytes, beyond);
  if (at >= departure.arrival) return;
  queue_.push({at, 0, 0, transfer.from, transfer.sequence, 0, transfer.message | kBuffered});
}

// What is behind it on its connection waits until it has been sent.
void NetworkPort::enter(const MessageTransfer& transfer, bool ordered, Time at) {
  packets_->network.send(transfer.message, packets_->endpoints[transfer.from], packets_->endpoints[transfer.to],
                         transfer.bytes, transfer.from, transfer.sequence, at, queue_,
                         {.tells_sent = ordered, .buffer = transfer.buffer});
}

std::span<const hw::Component> NetworkPort::busy_components() const {
  return packets_ ? packets_->topology.components() : std::span<const hw::Component>();
}

void NetworkPort::handle(sim::Event& event, std::vector<std::uint32_t>& arrived) {
  if (loggp_) return arrived.push_back(event.payload);
  if (sampled_) return sampled_->handle(event, arrived);
  if (event.component == components_ - 1) {  // not the network's: what it told last has been heard
    packets_->notifications.clear();
    return arrived.push_back(event.payload);
  }
  packets_->handle(event, queue_);
  for (const hw::Notification& note : packets_->notifications) {
    if (note.message & kNotOfRanks) continue;
    if (note.kind == hw::Notification::Kind::kDelivered) {
      if (!is_late(note.message, event.at)) arrived.push_back(note.message);
    } else if (note.kind == hw::Notification::Kind::kBuffered) {
      arrived.push_back(note.message | kBuffered);
    } else if (const Connections::Waiting* next = connections_.sent(note.message)) {
      enter(next->transfer, true, std::max(event.at, next->ready));
    }
  }
}

}  // namespace plumbline::replay::mpi
