#pragma once
// A column that was worked out in memory, or that lies in a mapped file which keeps it for the next time.

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>

#include "base/memory/scratch.hpp"

namespace plumbline {

// Read as a vector is. What lies in a file is copied into memory as soon as it is reached through a reference that is
// not const, whether or not anything is then changed: read through const references where it is large.
template <class T>
class KeptColumn {
 public:
  using value_type = T;
  using const_iterator = const T*;
  using iterator = T*;

  KeptColumn() = default;
  explicit KeptColumn(const Scratch& scratch) : own_(scratch) {}
  KeptColumn(Column<T> own) : own_(std::move(own)) {}
  KeptColumn(std::initializer_list<T> values) : own_(values) {}
  // `memory` holds what `kept` is a part of.
  KeptColumn(std::span<const T> kept, std::shared_ptr<const void> memory) : kept_(kept), memory_(std::move(memory)) {}

  std::size_t size() const { return memory_ ? kept_.size() : own_.size(); }
  bool empty() const { return size() == 0; }
  const T* data() const { return memory_ ? kept_.data() : own_.data(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T& operator[](std::size_t i) const { return data()[i]; }
  const T& front() const { return *begin(); }
  const T& back() const { return *(end() - 1); }

  T* data() { return own().data(); }
  T* begin() { return own().data(); }
  T* end() { return own().data() + own_.size(); }
  T& operator[](std::size_t i) { return own()[i]; }
  T& front() { return own().front(); }
  T& back() { return own().back(); }

  void push_back(const T& value) { own().push_back(value); }
  T& emplace_back() { return own().emplace_back(); }
  void reserve(std::size_t count) { own().reserve(count); }
  void resize(std::size_t count) { own().resize(count); }
  void assign(std::size_t count, const T& value) { own().assign(count, value); }
  void clear() { own().clear(); }

  friend bool operator==(const KeptColumn& a, const KeptColumn& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  Column<T>& own() {
    if (memory_) {
      own_.assign(kept_.begin(), kept_.end());
      kept_ = {};
      memory_.reset();
    }
    return own_;
  }

  Column<T> own_;  // empty while it lies in a file
  std::span<const T> kept_;
  std::shared_ptr<const void> memory_;  // null: own_
};

}  // namespace plumbline
