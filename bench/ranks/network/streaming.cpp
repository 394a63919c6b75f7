#include "bench/ranks/network/streaming.hpp"

#include <algorithm>

#include "bench/library/isolation.hpp"

namespace plumbline::bench::network {
namespace {

constexpr int kStreamData = 21, kAcknowledgement = 22;  // tags

}  // namespace

Streaming::Streaming(MPI_Comm comm, const std::vector<int>& to, const std::vector<int>& from, const StreamShape& shape)
    : comm_(comm), shape_(shape), senders_(to.size()) {
  shape_.window = std::min(shape.window, shape.messages);
  for (const int peer : to) lanes_.push_back({peer, true});
  for (const int peer : from) lanes_.push_back({peer, false});
  requests_.assign(lanes_.size() * (shape_.window + 1), MPI_REQUEST_NULL);
  if (!to.empty()) out_.assign(shape.bytes, 1);
  in_.assign(from.size() * shape_.window * shape.bytes, 1);
}

void Streaming::post(std::size_t lane, std::size_t slot) {
  Lane& its = lanes_[lane];
  const int bytes = static_cast<int>(shape_.bytes);
  ++its.posted;
  if (its.sends) {
    must(MPI_Isend(out_.data(), bytes, MPI_BYTE, its.peer, kStreamData, comm_, &request(lane, slot)));
    return;
  }
  char* const place = in_.data() + ((lane - senders_) * shape_.window + slot) * shape_.bytes;
  must(MPI_Irecv(place, bytes, MPI_BYTE, its.peer, kStreamData, comm_, &request(lane, slot)));
}

void Streaming::finished(std::size_t lane, std::size_t slot) {
  Lane& its = lanes_[lane];
  if (slot == shape_.window) {
    if (its.sends) seconds_[lane] = static_cast<double>(now_ns() - begin_ns_) * 1e-9;
    return;
  }
  ++its.done;
  if (its.posted < shape_.messages) post(lane, slot);
  if (!its.sends && its.done == shape_.messages)
    must(MPI_Isend(nullptr, 0, MPI_BYTE, its.peer, kAcknowledgement, comm_, &request(lane, shape_.window)));
}

std::vector<double> Streaming::run() {
  seconds_.assign(senders_, 0);
  for (Lane& lane : lanes_) lane.posted = lane.done = 0;
  dissemination_barrier(comm_);
  begin_ns_ = now_ns();
  for (std::size_t lane = lanes_.size(); lane-- > 0;) {  // receives first
    for (std::size_t slot = 0; slot < shape_.window; ++slot) post(lane, slot);
    if (lanes_[lane].sends)
      must(MPI_Irecv(nullptr, 0, MPI_BYTE, lanes_[lane].peer, kAcknowledgement, comm_, &request(lane, shape_.window)));
  }
  while (true) {
    int index = MPI_UNDEFINED;
    must(MPI_Waitany(static_cast<int>(requests_.size()), requests_.data(), &index, MPI_STATUS_IGNORE));
    if (index == MPI_UNDEFINED) return seconds_;
    finished(static_cast<std::size_t>(index) / (shape_.window + 1),
             static_cast<std::size_t>(index) % (shape_.window + 1));
  }
}

}  // namespace plumbline::bench::network
