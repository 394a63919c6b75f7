/* Programs that the loader preloads nothing into; for the tracer and for `record --rank`, in C. */
#ifndef PLUMBLINE_TRACER_SPOOL_OUT_OF_REACH_H
#define PLUMBLINE_TRACER_SPOOL_OUT_OF_REACH_H

#include <elf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Why LD_PRELOAD does not reach the program that is open for reading as `fd`; NULL: it does, or it is no ELF program
 * and its interpreter decides. */
static inline const char* pl_why_out_of_reach(int fd) {
  Elf64_Ehdr header;
  struct stat status;
  if (fstat(fd, &status) != 0 || pread(fd, &header, sizeof header, 0) != (ssize_t)sizeof header) return NULL;
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return NULL;
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return "is a program of 32 bits, the tracer is of 64";
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid())
    return "is set-uid: the loader preloads nothing into it";
  if ((status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && status.st_gid != getegid())
    return "is set-gid: the loader preloads nothing into it";
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    const off_t at = (off_t)header.e_phoff + (off_t)i * header.e_phentsize;
    if (pread(fd, &part, sizeof part, at) == (ssize_t)sizeof part && part.p_type == PT_INTERP) return NULL;
  }
  return "is linked statically: the loader preloads nothing into it";
}

#endif
