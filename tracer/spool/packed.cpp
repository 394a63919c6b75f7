#include "tracer/spool/packed.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace plumbline::spool {
namespace {

using Payload = std::span<const std::uint64_t>;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kMovedMask = (std::uint64_t{1} << PL_MOVED_BITS) - 1;
constexpr unsigned kRankBits = 24;

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
std::uint64_t pair(std::uint32_t low, std::uint32_t high) { return low | static_cast<std::uint64_t>(high) << 32; }

constexpr auto kNone = static_cast<std::uint32_t>(-1);
constexpr auto kProcNull = static_cast<std::uint32_t>(PL_PROC_NULL);

// Word by word: a list of them would be copied before it has reached the cache.
template <class... Word>
void fill(Words& words, Word... values) {
  words.resize(sizeof...(values));
  std::size_t i = 0;
  ((words[i++] = values), ...);
}

// One half of what was posted and of what has matched, from the place that they share.
struct Met {
  std::uint32_t posted, matched;
};

Met met(std::uint32_t half) {
  if ((half & PL_WAS_ANY) == 0) return {half, half};
  return {kNone, half & ~PL_WAS_ANY};
}

// source | tag of both, after a call that succeeded.
std::pair<std::uint64_t, std::uint64_t> met_pair(std::uint64_t word) {
  if (low(word) == kProcNull) return {word, pair(kProcNull, kNone)};
  const Met source = met(low(word)), tag = met(high(word));
  return {pair(source.posted, tag.posted), pair(source.matched, tag.matched)};
}

void receive(Payload p, bool done, Words& words) {
  std::uint64_t posted = p[0], matched = 0;
  if (done && high(p[2]) != 0)
    matched = pair(kNone, kNone);
  else if (done)
    std::tie(posted, matched) = met_pair(p[0]);
  fill(words, posted, p[1], pair(low(p[2]), 0), matched);
}

void probe(Payload p, Words& words) {
  const bool found = high(p[2]) >> 31 != 0;
  std::uint64_t posted = p[0], matched = pair(kNone, kNone);
  if (found) std::tie(posted, matched) = met_pair(p[0]);
  fill(words, posted, p[1], pair(low(p[2]), 0), matched, pair(found ? 1 : 0, high(p[2]) & ~PL_WAS_ANY));
}

std::uint32_t rank(std::uint64_t word, unsigned shift) {
  const auto bits = static_cast<std::int32_t>(low(word >> shift) << (32 - kRankBits));
  return static_cast<std::uint32_t>(bits >> (32 - kRankBits));  // with its sign
}

void sendrecv(Payload p, bool done, Words& words) {
  const std::uint32_t dest = rank(p[2], 0), source = rank(p[2], kRankBits);
  const auto comm = static_cast<std::uint32_t>(p[2] >> 2 * kRankBits);
  std::uint64_t posted = pair(source, high(p[0])), matched = 0;
  if (done && source == kNone) {
    matched = posted;  // it failed
  } else if (done) {
    const bool any = (source >> (kRankBits - 1) & 1) != 0 && source != kProcNull;
    const std::uint32_t from = any ? (source & ((1U << (kRankBits - 1)) - 1)) | PL_WAS_ANY : source;
    std::tie(posted, matched) = met_pair(pair(from, high(p[0])));
  }
  fill(words, pair(dest, low(p[0])), low(p[1]), pair(comm, 0), posted, high(p[1]), matched);
}

void file_access(Payload p, bool done, Words& words) {
  const std::uint32_t flags = low(p[0]) >> 24;
  const bool blocking = (flags & PL_ACCESS_NONBLOCKING) == 0;
  fill(words, pair(low(p[0]) & 0xffffff, flags), p[1], p[2], blocking && done ? high(p[0]) : 0,
       blocking ? 0 : high(p[0]));
}

void on_descriptor(Payload p, bool done, Words& words) {
  const auto result = static_cast<std::int64_t>(static_cast<std::int32_t>(high(p[0])));
  fill(words, pair(low(p[0]) & 0xffff, low(p[0]) >> 16), p[1], p[2], done ? static_cast<std::uint64_t>(result) : 0);
}

void stream_access(Payload p, Words& words) { fill(words, p[0], ~std::uint64_t{0}, p[1], p[2]); }

// Numbers of 32 bits behind the first word; 0 beyond the end.
struct Numbers {
  Payload payload;
  std::uint32_t operator[](std::size_t i) const {
    if (1 + i / 2 >= payload.size()) return 0;
    return i % 2 == 0 ? low(payload[1 + i / 2]) : high(payload[1 + i / 2]);
  }
};

pl_completion completion(unsigned mark, const Numbers& numbers, std::size_t& value) {
  pl_completion c{0, -1, -1};
  const unsigned state = mark & PL_MARK_STATE;
  if (state == 0) return c;
  c.bytes_flags = PL_COMPLETED;
  if (state == PL_MARK_SEND) c.bytes_flags |= PL_COMPLETED_SEND;
  if (state == PL_MARK_CANCELLED) c.bytes_flags |= PL_COMPLETED_SEND | PL_CANCELLED;
  if (state != PL_MARK_MESSAGE) return c;
  if ((mark & PL_MARK_PEER) != 0) {
    c.source = static_cast<std::int32_t>(numbers[value++]);
    c.tag = static_cast<std::int32_t>(numbers[value++]);
  } else {
    c.bytes_flags |= PL_PEER_AS_POSTED;
  }
  if ((mark & PL_MARK_BYTES) != 0) {
    const std::uint32_t lower = numbers[value++];
    c.bytes_flags |= pair(lower, numbers[value++]) & PL_COMPLETION_BYTES;
  } else {
    c.bytes_flags |= PL_BYTES_AS_POSTED;
  }
  return c;
}

bool wait(Payload p, Words& words) {
  const std::size_t n = low(p[0]), ids = 2, completions = ids + (n + 1) / 2;
  const Numbers numbers{p};
  if (n + (n + 7) / 8 > 2 * (p.size() - 1)) return false;
  words.assign(completions + 2 * n, 0);
  words[0] = n;
  std::uint32_t completed = 0;
  std::size_t value = n + (n + 7) / 8;
  for (std::size_t i = 0; i < n; ++i) {
    words[ids + i / 2] |= static_cast<std::uint64_t>(numbers[i]) << 32 * (i % 2);
    const unsigned mark = numbers[n + i / 8] >> 4 * (i % 8) & 15;
    if (mark == 0) continue;
    ++completed;
    const pl_completion c = completion(mark, numbers, value);
    words[completions + 2 * i] = c.bytes_flags;
    words[completions + 2 * i + 1] = pair(static_cast<std::uint32_t>(c.source), static_cast<std::uint32_t>(c.tag));
  }
  words[1] = pair(completed, high(p[0]));
  return true;
}

}  // namespace

void Unpacker::define_function(Payload payload) {
  if (payload.empty() || low(payload[0]) >= PL_DEFINITIONS) return;
  const std::size_t function = low(payload[0]);
  if (layouts_.size() <= function) layouts_.resize(function + 1, PL_LAYOUT_NONE);
  layouts_[function] = static_cast<std::uint8_t>(high(payload[0]));
}

void Unpacker::note_vectors(std::uint16_t function, Payload payload) {
  if (function >= layouts_.size() || layouts_[function] != PL_LAYOUT_COLLECTIVE || payload.size() < 3) return;
  Payload lists = payload.subspan(3);
  for (const std::uint64_t moved : {payload[1], payload[2]}) {
    if ((moved & PL_MOVED_KIND) != PL_MOVED_LIST) continue;
    const std::size_t vector = (moved & kMovedMask) >> 16, n = std::min<std::size_t>(moved & 0xffff, lists.size());
    if (vector != 0 && vector <= std::size_t{2} * PL_MOST_VECTORS) {
      if (vectors_.size() <= vector) vectors_.resize(vector + 1);
      vectors_[vector] = lists.first(n);
    }
    lists = lists.subspan(n);
  }
}

Unpacker::Vector Unpacker::vector_of(std::uint64_t moved, Payload& lists) const {
  const std::uint64_t kind = moved & PL_MOVED_KIND;
  const std::size_t vector = (moved & kMovedMask) >> 16;
  if (kind == PL_MOVED_VECTOR) return vector < vectors_.size() ? vectors_[vector] : Vector{};
  if (kind != PL_MOVED_LIST) return {};
  const std::size_t n = std::min<std::size_t>(moved & 0xffff, lists.size());
  const Vector list = lists.first(n);
  lists = lists.subspan(n);
  return list;
}

void Unpacker::collective(Payload p, Words& words) const {
  Payload lists = p.subspan(3);
  const Vector to = vector_of(p[1], lists), from = vector_of(p[2], lists);
  const auto bytes = [](std::uint64_t moved, Vector list) {
    if ((moved & PL_MOVED_KIND) == PL_MOVED_BYTES) return moved & kMovedMask;
    return std::accumulate(list.begin(), list.end(), std::uint64_t{0});
  };
  const auto comm = static_cast<std::uint32_t>(p[1] >> 48 | p[2] >> 48 << 16);
  fill(words, pair(comm, low(p[0])), bytes(p[1], to), bytes(p[2], from), high(p[0]),
       pair(static_cast<std::uint32_t>(to.size()), static_cast<std::uint32_t>(from.size())));
  words.insert(words.end(), to.begin(), to.end());
  words.insert(words.end(), from.begin(), from.end());
}

unsigned Unpacker::layout_of(std::uint16_t function) const {
  return function < layouts_.size() ? layouts_[function] : unsigned{PL_LAYOUT_NONE};
}

bool Unpacker::unpack(std::uint16_t function, bool done, Payload payload, Words& words) const {
  const unsigned layout = layout_of(function);
  if (layout == PL_LAYOUT_WAIT && !payload.empty()) return wait(payload, words);
  if (payload.size() < 3) return false;
  switch (layout) {
    case PL_LAYOUT_RECV:
      receive(payload, done, words);
      return true;
    case PL_LAYOUT_PROBE:
      probe(payload, words);
      return true;
    case PL_LAYOUT_SENDRECV:
      sendrecv(payload, done, words);
      return true;
    case PL_LAYOUT_COLLECTIVE:
      collective(payload, words);
      return true;
    case PL_LAYOUT_FILE_ACCESS:
      file_access(payload, done, words);
      return true;
    case PL_LAYOUT_POSIX_ACCESS:
    case PL_LAYOUT_POSIX_RANGE:
      on_descriptor(payload, done, words);
      return true;
    case PL_LAYOUT_POSIX_STREAM_ACCESS:
      stream_access(payload, words);
      return true;
    default:
      return false;
  }
}

}  // namespace plumbline::spool
