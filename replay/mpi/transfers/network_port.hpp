#pragma once
// How what ranks send gets from one to the other, over whichever network the platform has, and what it takes of their
// CPUs. The networks differ in who waits: packets contend in the components on their way; in LogGP a rank waits for its
// own interface; in the sampled network its messages do, and the more are under way the longer each takes.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hwmodels/network/loggp.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/mpi/transfers/connections.hpp"
#include "replay/mpi/transfers/costs.hpp"
#include "replay/mpi/transfers/noise.hpp"
#include "replay/mpi/transfers/packet_network.hpp"
#include "replay/mpi/transfers/sampled_messages.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::replay::mpi {

class NetworkPort {
 public:
  // `nodes`: of each rank. Noise and queue must outlive this.
  NetworkPort(const hw::Platform& platform, std::span<const std::uint32_t> nodes, const Noise& noise,
              sim::EventQueue& queue, hw::NetworkOptions options = {}, const hw::SamplingOptions& sampling = {});

  // Events with smaller component numbers are for handle().
  std::uint32_t components() const { return components_; }

  // A rank sends with a CPU that is free at `cpu`; the answer is when it is free again. `ordered`: on its connection.
  Time send(const MessageTransfer& transfer, const MessageCost& cost, bool ordered, Time cpu);

  // In LogGP it is known when a message arrives as soon as it is sent. In two steps there: begin_send() as send() but
  // without the event of its arrival; announce() makes that, if somebody needs it.
  bool knows_arrivals() const { return loggp_.has_value(); }
  struct Departure {
    Time free, arrival;
  };
  // Without a buffer.
  Departure begin_send(const MessageTransfer& transfer, const MessageCost& cost, Time cpu);
  void announce(Time arrival, std::uint32_t from, std::uint32_t sequence, std::uint32_t message) {
    queue_.push({arrival, 0, 0, from, sequence, 0, message});
  }
  // What has arrived needs its sender no more from then on: handle() gives it with kBuffered.
  void announce_copied(Time at, std::uint32_t by, std::uint32_t sequence, std::uint32_t message) {
    queue_.push({at, components_ - 1, 0, by, sequence, 0, message | kBuffered});
  }
  Time now() const { return queue_.now(); }

  // A rank with a free CPU takes what has come from `peer`; the answer is when it is free again.
  Time receive(std::uint32_t rank, std::uint32_t peer, std::uint64_t bytes, const MessageCost& cost, Time ready) {
    const Time start = loggp_ ? loggp_->begin_receive(rank, peer, Bytes{bytes}, ready) : ready;
    return noise_.after(rank, start, cost.receive);
  }

  // What may be busy; only of packets.
  std::span<const hw::Component> busy_components() const;

  // For others who send over it, or watch it; null where there are no packets.
  PacketNetwork* packet_network() { return packets_ ? &*packets_ : nullptr; }

  // Messages whose time was looked up at fewer in flight than there were (hw::Sampled).
  std::uint64_t beyond_measured() const { return sampled_ ? sampled_->beyond_measured() : 0; }

  // Appends the messages that arrive at event.at, which may become later than it was; with kBuffered those that have
  // left but for what their buffer holds, before they arrive, or that have been copied, behind that.
  void handle(sim::Event& event, std::vector<std::uint32_t>& arrived);

 private:
  void enter(const MessageTransfer& transfer, bool ordered, Time at);
  void announce_buffered(const MessageTransfer& transfer, const Departure& departure);

  // Over packets: data of a rendezvous, behind whose delivery is its latency.
  struct Late {
    Duration latency;
    std::uint32_t from = 0, sequence = 0;
  };
  void arrives_later(const MessageTransfer& transfer, Duration latency);
  bool is_late(std::uint32_t message, Time now);

  const Noise& noise_;
  sim::EventQueue& queue_;
  std::optional<PacketNetwork> packets_;  // one of the three
  std::optional<hw::LogGP> loggp_;
  std::optional<SampledMessages> sampled_;
  Connections connections_;       // over packets
  std::vector<Late> late_;        // likewise, by message; as many as there were
  std::uint32_t components_ = 1;  // over packets the last one is of those that are late or have been copied
};

}  // namespace plumbline::replay::mpi
