#include "replay/mpi/transfers/connections.hpp"

namespace plumbline::replay::mpi {

bool Connections::begin(const MessageTransfer& transfer, Time ready) {
  if (transfer.message >= waiting_.size()) {
    waiting_.resize(transfer.message + 1);
    next_.resize(transfer.message + 1, kNobody);
  }
  waiting_[transfer.message] = {transfer, ready};
  const Links links{waiting_, next_};
  const Channels::Place place = queues_.find(pair_of(transfer), links);
  const bool first = queues_.empty_at(place);
  queues_.add_at(place, transfer.message, links);
  return first;
}

const Connections::Waiting* Connections::sent(std::uint32_t message) {
  if (message >= waiting_.size() || waiting_[message].transfer.message == kNobody) return nullptr;
  const Links links{waiting_, next_};
  const Channels::Place place = queues_.find(pair_of(waiting_[message].transfer), links);
  waiting_[message].transfer.message = kNobody;
  const std::uint32_t next = next_[message];  // itself: it is alone
  queues_.pop_at(place, links);
  return next == message ? nullptr : &waiting_[next];
}

}  // namespace plumbline::replay::mpi
