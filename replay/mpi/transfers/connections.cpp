#include "replay/mpi/transfers/connections.hpp"

namespace plumbline::replay::mpi {

bool Connections::begin(const Parcel& parcel, Time ready) {
  if (parcel.message >= waiting_.size()) {
    waiting_.resize(parcel.message + 1);
    next_.resize(parcel.message + 1, kNobody);
  }
  waiting_[parcel.message] = {parcel, ready};
  const Links links{waiting_, next_};
  const Channels::Place place = queues_.find(pair_of(parcel), links);
  const bool first = queues_.empty_at(place);
  queues_.add_at(place, parcel.message, links);
  return first;
}

const Connections::Waiting* Connections::sent(std::uint32_t message) {
  if (message >= waiting_.size() || waiting_[message].parcel.message == kNobody) return nullptr;
  const Links links{waiting_, next_};
  const Channels::Place place = queues_.find(pair_of(waiting_[message].parcel), links);
  waiting_[message].parcel.message = kNobody;
  const std::uint32_t next = next_[message];  // itself: it is alone
  queues_.pop_at(place, links);
  return next == message ? nullptr : &waiting_[next];
}

}  // namespace plumbline::replay::mpi
