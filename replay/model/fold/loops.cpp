#include "replay/model/fold/loops.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace plumbline::replay::model {
namespace {

constexpr std::size_t kMostTried = 64;  // windows that end in the same call
constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15ULL;

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::uint64_t joined(std::uint64_t hash, std::uint64_t value) { return mix(hash * kBase + value + 1); }

std::uint64_t hash_of(const FoldedCall& call) {
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(call.type);
  for (const std::uint64_t value :
       {std::uint64_t{call.left_out}, std::uint64_t{call.site}, std::uint64_t{call.file}, std::uint64_t{call.view},
        std::uint64_t{call.request}, call.size, call.receive_size})
    hash = joined(hash, value);
  for (const std::int32_t value : {call.to, call.from, call.tag, call.receive_tag, call.root})
    hash = joined(hash, static_cast<std::uint32_t>(value));
  return hash;
}

std::uint64_t hash_of(std::uint64_t iterations, std::span<const FoldedStatement> body) {
  std::uint64_t hash = mix(iterations);
  for (const FoldedStatement& statement : body) hash = joined(hash, statement.hash);
  return hash;
}

// Whether `next`, which grows with the loops inside as `next_strides` say, goes on where `iterations` ended.
bool grows_on(std::uint64_t first, const std::vector<std::int64_t>& strides, std::uint64_t next,
              const std::vector<std::int64_t>& next_strides, std::uint64_t iterations) {
  const bool is_new = iterations == 1;
  const std::size_t inner = strides.size() - (is_new ? 0 : 1);
  if (!std::equal(next_strides.begin(), next_strides.end(), strides.begin(),
                  strides.begin() + static_cast<std::ptrdiff_t>(inner)))
    return false;
  return is_new || next == first + iterations * static_cast<std::uint64_t>(strides.back());
}

bool offset_goes_on(const FoldedStatement& first, const FoldedStatement& next, std::uint64_t iterations) {
  return !has_offset(first.call) ||
         (grows_on(first.call.offset, first.strides, next.call.offset, next.strides, iterations) &&
          grows_on(first.call.displacement, first.shifts, next.call.displacement, next.shifts, iterations));
}

// Whether `next` is what an iteration of the loop with this body does, which has so many already.
bool goes_on(std::span<const FoldedStatement> body, std::span<const FoldedStatement> next, std::uint64_t iterations) {
  if (body.size() != next.size()) return false;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const FoldedStatement &a = body[i], &b = next[i];
    if (a.iterations != b.iterations) return false;
    if (a.iterations > 0 ? !goes_on(a.body, b.body, iterations)
                         : !is_same_call(a.call, b.call) || a.call.to != b.call.to || a.call.from != b.call.from ||
                               !offset_goes_on(a, b, iterations))
      return false;
  }
  return true;
}

void absorb(std::span<FoldedStatement> body, std::span<const FoldedStatement> next, bool is_new) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    FoldedStatement& a = body[i];
    const FoldedStatement& b = next[i];
    a.before += b.before;
    if (a.iterations > 0) {
      absorb(a.body, b.body, is_new);
    } else if (is_new && has_offset(a.call)) {
      a.strides.push_back(static_cast<std::int64_t>(b.call.offset - a.call.offset));
      a.shifts.push_back(static_cast<std::int64_t>(b.call.displacement - a.call.displacement));
    }
  }
}

// Moves what the first iteration computes before its first call, as far as it is more than double what the second
// does, to before the loop: that belongs to what the program does before it.
Elapsed taken_ahead(Elapsed& first, const Elapsed& second) {
  if (first.sum <= 2 * second.sum) return {};
  Elapsed ahead{first.sum - second.sum, {}};
  if (!first.notable.empty()) ahead.notable = {{0, ahead.sum}};
  first = second;
  return ahead;
}

}  // namespace

void LoopFolder::add(const FoldedCall& call, const Gap& before) {
  push({call, 0, {}, before, {}, {}, hash_of(call)});
  while (fold_once()) {
  }
}

FoldedBlock LoopFolder::take() {
  FoldedBlock block = std::move(list_);
  *this = {};
  return block;
}

bool LoopFolder::fold_once() {
  const std::uint64_t last = list_.back().hash;
  const auto tries = [&](auto& positions, auto fold) {
    const auto found = positions.find(last);
    if (found == positions.end()) return false;
    const std::vector<std::uint32_t> nearest(
        found->second.end() - static_cast<std::ptrdiff_t>(std::min(found->second.size(), kMostTried)),
        found->second.end());
    return std::any_of(nearest.rbegin(), nearest.rend(), fold);
  };
  return tries(loops_, [&](std::uint32_t at) { return add_iteration(at); }) ||
         tries(by_hash_, [&](std::uint32_t at) { return make_loop(at + std::size_t{1}); });
}

// What stands behind the loop, up to the end.
bool LoopFolder::add_iteration(std::size_t loop) {
  FoldedStatement& there = list_[loop];
  const std::span<const FoldedStatement> next = std::span(list_).subspan(loop + 1);
  if (there.body.size() != next.size() || !goes_on(there.body, next, there.iterations)) return false;
  absorb(there.body, next, false);
  const std::size_t width = next.size();
  for (std::size_t i = 0; i < width; ++i) pop();
  FoldedStatement longer = pop();
  ++longer.iterations;
  longer.hash = hash_of(longer.iterations, longer.body);
  push(std::move(longer));
  return true;
}

// Two iterations: what goes from `second` up to the end, and as much before it.
bool LoopFolder::make_loop(std::size_t second) {
  const std::size_t end = list_.size(), width = end - second;
  if (width == 0 || width > second) return false;
  const std::size_t first = second - width;
  if (window_hash(first, second) != window_hash(second, end)) return false;
  const std::span<FoldedStatement> all(list_);
  if (!goes_on(all.subspan(first, width), all.subspan(second), 1)) return false;
  FoldedStatement loop;
  loop.iterations = 2;
  loop.before.computed = taken_ahead(all[first].before.computed, all[second].before.computed);
  loop.before.kept = taken_ahead(all[first].before.kept, all[second].before.kept);
  absorb(all.subspan(first, width), all.subspan(second), true);
  for (std::size_t i = 0; i < width; ++i) pop();
  for (std::size_t i = 0; i < width; ++i) loop.body.push_back(pop());
  std::ranges::reverse(loop.body);
  loop.hash = hash_of(loop.iterations, loop.body);
  push(std::move(loop));
  return true;
}

void LoopFolder::push(FoldedStatement statement) {
  const auto at = static_cast<std::uint32_t>(list_.size());
  by_hash_[statement.hash].push_back(at);
  if (statement.iterations > 0) loops_[statement.body.back().hash].push_back(at);
  prefix_.push_back(prefix_.back() * kBase + statement.hash);
  if (powers_.size() < prefix_.size()) powers_.push_back(powers_.back() * kBase);
  list_.push_back(std::move(statement));
}

FoldedStatement LoopFolder::pop() {
  const auto drop = [](auto& positions, std::uint64_t hash) {
    const auto found = positions.find(hash);
    found->second.pop_back();
    if (found->second.empty()) positions.erase(found);
  };
  FoldedStatement last = std::move(list_.back());
  list_.pop_back();
  drop(by_hash_, last.hash);
  if (last.iterations > 0) drop(loops_, last.body.back().hash);
  prefix_.pop_back();
  return last;
}

std::uint64_t LoopFolder::window_hash(std::size_t begin, std::size_t end) const {
  return prefix_[end] - prefix_[begin] * powers_[end - begin];
}

}  // namespace plumbline::replay::model
