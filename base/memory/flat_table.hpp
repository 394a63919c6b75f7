#pragma once
// A hash table from 64-bit ids to small values: open addressing, no allocation while it does not grow.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace plumbline {

template <class Value>
class FlatTable {
 public:
  FlatTable() : cells_(16) {}

  Value* find(std::uint64_t id) {
    for (std::size_t i = home(id); cells_[i].used; i = next(i))
      if (cells_[i].id == id) return &cells_[i].value;
    return nullptr;
  }

  bool contains(std::uint64_t id) const {
    for (std::size_t i = home(id); cells_[i].used; i = next(i))
      if (cells_[i].id == id) return true;
    return false;
  }

  // The value of `id`, new or replaced; valid until the next one is put or erased.
  Value& put(std::uint64_t id, const Value& value) { return cell(id).value = value; }
  // Likewise Value{}, made where it stands.
  Value& put(std::uint64_t id) {
    Cell& own = cell(id);
    std::destroy_at(&own.value);
    return *std::construct_at(&own.value);
  }

  void erase(std::uint64_t id) {
    std::size_t hole = home(id);
    while (cells_[hole].used && cells_[hole].id != id) hole = next(hole);
    if (!cells_[hole].used) return;
    --size_;
    // What stands behind the hole and could have stood in it moves up.
    for (std::size_t i = next(hole); cells_[i].used; i = next(i)) {
      if (((i - home(cells_[i].id)) & mask()) < ((i - hole) & mask())) continue;
      cells_[hole] = cells_[i];
      hole = i;
    }
    cells_[hole].used = false;
  }

  template <class Visit>
  void for_each(Visit visit) {
    for (Cell& cell : cells_)
      if (cell.used) visit(cell.value);
  }

  std::size_t size() const { return size_; }

 private:
  struct Cell {
    std::uint64_t id = 0;
    Value value{};
    bool used = false;
  };

  Cell& cell(std::uint64_t id) {
    if ((size_ + 1) * 2 > cells_.size()) grow();
    std::size_t i = home(id);
    while (cells_[i].used && cells_[i].id != id) i = next(i);
    if (!cells_[i].used) ++size_;
    cells_[i].id = id;
    cells_[i].used = true;
    return cells_[i];
  }

  std::size_t mask() const { return cells_.size() - 1; }
  std::size_t home(std::uint64_t id) const {
    return static_cast<std::size_t>((id * 0x9e3779b97f4a7c15U) >> 32) & mask();
  }
  std::size_t next(std::size_t i) const { return (i + 1) & mask(); }

  void grow() {
    std::vector<Cell> old(cells_.size() * 2);
    old.swap(cells_);
    size_ = 0;
    for (const Cell& cell : old)
      if (cell.used) put(cell.id, cell.value);
  }

  std::vector<Cell> cells_;  // a power of two, at most half full
  std::size_t size_ = 0;
};

}  // namespace plumbline
