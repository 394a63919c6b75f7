#pragma once
// Writes down a schedule in the order in which the library's source posts and waits.

#include <utility>

#include "replay/collectives/schedules/types.hpp"

namespace plumbline::replay::collectives::schedules {

class Rounds {
 public:
  // Whether what is received from here on is combined by the operator, or taken as it is (at first).
  void combine(bool combines) { combines_ = combines; }

  // Into the open round.
  void post_send(std::uint32_t to, std::uint64_t bytes) { open_.posted.push_back({true, to, bytes}); }
  void post_receive(std::uint32_t from, std::uint64_t bytes) {
    open_.posted.push_back({false, from, bytes, false, combines_});
  }
  void post_receive_from_any(std::uint32_t one, std::uint64_t bytes) {
    open_.posted.push_back({false, one, bytes, true});
  }

  // Ends the open round, if there is anything in it.
  void wait() {
    if (open_.posted.empty()) return;
    schedule_.push_back(std::move(open_));
    open_ = {};
  }

  // Rounds of their own.
  void send(std::uint32_t to, std::uint64_t bytes) {
    post_send(to, bytes);
    wait();
  }
  void receive(std::uint32_t from, std::uint64_t bytes) {
    post_receive(from, bytes);
    wait();
  }
  // The receive is posted first: so do both libraries' sendrecv.
  void exchange(std::uint32_t to, std::uint64_t sent, std::uint32_t from, std::uint64_t received) {
    post_receive(from, received);
    post_send(to, sent);
    wait();
  }

  // What a collective on all ranks, or on some, does inside this one. members[i] is the rank here of its rank i.
  void append(Schedule schedule) {
    wait();
    for (Round& round : schedule) schedule_.push_back(std::move(round));
  }
  void append(Schedule schedule, const std::vector<std::uint32_t>& members) {
    for (Round& round : schedule)
      for (Transfer& transfer : round.posted) transfer.peer = members[transfer.peer];
    append(std::move(schedule));
  }

  Schedule take() {
    wait();
    return std::move(schedule_);
  }

 private:
  Schedule schedule_;
  Round open_;
  bool combines_ = false;
};

}  // namespace plumbline::replay::collectives::schedules
