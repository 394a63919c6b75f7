/* Calls of MPI that the program has left without returning from them: an error handler, or a signal handler, has jumped
 * to where the program goes on, or thrown an exception. The next call finds the thread still inside of it. */
#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tracer/preload/core/preload.h"

enum { kPiece = 2048, kFarthest = 16 * 1024 };

/* Where the call was made, as its site tells; 0: it does not. */
static uint64_t address_of_site(const struct pl_record* r) {
  uint32_t site = (r->site_state & ((1u << PL_ERROR_SHIFT) - 1)) >> 2;
  return site == 0 || site > 1u << PL_SITE_BITS ? 0 : pl_sites.address[site - 1];
}

/* Whether the frame is still that of a call made there: the address to return to lies in it, or behind it where a
 * binding of Fortran was between. Read by the kernel, because nobody knows whose memory it is by now. */
static int is_frame_of(const char* frame, uint64_t address) {
  uint64_t piece[kPiece / sizeof(uint64_t)];
  for (size_t done = 0; done < kFarthest; done += kPiece) {
    struct iovec to = {piece, sizeof piece}, from = {(void*)(uintptr_t)(frame + done), sizeof piece};
    long n = syscall(SYS_process_vm_readv, (long)pl.pid, &to, 1L, &from, 1L, 0L);
    if (n <= 0) return done == 0; /* it cannot be read: nothing is known */
    for (size_t i = 0; i < (size_t)n / sizeof piece[0]; ++i)
      if (piece[i] == address) return 1;
    if ((size_t)n < sizeof piece) return 0;
  }
  return 0;
}

/* A call from inside of it has a frame that lies below the one in which it began: the return address and the frame
 * pointer of this function, at least. */
static int has_been_left(const struct pl_thread* t, const char* own_frame) {
  if (own_frame + 2 * sizeof(void*) >= t->frame) return 1;
  uint64_t address = address_of_site(t->outer);
  return address != 0 && !is_frame_of(t->frame, address);
}

PL_COLD int pl_leave_left_call(struct pl_thread* t) {
  int saved = errno;
  int known = t->outer != NULL && t->frame != NULL && t->diverted == 0 && !t->lent;
  int left = known && has_been_left(t, __builtin_frame_address(0));
  if (left) {
    struct pl_record* r = t->outer;
    r->end = t->time = pl_ticks();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    /* a run of polls, which it went on with, was done before */
    if ((r->site_state & 3u) == PL_BEGUN) r->site_state ^= PL_BEGUN ^ PL_DONE;
    r->site_state |= (uint32_t)PL_ERROR_LEFT << PL_ERROR_SHIFT;
    t->outer = NULL;
    t->nested = 0;
    t->poll = NULL;
    pl_set_mode(t, PL_OUTSIDE);
  }
  errno = saved;
  return left;
}
