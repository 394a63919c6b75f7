/* vfork. Until it runs another program the child has the parent's memory: what it opens and closes must neither be
 * recorded nor change what is known of the parent's descriptors. The thread that called waits meanwhile, so that its
 * own state can say so. (Python's subprocess is such a child, and closes everything.) */
#include <errno.h>

#include "tracer/preload/core/preload.h"

#if defined(__x86_64__)

void pl_lend(void) {
  struct pl_thread* t = &pl_self;
  t->lent_mode = t->mode;
  t->lent = 1;
  pl_set_mode(t, PL_INSIDE);
}

/* In the parent, when the child no longer needs its memory, or when there is none. Returns what vfork returns. */
long pl_take_back(long result) {
  struct pl_thread* t = &pl_self;
  t->lent = 0;
  pl_set_mode(t, t->lent_mode);
  if (result >= 0) return result;
  errno = (int)-result;
  return -1;
}

/* The return address may not stay on the stack: the child overwrites it. The kernel keeps rdi for the parent. */
__asm__(
    ".pushsection .text\n"
    ".globl vfork\n.type vfork, @function\n"
    ".globl __vfork\n.type __vfork, @function\n"
    ".p2align 4\n"
    "vfork:\n"
    "__vfork:\n"
    "  subq $8, %rsp\n"
    "  call pl_lend\n"
    "  addq $8, %rsp\n"
    "  popq %rdi\n"
    "  movl $58, %eax\n" /* SYS_vfork */
    "  syscall\n"
    "  pushq %rdi\n"
    "  testq %rax, %rax\n"
    "  je 1f\n"
    "  movq %rax, %rdi\n"
    "  subq $8, %rsp\n"
    "  call pl_take_back\n"
    "  addq $8, %rsp\n"
    "1:\n"
    "  ret\n"
    ".size vfork, . - vfork\n"
    ".popsection\n");

#endif
