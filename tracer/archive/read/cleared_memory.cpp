#include "tracer/archive/read/cleared_memory.hpp"

#include <malloc.h>

#include <mutex>

namespace plumbline::archive {
namespace {

// mallopt(3): blocks are filled with the complement of this byte. Small ones that malloc caches are not.
void set_perturb_byte([[maybe_unused]] int byte) {
#if defined(__GLIBC__)
  mallopt(M_PERTURB, byte);
#endif
}

constexpr int kFillWithZeros = 0xff, kFillOff = 0;

std::mutex perturb_mutex;
int perturb_users = 0;

}  // namespace

ClearedMemory::ClearedMemory() {
  const std::lock_guard lock(perturb_mutex);
  if (perturb_users++ == 0) set_perturb_byte(kFillWithZeros);
}

ClearedMemory::~ClearedMemory() {
  const std::lock_guard lock(perturb_mutex);
  if (--perturb_users == 0) set_perturb_byte(kFillOff);
}

}  // namespace plumbline::archive
