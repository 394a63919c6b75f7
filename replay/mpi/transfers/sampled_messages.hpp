#pragma once
// Messages of ranks over a network of measured distributions (hwmodels/network/sampled.hpp): who has departed and not
// arrived.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hwmodels/network/sampled.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/mpi/transfers/connections.hpp"
#include "replay/mpi/transfers/costs.hpp"
#include "replay/mpi/transfers/lanes.hpp"
#include "replay/mpi/transfers/noise.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::replay::mpi {

// A message departs when its rank begins to send it and the sending side of its interface is free. Under way are then
// all that have departed by that instant and that are not there at it: they are counted, and their times looked up,
// when nothing else is left to happen in the instant. So the order of calls, and whether a rank runs ahead of the
// clock, decide nothing. Its signals are handed over by events of component 0.
class SampledMessages {
 public:
  // `nodes`: of each rank. Noise and queue must outlive this.
  SampledMessages(const hw::Platform& platform, std::span<const std::uint32_t> nodes, const Noise& noise,
                  sim::EventQueue& queue, const hw::SamplingOptions& options)
      : network_(platform, nodes, options), noise_(noise), queue_(queue), interfaces_(nodes.size()) {}

  // A rank sends with a CPU that is free at `cpu`; the answer is when it is free again. `ordered`: nothing between the
  // two ranks overtakes it; else nothing in its communicator under its tag.
  Time send(const MessageTransfer& transfer, const MessageCost& cost, bool ordered, Time cpu);

  // Appends the messages that arrive at event.at.
  void handle(const sim::Event& event, std::vector<std::uint32_t>& arrived);

  std::uint64_t beyond_measured() const { return network_.beyond_measured(); }

 private:
  struct UnderWay {
    MessageTransfer transfer;
    Time free;         // the CPU of the sender: not before that it arrives
    Duration receive;  // part of its time, but spent by the receiver when it takes the message
    double share = 0;
    bool ordered = false, in_sample = false;
    bool let_in = false;  // by the receiver's interface
  };
  struct Interface {
    Time sending{std::numeric_limits<std::int64_t>::min()};   // busy until then
    Time received{std::numeric_limits<std::int64_t>::min()};  // the last one was all there
  };

  Time let_in(UnderWay& own, Time now);
  void depart(Time now, std::vector<std::uint32_t>& arrived);
  void announce_buffered(const UnderWay& own, Time departure, Time arrival);

  hw::Sampled network_;
  const Noise& noise_;
  sim::EventQueue& queue_;
  Lanes lanes_;
  std::vector<Interface> interfaces_;     // by rank
  std::vector<UnderWay> under_way_;       // by message
  std::vector<std::uint32_t> departing_;  // scratch of depart()
};

}  // namespace plumbline::replay::mpi
