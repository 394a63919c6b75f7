#include "replay/mpi/connections.hpp"

namespace plumbline::replay::mpi {

bool Connections::begin(const Parcel& parcel, Time ready) {
  if (parcel.message >= waiting_.size()) {
    waiting_.resize(parcel.message + 1);
    next_.resize(parcel.message + 1, kNobody);
  }
  waiting_[parcel.message] = {parcel, ready};
  const std::size_t slot = queues_.find(pair_of(parcel));
  const bool first = queues_.empty_at(slot);
  queues_.add_at(slot, pair_of(parcel), parcel.message, [&](std::uint32_t m) -> std::uint32_t& { return next_[m]; });
  return first;
}

const Connections::Waiting* Connections::sent(std::uint32_t message) {
  if (message >= waiting_.size() || waiting_[message].parcel.message == kNobody) return nullptr;
  const std::size_t slot = queues_.find(pair_of(waiting_[message].parcel));
  waiting_[message].parcel.message = kNobody;
  const std::uint32_t next = next_[message];
  queues_.pop_at(slot, [&](std::uint32_t m) { return next_[m]; });
  return next == kNobody ? nullptr : &waiting_[next];
}

}  // namespace plumbline::replay::mpi
