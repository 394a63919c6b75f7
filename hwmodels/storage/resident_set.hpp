#pragma once
// What a page cache holds of its files: the bytes that were read or written last.

#include <cstdint>
#include <map>
#include <memory_resource>

#include "hwmodels/storage/access.hpp"

namespace plumbline::hw::storage {

class ResidentSet {
 public:
  // At most `memory` bytes, in runs of at most `run`.
  ResidentSet(Bytes memory, Bytes run, std::pmr::memory_resource& resource)
      : memory_(memory.count), run_(run.count), runs_(&resource), by_use_(&resource) {}

  // These bytes are used now; what was used longest ago gives way, a run at a time.
  void insert(std::uint32_t file, Extent extent);

  // The first bytes of `extent`: as many as are all here or all not here. Those that are here are used now.
  struct Found {
    std::uint64_t length = 0;
    bool here = false;
  };
  Found find(std::uint32_t file, Extent extent);

  Bytes size() const { return {size_}; }

 private:
  struct Place {
    std::uint32_t file;
    std::uint64_t offset;
    auto operator<=>(const Place&) const = default;
  };
  struct Run {
    std::uint64_t length;
    std::uint64_t used;  // number of the last use
  };
  using Runs = std::pmr::map<Place, Run>;

  void add(std::uint32_t file, Extent extent, std::uint64_t used);
  void remove(Runs::iterator run);
  void cut(std::uint32_t file, Extent extent);
  Runs::iterator first_behind(std::uint32_t file, std::uint64_t offset);  // that ends behind offset

  std::uint64_t memory_, run_;
  std::uint64_t size_ = 0;
  std::uint64_t uses_ = 0;
  Runs runs_;  // do not overlap
  std::pmr::map<std::uint64_t, Place> by_use_;
};

}  // namespace plumbline::hw::storage
