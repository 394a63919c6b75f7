#pragma once
// Locks of ranges of one file, as fcntl gives them to processes (POSIX.1-2017, fcntl, F_SETLKW).

#include <cstdint>
#include <vector>

#include "replay/io/footprint.hpp"

namespace plumbline::replay::io {

class LockTable {
 public:
  // True: the rank has the lock. False: it waits; unlock() of others will tell when it has it. A rank's own locks never
  // stand in its way.
  bool lock(std::uint32_t rank, const ByteRange& range, bool exclusive);

  // Gives back what the rank holds in the range; those that now get their lock, in the order in which they asked.
  std::vector<std::uint32_t> unlock(std::uint32_t rank, const ByteRange& range);

  // Ranks that stand in the way of a rank that waits; none: it does not wait.
  std::vector<std::uint32_t> holders_before(std::uint32_t rank) const;

 private:
  struct Lock {
    std::uint32_t rank = 0;
    ByteRange range;
    bool exclusive = false;
  };

  bool is_free(const Lock& lock) const;

  std::vector<Lock> held_, waiting_;  // waiting: in the order of arrival
};

}  // namespace plumbline::replay::io
