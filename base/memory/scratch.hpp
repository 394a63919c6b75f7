#pragma once
// Memory for what grows with the operations of a program. Its pages belong to a file without a name, so that the kernel
// can write them out and take them back where memory is short, as it does with the mapped program itself.

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace plumbline {

// Several threads may use it at a time. A process that was forked sees what was in it, and what it allocates itself
// lies in a file of its own: pages of the same file are the same ones in both.
class ScratchFile {
 public:
  // The file lies in `directory`, or in that for temporary files where that one takes none. Memory is ordinary as long
  // as it is little, and where there is no room for the file or both directories lie in memory anyway.
  explicit ScratchFile(std::filesystem::path directory);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  // Aligned to 64 bytes. Throws std::bad_alloc.
  void* allocate(std::size_t bytes);
  void release(void* memory, std::size_t bytes) noexcept;

 private:
  struct Segment {
    std::byte* begin = nullptr;
    std::size_t bytes = 0, used = 0;
    std::size_t offset = 0;                    // in the file
    bool is_file = false, is_parents = false;  // the latter: of the process that this one was forked from
  };

  void leave_to_parent();
  void* reuse(std::size_t bytes);
  void add_segment(std::size_t least);
  bool map_file(Segment& segment);
  const Segment* segment_of(const void* memory) const;
  void forget_contents(void* memory, std::size_t bytes) noexcept;
  bool take_room_again(void* memory, std::size_t bytes);

  const std::filesystem::path directory_;
  std::mutex mutex_;  // of all below
  pid_t owner_;
  int file_ = -1;
  bool refused_ = false;        // there is no file, and there will be none
  std::size_t file_bytes_ = 0;  // of all segments in it
  std::vector<Segment> segments_;
  std::map<std::size_t, std::vector<void*>> free_;  // by size
};

// Null: ordinary memory. What lies in a scratch file keeps it alive.
using Scratch = std::shared_ptr<ScratchFile>;

inline Scratch scratch_in(const std::filesystem::path& directory) { return std::make_shared<ScratchFile>(directory); }

// Copies lie where the original does.
template <class T>
class ScratchAllocator {
 public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  ScratchAllocator() = default;
  ScratchAllocator(Scratch scratch) : scratch_(std::move(scratch)) {}
  template <class U>
  ScratchAllocator(const ScratchAllocator<U>& other) : scratch_(other.scratch()) {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(T);
    return static_cast<T*>(scratch_ ? scratch_->allocate(bytes) : ::operator new(bytes));
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (scratch_)
      scratch_->release(memory, count * sizeof(T));
    else
      ::operator delete(memory);
  }

  const Scratch& scratch() const { return scratch_; }
  bool operator==(const ScratchAllocator&) const = default;

 private:
  Scratch scratch_;
};

// One entry per operation, or per call.
template <class T>
using Column = std::vector<T, ScratchAllocator<T>>;

}  // namespace plumbline
