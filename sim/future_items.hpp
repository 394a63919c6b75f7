#pragma once
// What is due later than now: buckets by the highest byte in which a time differs from now, and its value. An item
// moves down at most once per byte that its distance has.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/units.hpp"

namespace plumbline::sim {

// Times as keys in the same order.
constexpr std::uint64_t key_of(Time at) { return static_cast<std::uint64_t>(at.ps) ^ std::uint64_t{1} << 63; }

constexpr unsigned kBuckets = 8 * 256;

// Of a time not before now; the earlier the bucket, the earlier what is in it.
constexpr unsigned bucket_of(std::uint64_t key, std::uint64_t now) {
  const unsigned level = static_cast<unsigned>(63 - std::countl_zero((key ^ now) | 1)) / 8;
  return level * 256 + static_cast<unsigned>(key >> (level * 8)) % 256;
}

// The time at which a bucket begins.
constexpr std::uint64_t start_of(unsigned bucket, std::uint64_t now) {
  const unsigned shift = bucket / 256 * 8;
  return ((now >> shift & ~std::uint64_t{255}) | bucket % 256) << shift;
}

// Which buckets have something in them.
class OccupiedBuckets {
 public:
  void add(unsigned bucket) {
    bits_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
    words_ |= 1U << bucket / 64;
  }
  void remove(unsigned bucket) {
    const std::uint64_t left = bits_[bucket / 64] &= ~(std::uint64_t{1} << bucket % 64);
    words_ &= ~(std::uint32_t{left == 0} << bucket / 64);  // no branch: nobody could predict it
  }

  // kBuckets: none.
  unsigned first() const {
    if (words_ == 0) return kBuckets;
    const unsigned word = static_cast<unsigned>(std::countr_zero(words_));
    return word * 64 + static_cast<unsigned>(std::countr_zero(bits_[word]));
  }

 private:
  static_assert(kBuckets / 64 == 32);
  std::array<std::uint64_t, kBuckets / 64> bits_{};
  std::uint32_t words_ = 0;  // bit per word
};

// Buckets that are read from one end to the other: for many large items.
template <typename Item>
class FutureItems {
 public:
  // `key`: of its time.
  void add(const Item& item, std::uint64_t key, std::uint64_t now) {
    const unsigned index = bucket_of(key, now);
    std::vector<Item>& bucket = buckets_[index];
    if (bucket.empty()) {
      occupied_.add(index);
      furnish(bucket);
    }
    bucket.push_back(item);
  }

  unsigned first() const { return occupied_.first(); }

  std::uint64_t least_key(unsigned bucket) const {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const Item& item : buckets_[bucket]) least = std::min(least, key_of(item.at));
    return least;
  }

  // From the first bucket those that are due `now` go to take(item), the others to lower buckets, which are empty.
  template <typename Take>
  void take_due(unsigned index, std::uint64_t now, Take take) {
    occupied_.remove(index);
    std::vector<Item>& bucket = buckets_[index];
    for (const Item& item : bucket) {
      if (const std::uint64_t key = key_of(item.at); key == now)
        take(item);
      else
        add(item, key, now);
    }
    bucket.clear();
    spare_.push_back(std::move(bucket));
  }

 private:
  // Empty buckets give their memory to those that are filled next, so that it follows what is pending.
  void furnish(std::vector<Item>& bucket) {
    if (spare_.empty()) return;
    bucket = std::move(spare_.back());
    spare_.pop_back();
  }

  OccupiedBuckets occupied_;
  std::array<std::vector<Item>, kBuckets> buckets_;
  std::vector<std::vector<Item>> spare_;
};

// Buckets that are lists in one pool: for small items, of which most buckets have one or two.
template <typename Item>
class FutureLists {
 public:
  FutureLists() { heads_.fill(kEnd); }

  // A new item, to be filled by the caller.
  Item& add(std::uint64_t key, std::uint64_t now) {
    if (free_ == kEnd) [[unlikely]]
      grow();
    const std::uint32_t node = free_;
    free_ = nodes_[node].next;
    link(node, bucket_of(key, now));
    return nodes_[node].item;
  }

  unsigned first() const { return occupied_.first(); }

  std::uint64_t least_key(unsigned bucket) const {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (std::uint32_t node = heads_[bucket]; node != kEnd; node = nodes_[node].next)
      least = std::min(least, key_of(nodes_[node].item.at));
    return least;
  }

  // Where the first bucket is wide, its items move to narrower ones, until the first is narrow or has one: that is it.
  unsigned narrow_down(unsigned bucket, std::uint64_t now) {
    for (; bucket >= kWide && nodes_[heads_[bucket]].next != kEnd; bucket = first()) {
      now = start_of(bucket, now);
      occupied_.remove(bucket);
      for (std::uint32_t node = std::exchange(heads_[bucket], kEnd), next = kEnd; node != kEnd; node = next) {
        next = nodes_[node].next;
        link(node, bucket_of(key_of(nodes_[node].item.at), now));
      }
    }
    return bucket;
  }

  // The only item of the first bucket, which is taken, or null; valid until the next one is added.
  const Item* take_only(unsigned bucket) {
    const std::uint32_t node = heads_[bucket];
    if (nodes_[node].next != kEnd) return nullptr;
    heads_[bucket] = kEnd;
    occupied_.remove(bucket);
    nodes_[node].next = std::exchange(free_, node);
    return &nodes_[node].item;
  }

  // As FutureItems.
  template <typename Take>
  void take_due(unsigned bucket, std::uint64_t now, Take take) {
    occupied_.remove(bucket);
    std::uint32_t node = std::exchange(heads_[bucket], kEnd);
    while (node != kEnd) {
      const std::uint32_t next = nodes_[node].next;
      if (const std::uint64_t key = key_of(nodes_[node].item.at); key == now) {
        take(nodes_[node].item);
        nodes_[node].next = std::exchange(free_, node);
      } else {
        link(node, bucket_of(key, now));
      }
      node = next;
    }
  }

 private:
  static constexpr std::uint32_t kEnd = 0xffff'ffff;
  static constexpr unsigned kWide = 2 * 256;  // buckets from here on hold more than 256 times

  struct Node {
    Item item;
    std::uint32_t next = kEnd;  // of its bucket, or of the free ones
  };

  // Not inline: so that adding to what has room keeps no registers for it.
  [[gnu::noinline]] void grow() {
    free_ = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  }

  void link(std::uint32_t node, unsigned bucket) {
    nodes_[node].next = std::exchange(heads_[bucket], node);
    occupied_.add(bucket);
  }

  OccupiedBuckets occupied_;
  std::array<std::uint32_t, kBuckets> heads_;
  std::vector<Node> nodes_;
  std::uint32_t free_ = kEnd;
};

}  // namespace plumbline::sim
