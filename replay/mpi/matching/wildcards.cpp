#include "replay/mpi/matching/wildcards.hpp"

#include <algorithm>
#include <utility>

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

}  // namespace plumbline::replay::mpi
