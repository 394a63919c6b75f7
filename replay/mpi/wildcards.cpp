#include "replay/mpi/wildcards.hpp"

#include <algorithm>
#include <utility>

#include "replay/mpi/engine.hpp"

namespace plumbline::replay::mpi {

std::vector<WildcardMatch> Wildcards::take_matches(std::uint32_t rank) {
  std::vector<WildcardMatch> matches = std::move(ranks_[rank].matches);
  std::ranges::sort(matches, {}, &WildcardMatch::operation);
  return matches;
}

void Engine::let_ranks_receive_from_any() {
  wildcards_ = std::make_unique<Wildcards>(static_cast<std::uint32_t>(ranks_.size()));
}

void Engine::receive_any(std::uint32_t request, const AnyChannel& from, std::uint64_t bytes, std::uint32_t operation) {
  const bool may_ask = may_be_rendezvous(bytes);
  if (may_ask) ++ranks_[from.receiver].reactive;
  begin(request, kNone);
  wildcards_->post(from.receiver, {request, operation, from.comm, from.tag, may_ask});
  match_wildcards(from.receiver, ranks_[from.receiver].clock, true);
}

// `posting`: in the call that posts the receive; else a message has just arrived.
void Engine::match_wildcards(std::uint32_t rank, Time now, bool posting) {
  const auto fits = [this](const Wildcards::Posted& posted, std::uint32_t id) {
    const Channel& channel = messages_[id].channel;
    return channel.comm == posted.comm && channel.tag == posted.tag && channels_.front(channel, links()) == id;
  };
  while (const std::optional<Wildcards::Pair> pair = wildcards_->next(rank, fits)) {
    const auto [posted, id] = *pair;
    Message& message = messages_[id];
    channels_.pop_at(channels_.find(message.channel, links()), links());
    wildcards_->matched(rank, {posted.operation, message.channel.source});
    if (posted.may_ask) --ranks_[rank].reactive;
    message.receive_request = posted.request;
    requests_[posted.request].message = id;
    if (message.stage == Message::Stage::kEagerArrived) {
      complete_receive(id, message.arrived);
    } else if (!posting) {
      expect_to_ask(message, true);
      react(rank, posted.request, now);
    } else if (knows_of(message)) {
      clear_to_send(id, now);
    } else {
      add_todo(rank, posted.request);
    }
  }
}

}  // namespace plumbline::replay::mpi
