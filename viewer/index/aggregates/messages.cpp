#include "viewer/index/aggregates/messages.hpp"

#include <algorithm>
#include <tuple>

#include "base/memory/flat_table.hpp"
#include "viewer/index/pyramid/overlap.hpp"

namespace plumbline::viewer {
namespace {

using replay::Operation;
using replay::OpKind;

bool receives(const Operation& op) {
  return op.kind == OpKind::kRecv || op.kind == OpKind::kIrecv || op.kind == OpKind::kSendrecv;
}

class Collector {
 public:
  Collector(const Runs& runs, const Matches& matches, TimeRange range, std::span<const std::uint32_t> ranks,
            std::size_t most)
      : runs_(runs), matches_(matches), range_(range), end_of_run_(end_of(runs)), ranks_(ranks), most_(most) {}

  Messages run() {
    for (const std::uint32_t rank : ranks_)
      for_each_in(runs_, end_of_run_, range_, rank, [&](std::uint32_t i, Duration) { look_at({rank, i}); });
    if (result_.total > most_) bundle_all();
    std::ranges::sort(result_.messages, {}, &Message::from);
    return std::move(result_);
  }

 private:
  const Operation& operation(OperationId id) const { return runs_.observed.rank(id.rank).operations[id.operation]; }
  const replay::OperationTimes& times(OperationId id) const { return runs_.observed.rank(id.rank).times[id.operation]; }

  // A message with both ends in view is found at its send.
  void look_at(OperationId id) {
    if (const OperationId to = receiver_of(runs_.observed, matches_, id); to.exists()) add(id, to);
    if (!receives(operation(id))) return;
    const OperationId from = matches_.partner(id);
    if (from.exists() && !is_in_view(from)) add(from, id);
  }

  bool is_in_view(OperationId id) const {
    if (!std::ranges::binary_search(ranks_, id.rank)) return false;
    const replay::OperationTimes& own = times(id);
    return own.begin == own.end ? has_point(range_, own.begin, end_of_run_)
                                : overlap(range_, own.begin, own.end) > Duration{};
  }

  void add(OperationId from, OperationId to) {
    ++result_.total;
    const OperationId wait = completion_of(matches_, to);
    const Operation& sent = operation(from);
    const Message message{from, to, times(from).begin, times(wait.exists() ? wait : to).end, sent.bytes, sent.tag};
    bundle(message);
    if (result_.messages.size() < most_) result_.messages.push_back(message);
  }

  void bundle(const Message& message) {
    const std::uint64_t id = static_cast<std::uint64_t>(message.from.rank) << 32 | message.to.rank;
    const std::size_t* known = places_.find(id);
    if (known == nullptr) {
      known = &places_.put(id, bundles_.size());
      bundles_.push_back({message.from.rank, message.to.rank, 0, 0, message.sent, message.received});
    }
    MessageBundle& bundle = bundles_[*known];
    ++bundle.count;
    bundle.bytes += message.bytes;
    bundle.first_sent = std::min(bundle.first_sent, message.sent);
    bundle.last_received = std::max(bundle.last_received, message.received);
  }

  void bundle_all() {
    result_.messages.clear();
    std::ranges::sort(bundles_, [](const MessageBundle& a, const MessageBundle& b) {
      return std::tie(b.bytes, a.from, a.to) < std::tie(a.bytes, b.from, b.to);
    });
    if (bundles_.size() > most_) bundles_.resize(most_);
    result_.bundles = std::move(bundles_);
  }

  const Runs& runs_;
  const Matches& matches_;
  const TimeRange range_;
  const Time end_of_run_;
  const std::span<const std::uint32_t> ranks_;
  const std::size_t most_;
  FlatTable<std::size_t> places_;  // of pairs of ranks, in `bundles_`
  std::vector<MessageBundle> bundles_;
  Messages result_;
};

}  // namespace

Messages messages_of(const Runs& runs, const Matches& matches, TimeRange range, std::span<const std::uint32_t> ranks,
                     std::size_t most) {
  return Collector(runs, matches, range, ranks, most).run();
}

}  // namespace plumbline::viewer
