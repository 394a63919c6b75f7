#include "replay/model/compile/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace plumbline::replay::model {
namespace {

bool is_collective(const MessageType& type) {
  return is_data_collective(type.kind) || (is_io(type.kind) && (type.flags & kIoIsCollective) != 0);
}

}  // namespace

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
std::size_t Traffic::Hash::operator()(const Channel& channel) const {
  std::uint64_t x = (std::uint64_t{channel.sender} << 32 | channel.receiver) +
                    0x9e3779b97f4a7c15ULL * static_cast<std::uint32_t>(channel.tag);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

void Traffic::begin_rank(std::uint32_t rank) {
  rank_ = rank;
  calls_ = 0;
  differs_ = false;
}

void Traffic::take(const Action& action) {
  if (action.message == nullptr) return;
  const MessageType& type = *action.message->type;
  const bool both = type.kind == OpKind::kSendrecv;
  if (both || type.kind == OpKind::kSend || type.kind == OpKind::kIsend) sent(action.to, action.tag, action);
  if (both) received(action.from, action.receive_tag, action);
  if (type.kind == OpKind::kRecv || type.kind == OpKind::kIrecv) received(action.from, action.tag, action);
  if (is_collective(type)) collective(action);
}

void Traffic::sent(std::int32_t to, std::int32_t tag, const Action& action) {
  if (to == kNoPeer) return;
  const auto entry = open_.try_emplace({rank_, static_cast<std::uint32_t>(to), tag}).first;
  Balance& balance = entry->second;
  balance.send = action.place;
  balance.send_call = action.message;
  if (++balance.surplus == 0) open_.erase(entry);
}

void Traffic::received(std::int32_t from, std::int32_t tag, const Action& action) {
  if (action.from_any) {
    Wildcards& wildcards = wildcards_[{rank_, tag}];
    ++wildcards.left;
    wildcards.place = action.place;
    return;
  }
  if (from == kNoPeer) return;
  const auto entry = open_.try_emplace({static_cast<std::uint32_t>(from), rank_, tag}).first;
  Balance& balance = entry->second;
  balance.receive = action.place;
  balance.receive_call = action.message;
  if (--balance.surplus == 0) open_.erase(entry);
}

void Traffic::collective(const Action& action) {
  const MessageType& type = *action.message->type;
  const CollectiveCall call{&type, action.root, is_io(type.kind) ? 0 : action.size, action.message->file, action.place};
  if (rank_ == 0) return first_.push_back(call);
  if (differs_) return;
  const std::size_t index = calls_++;
  const auto tell = [&](std::string_view kind, std::string what) {
    differs_ = true;
    faults_.add(kind, rank_, instance_.numprocs,
                {action.place, std::move(what), "all ranks make the same collective calls in the same order", false});
  };
  if (index >= first_.size()) return tell("more", fmt::format("comes to {}, which rank 0 never comes to", type.name));
  const CollectiveCall& first = first_[index];
  if (!call.same_call(first))
    return tell("other", fmt::format("comes to {}, while rank 0 comes to {} ({})", type.name, first.type->name,
                                     faults_.where(first.place)));
  if (call.root != first.root)
    return tell("root", fmt::format("the root of {} is {}, but for rank 0 it is {}", type.name, call.root, first.root));
  if (call.size != first.size)
    return tell("size", fmt::format("the size of {} is {}, but for rank 0 it is {}", type.name, call.size, first.size));
}

void Traffic::end_rank() {
  if (rank_ == 0 || differs_ || calls_ >= first_.size()) return;
  const CollectiveCall& next = first_[calls_];
  faults_.add("fewer", rank_, instance_.numprocs,
              {next.place, fmt::format("never comes to {}, which rank 0 comes to", next.type->name),
               "all ranks make the same collective calls in the same order", false});
}

// A receive from any takes what no other receive of its rank has taken.
void Traffic::finish() {
  std::vector<std::pair<Channel, Balance>> left(open_.begin(), open_.end());
  std::ranges::sort(left, {}, [](const auto& entry) { return entry.first; });
  for (auto& [channel, balance] : left) {
    const auto any = wildcards_.find({channel.receiver, channel.tag});
    if (balance.surplus > 0 && any != wildcards_.end()) {
      const std::int64_t taken = std::min(balance.surplus, any->second.left);
      any->second.left -= taken;
      balance.surplus -= taken;
    }
    if (balance.surplus != 0) report(channel, balance);
  }
  for (const auto& [receiver, wildcards] : wildcards_) {
    if (wildcards.left == 0) continue;
    faults_.add("any", receiver.first, instance_.numprocs,
                {wildcards.place,
                 fmt::format("receives from any (tag {}), but {} too few are sent to it", receiver.second,
                             wildcards.left == 1 ? "one message" : fmt::format("{} messages", wildcards.left)),
                 "give each message a send and a receive"});
  }
}

void Traffic::report(const Channel& channel, const Balance& balance) {
  const std::int64_t number = std::abs(balance.surplus);
  const std::string how_many = number == 1 ? "a message" : fmt::format("{} messages", number);
  constexpr const char* kHint = "give each message a send and a receive with the same tag";
  if (balance.surplus > 0)
    faults_.add("send", channel.sender, instance_.numprocs,
                {balance.send,
                 fmt::format("sends {} to rank {} (tag {}) that rank {} never receives", how_many, channel.receiver,
                             channel.tag, channel.receiver),
                 kHint});
  else
    faults_.add("receive", channel.receiver, instance_.numprocs,
                {balance.receive,
                 fmt::format("receives {} from rank {} (tag {}) that rank {} never sends", how_many, channel.sender,
                             channel.tag, channel.sender),
                 kHint});
}

}  // namespace plumbline::replay::model
