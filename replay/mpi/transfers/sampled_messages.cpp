#include "replay/mpi/transfers/sampled_messages.hpp"

#include <algorithm>
#include <utility>

namespace plumbline::replay::mpi {
namespace {

// Departures of an instant wait until nothing else is left to do in it. What they cause at once, because it takes no
// time, is done in the rounds up to the next ones.
constexpr std::uint32_t kRounds = 1U << 16;

std::uint32_t round_of_departures(std::uint32_t earliest) {
  return std::max((earliest + kRounds - 1) / kRounds, 1U) * kRounds;
}

// duration * part / whole, rounded up; nothing of nothing.
Duration share_of(Duration duration, Bytes part, Bytes whole) {
  if (part.count == 0) return {};
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(duration.ps) * part.count;
  return {static_cast<std::int64_t>((product + whole.count - 1) / whole.count)};
}

}  // namespace

Time SampledMessages::send(const MessageTransfer& transfer, const MessageCost& cost, bool ordered, Time cpu) {
  if (transfer.message >= under_way_.size()) under_way_.resize(transfer.message + 1);
  UnderWay& own = under_way_[transfer.message];
  const Time free = noise_.after(transfer.from, cpu, cost.send);
  own = {transfer, free, cost.receive, 0, ordered, cost.in_sample, false};
  Time departure = cpu;
  if (!own.in_sample) {
    own.share = network_.share(transfer.from);
    Time& side = interfaces_[transfer.from].sending;
    departure = std::max(cpu, side);
    side = departure + network_.busy(transfer.from, transfer.to, transfer.bytes);
  }
  queue_.push_signal({departure, round_of_departures(queue_.earliest_round(departure)), transfer.message});
  return free;
}

// When it is through the receiving side of its interface, where it comes in behind the last one.
Time SampledMessages::let_in(UnderWay& own, Time now) {
  Time& last = interfaces_[own.transfer.to].received;
  last = std::max(now, last + network_.busy(own.transfer.from, own.transfer.to, own.transfer.bytes));
  own.let_in = true;
  return last;
}

void SampledMessages::handle(const sim::Event& event, std::vector<std::uint32_t>& arrived) {
  if (event.kind == sim::Event::kSignals) return depart(event.at, arrived);
  if (event.payload & kBuffered) return arrived.push_back(event.payload);
  UnderWay& own = under_way_[event.payload];
  if (!own.let_in)
    if (const Time in = let_in(own, event.at); in > event.at) {
      sim::Event later = event;
      later.at = in;
      return queue_.push(later);
    }
  const MessageTransfer& transfer = own.transfer;
  network_.arrive(transfer.from, transfer.to);
  arrived.push_back(event.payload);
}

// Its bytes leave evenly over its time. Where the sender is free no sooner than it arrives, there is nothing to tell.
void SampledMessages::announce_buffered(const UnderWay& own, Time departure, Time arrival) {
  const MessageTransfer& transfer = own.transfer;
  const Bytes beyond = transfer.bytes - std::min(transfer.bytes, transfer.buffer);
  const Time left = departure + share_of(arrival - departure, beyond, transfer.bytes);
  const Time at = std::max(left, own.free);
  if (at < arrival) queue_.push({at, 0, 0, transfer.from, transfer.sequence, 0, transfer.message | kBuffered});
}

// Messages of the protocol are there at once; the CPU of their sender was free all the time.
void SampledMessages::depart(Time now, std::vector<std::uint32_t>& arrived) {
  departing_.assign(queue_.signals().begin(), queue_.signals().end());
  const auto content = [&](std::uint32_t message) {
    const MessageTransfer& transfer = under_way_[message].transfer;
    return std::pair{transfer.from, transfer.sequence};
  };
  if (departing_.size() > 1) std::ranges::sort(departing_, {}, content);
  for (const std::uint32_t message : departing_) {
    const UnderWay& own = under_way_[message];
    if (own.in_sample)
      arrived.push_back(message);
    else
      network_.depart(own.transfer.from, own.transfer.to);
  }
  for (const std::uint32_t message : departing_) {
    const UnderWay& own = under_way_[message];
    if (own.in_sample) continue;
    const MessageTransfer& transfer = own.transfer;
    const Duration one_way = network_.one_way(transfer.from, transfer.to, transfer.bytes, own.share);
    const Channel lane{transfer.to, transfer.from, own.ordered ? 0 : transfer.comm, own.ordered ? 0 : transfer.tag};
    const Time arrival = lanes_.enter(lane, now, std::max(now + (one_way - own.receive), own.free));
    queue_.push({arrival, 0, 0, transfer.from, transfer.sequence, 0, message});
    if (transfer.buffer.count > 0) announce_buffered(own, now, arrival);
  }
}

}  // namespace plumbline::replay::mpi
