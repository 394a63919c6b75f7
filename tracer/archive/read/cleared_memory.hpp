#pragma once
// Memory for libotf2's readers.

namespace plumbline::archive {

// While one of these exists, on any thread, malloc clears the large blocks that it hands out.
//
// libotf2 3.0.2 takes for data what lies in its buffer behind the end of a file that is too short. It clears the first
// chunk of a location itself; the next ones, which only a long or a damaged file makes it ask for, come from malloc as
// they are, with what was read or written before.
class ClearedMemory {
 public:
  ClearedMemory();
  ~ClearedMemory();
  ClearedMemory(const ClearedMemory&) = delete;
  ClearedMemory& operator=(const ClearedMemory&) = delete;
};

}  // namespace plumbline::archive
