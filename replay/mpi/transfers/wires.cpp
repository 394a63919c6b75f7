#include "replay/mpi/transfers/wires.hpp"

#include <algorithm>
#include <utility>

namespace plumbline::replay::mpi {

Wires::Wires(const hw::Platform& platform, std::span<const std::uint32_t> nodes, const Noise& noise,
             sim::EventQueue& queue, hw::NetworkOptions options, const hw::SamplingOptions& sampling)
    : noise_(noise), queue_(queue) {
  if (platform.network == hw::NetworkKind::kLogGP) {
    loggp_.emplace(platform, nodes);
    return;
  }
  if (platform.network == hw::NetworkKind::kSampled) {
    sampled_.emplace(platform, nodes, noise, queue, sampling);
    return;
  }
  packets_.emplace(platform, nodes, options);
  components_ = static_cast<std::uint32_t>(packets_->topology.components().size()) + 1;
}

Wires::Departure Wires::begin_send(const Parcel& parcel, const MessageCost& cost, Time cpu) {
  const hw::LogGP::Departure departure = loggp_->begin_send(parcel.from, parcel.to, parcel.bytes, cpu);
  const Time free = noise_.after(parcel.from, departure.start, cost.send);
  const Duration delay = free - (departure.start + cost.send);
  return {free, departure.arrival + delay};
}

Time Wires::send(const Parcel& parcel, const MessageCost& cost, bool ordered, Time cpu) {
  if (loggp_) {  // whose interfaces keep the order of what they send
    const Departure departure = begin_send(parcel, cost, cpu);
    announce(departure.arrival, parcel.from, parcel.sequence, parcel.message);
    if (parcel.buffer.count > 0) announce_buffered(parcel, departure);
    return departure.free;
  }
  if (sampled_) return sampled_->send(parcel, cost, ordered, cpu);
  const Time free = noise_.after(parcel.from, cpu, cost.send);
  const Time ready = free + cost.latency;
  if (cost.behind > Duration{}) arrives_later(parcel, cost.behind);
  if (!ordered || connections_.begin(parcel, ready)) enter(parcel, ordered, ready);
  return free;
}

// What a protocol does when its data is there (docs/models/transport.md).
void Wires::arrives_later(const Parcel& parcel, Duration latency) {
  if (late_.size() <= parcel.message) late_.resize(parcel.message + 1);
  late_[parcel.message] = {latency, parcel.from, parcel.sequence};
}

// Whether what the network has delivered arrives later.
bool Wires::is_late(std::uint32_t message, Time now) {
  if (message >= late_.size() || late_[message].latency == Duration{}) return false;
  const Late late = std::exchange(late_[message], {});
  queue_.push({now + late.latency, components_ - 1, 0, late.from, late.sequence, 0, message});
  return true;
}

// In LogGP. Where that is not before the arrival, there is nothing to tell.
void Wires::announce_buffered(const Parcel& parcel, const Departure& departure) {
  const Bytes beyond = parcel.bytes - std::min(parcel.bytes, parcel.buffer);
  const Time at = departure.free + loggp_->leaves_after(parcel.from, parcel.to, parcel.bytes, beyond);
  if (at >= departure.arrival) return;
  queue_.push({at, 0, 0, parcel.from, parcel.sequence, 0, parcel.message | kBuffered});
}

// What is behind it on its connection waits until it has been sent.
void Wires::enter(const Parcel& parcel, bool ordered, Time at) {
  packets_->network.send(parcel.message, packets_->endpoints[parcel.from], packets_->endpoints[parcel.to], parcel.bytes,
                         parcel.from, parcel.sequence, at, queue_, {.tells_sent = ordered, .buffer = parcel.buffer});
}

std::span<const hw::Component> Wires::busy_components() const {
  return packets_ ? packets_->topology.components() : std::span<const hw::Component>();
}

void Wires::handle(sim::Event& event, std::vector<std::uint32_t>& arrived) {
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
      enter(next->parcel, true, std::max(event.at, next->ready));
    }
  }
}

}  // namespace plumbline::replay::mpi
