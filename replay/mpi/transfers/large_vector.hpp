#pragma once
// A vector for tables that are looked up at random and may become large: from 4 MiB on it asks for huge pages, because
// most of such a look-up is the search for its page.

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace plumbline::replay::mpi {

template <class T>
struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}

  static constexpr std::size_t kPage = std::size_t{2} << 20, kLarge = 2 * kPage;

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kLarge) return static_cast<T*>(::operator new(bytes));
    void* const memory = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: without it all works the same
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < kLarge)
      ::operator delete(memory);
    else
      std::free(memory);
  }

  bool operator==(const HugePages&) const = default;
};

template <class T>
using LargeVector = std::vector<T, HugePages<T>>;

}  // namespace plumbline::replay::mpi
