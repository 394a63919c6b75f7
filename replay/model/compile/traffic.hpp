#pragma once
// Whether everybody who is waited for comes: each message has a send and a receive, and all processes make the same
// collective calls in the same order. Takes the processes of a model one by one, in ascending order, and remembers of
// messages only those that have one end so far.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "replay/model/compile/unroll.hpp"

namespace plumbline::replay::model {

class Traffic {
 public:
  Traffic(const Instance& instance, Faults& faults) : instance_(instance), faults_(faults) {}

  void begin_rank(std::uint32_t rank);
  void take(const Action& action);
  void end_rank();

  // When all ranks have been taken: messages without a partner.
  void finish();

 private:
  struct Channel {
    std::uint32_t sender = 0, receiver = 0;
    std::int32_t tag = 0;
    auto operator<=>(const Channel&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Channel& channel) const;
  };
  struct Balance {
    std::int64_t surplus = 0;  // sends less receives
    Place send, receive;       // the last ones
    const Message* send_call = nullptr;
    const Message* receive_call = nullptr;
  };
  struct Wildcards {
    std::int64_t left = 0;
    Place place;
  };
  struct CollectiveCall {
    const MessageType* type = nullptr;
    std::int32_t root = 0;
    std::uint64_t size = 0;  // 0 for files, where sizes may differ
    std::string_view file;
    Place place;
    bool same_call(const CollectiveCall& other) const { return type == other.type && file == other.file; }
  };

  void sent(std::int32_t to, std::int32_t tag, const Action& action);
  void received(std::int32_t from, std::int32_t tag, const Action& action);
  void collective(const Action& action);
  void report(const Channel& channel, const Balance& balance);

  const Instance& instance_;
  Faults& faults_;
  std::uint32_t rank_ = 0;
  std::unordered_map<Channel, Balance, Hash> open_;
  std::map<std::pair<std::uint32_t, std::int32_t>, Wildcards> wildcards_;  // by receiver and tag
  std::vector<CollectiveCall> first_;                                      // of rank 0
  std::size_t calls_ = 0;                                                  // of this rank
  bool differs_ = false;                                                   // and that was told
};

}  // namespace plumbline::replay::model
