#pragma once
// First in, first out, in one piece of memory that is used again.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace plumbline::hw::storage {

template <class T>
class Fifo {
 public:
  bool empty() const { return first_ == items_.size(); }
  std::size_t size() const { return items_.size() - first_; }
  T& front() { return items_[first_]; }
  const T& front() const { return items_[first_]; }
  std::span<const T> items() const { return std::span<const T>(items_).subspan(first_); }
  void push(T item) { items_.push_back(std::move(item)); }

  // Amortised constant: what was taken is dropped when it is the larger half.
  T take() {
    T item = std::move(items_[first_++]);
    if (first_ * 2 >= items_.size()) {
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    return item;
  }

 private:
  std::vector<T> items_;
  std::size_t first_ = 0;
};

}  // namespace plumbline::hw::storage
