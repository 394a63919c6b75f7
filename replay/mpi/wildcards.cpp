#include "replay/mpi/wildcards.hpp"

#include <algorithm>
#include <utility>

#include "replay/mpi/engine.hpp"

namespace plumbline::replay::mpi {

void Wildcards::post(std::uint32_t rank, const Posted& posted) {
  OfRank& own = ranks_[rank];
  const auto entry = own.by_key.try_emplace({posted.comm, posted.tag}).first;
  entry->second.posted.emplace_back(++own.last, posted);
  look_at(own, entry);
}

void Wildcards::arrived(std::uint32_t rank, Key key, std::uint32_t message, bool is_first) {
  OfRank& own = ranks_[rank];
  const auto entry = own.by_key.try_emplace(key).first;
  OfKey& found = entry->second;
  found.arrived.emplace(message, ++own.last);
  if (is_first) found.ready.emplace(own.last, message);
  look_at(own, entry);
}

void Wildcards::taken(std::uint32_t rank, Key key, std::uint32_t message, std::optional<std::uint32_t> next) {
  OfRank& own = ranks_[rank];
  const auto entry = own.by_key.find(key);
  if (entry == own.by_key.end()) return;
  OfKey& found = entry->second;
  if (const auto it = found.arrived.find(message); it != found.arrived.end()) {
    found.ready.erase(it->second);
    found.arrived.erase(it);
  }
  if (next)
    if (const auto it = found.arrived.find(*next); it != found.arrived.end()) found.ready.emplace(it->second, *next);
  look_at(own, entry);
}

std::optional<Wildcards::Pair> Wildcards::next(std::uint32_t rank) {
  OfRank& own = ranks_[rank];
  if (own.matchable.empty()) return std::nullopt;
  OfKey& found = own.by_key.find(own.matchable.begin()->second)->second;
  own.matchable.erase(own.matchable.begin());
  const Pair pair{found.posted.front().second, found.ready.begin()->second};
  found.posted.pop_front();
  return pair;
}

// After a change of it.
void Wildcards::look_at(OfRank& own, std::map<Key, OfKey>::iterator entry) {
  const OfKey& found = entry->second;
  if (!found.posted.empty()) {
    const Number first = found.posted.front().first;
    if (found.ready.empty())
      own.matchable.erase(first);
    else
      own.matchable.emplace(first, entry->first);
  } else if (found.arrived.empty()) {
    own.by_key.erase(entry);
  }
}

std::vector<Wildcards::Posted> Wildcards::posted(std::uint32_t rank) const {
  std::vector<std::pair<Number, Posted>> all;
  for (const auto& [key, found] : ranks_[rank].by_key) all.insert(all.end(), found.posted.begin(), found.posted.end());
  std::ranges::sort(all, {}, &std::pair<Number, Posted>::first);
  std::vector<Posted> posted;
  for (const auto& [number, one] : all) posted.push_back(one);
  return posted;
}

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

// When it has left its channel.
void Engine::tell_wildcards_taken(const Channel& channel, std::uint32_t message) {
  wildcards_->taken(channel.receiver, {channel.comm, channel.tag}, message, channels_.front(channel, links()));
}

// `posting`: in the call that posts the receive; else a message has just arrived.
void Engine::match_wildcards(std::uint32_t rank, Time now, bool posting) {
  while (const std::optional<Wildcards::Pair> pair = wildcards_->next(rank)) {
    const auto [posted, id] = *pair;
    Message& message = messages_[id];
    channels_.pop_at(channels_.find(message.channel, links()), links());
    tell_wildcards_taken(message.channel, id);
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
