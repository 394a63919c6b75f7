/* Which build of a library has been loaded. */
#include "tracer/preload/mpi/facts/build_id.h"

#include <elf.h>
#include <link.h>
#include <string.h>

struct search {
  uintptr_t address;
  struct pl_object* object;
};

static size_t aligned(size_t bytes) { return (bytes + 3) & ~(size_t)3; }

/* The note of kind 3 (NT_GNU_BUILD_ID), owner "GNU". */
static void read_build_id(const char* notes, size_t bytes, char* text) {
  static const char digits[] = "0123456789abcdef";
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
    const ElfW(Nhdr)* note = (const void*)(notes + at);
    size_t name = at + sizeof *note, id = name + aligned(note->n_namesz);
    size_t length = note->n_descsz, next = id + aligned(length);
    if (next > bytes) return;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
      if (length > 64) length = 64;
      for (size_t i = 0; i < length; ++i) {
        text[2 * i] = digits[(unsigned char)notes[id + i] >> 4];
        text[2 * i + 1] = digits[(unsigned char)notes[id + i] & 15];
      }
      text[2 * length] = '\0';
      return;
    }
    at = next;
  }
}

static int describe_if_it_is_the_one(struct dl_phdr_info* info, size_t size, void* data) {
  const struct search* search = data;
  int inside = 0;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && search->address - begin < segment->p_memsz) inside = 1;
  }
  if (!inside) return 0;
  search->object->file = info->dlpi_name == NULL ? "" : info->dlpi_name;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_NOTE && search->object->build_id[0] == '\0')
      read_build_id((const char*)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz, search->object->build_id);
  }
  return 1;
}

int pl_object_of(const void* address, struct pl_object* object) {
  struct search search = {(uintptr_t)address, object};
  *object = (struct pl_object){.file = ""};
  return dl_iterate_phdr(describe_if_it_is_the_one, &search);
}
