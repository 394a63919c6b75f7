/* Call sites: return addresses, and the modules that they lie in. */
#include <fcntl.h>
#include <string.h>

#include "tracer/preload/core/preload.h"
#include "tracer/preload/core/system.h"
#include "tracer/preload/core/tables.h"

struct pl_sites pl_sites;

enum { kMostRanges = 1024, kMapsBytes = 1 << 20, kMostReadings = 64, kMostProbes = 64 };

static struct {
  struct pl_lock lock;
  unsigned readings, ranges;
  struct {
    uint64_t begin, end;
  } range[kMostRanges];
} modules;

void pl_forget_sites(void) {
  memset(&pl_sites, 0, sizeof pl_sites);
  modules.lock.held = 0;
  modules.readings = modules.ranges = 0;
}

static uint64_t hexadecimal(const char** at) {
  uint64_t number = 0;
  for (;; ++*at) {
    char c = **at;
    if (c >= '0' && c <= '9')
      number = number * 16 + (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f')
      number = number * 16 + (uint64_t)(c - 'a' + 10);
    else
      return number;
  }
}

/* Keeps the lines of executable mappings of files, in place; notes their ranges. Returns the length of what is kept. */
static size_t keep_executable(char* text, size_t length) {
  size_t kept = 0;
  modules.ranges = 0;
  for (char *line = text, *end = text + length; line < end;) {
    char* newline = memchr(line, '\n', (size_t)(end - line));
    if (newline == NULL) break; /* cut off */
    size_t n = (size_t)(newline - line) + 1;
    const char* at = line;
    uint64_t first = hexadecimal(&at), last = *at == '-' ? (++at, hexadecimal(&at)) : 0;
    if (at[0] == ' ' && at[3] == 'x' && memchr(line, '/', n) != NULL) {
      if (modules.ranges < kMostRanges) {
        modules.range[modules.ranges].begin = first;
        modules.range[modules.ranges++].end = last;
      }
      memmove(text + kept, line, n);
      kept += n;
    }
    line = newline + 1;
  }
  return kept;
}

static int is_known(uint64_t address) {
  for (unsigned i = 0; i < modules.ranges; ++i)
    if (address >= modules.range[i].begin && address < modules.range[i].end) return 1;
  return 0;
}

void pl_define_modules(struct pl_thread* t) {
  uint64_t begin = pl_ticks();
  char* text = pl_map(kMapsBytes);
  if (text == NULL) return;
  pl_acquire(&modules.lock);
  long n = pl_read_file("/proc/self/maps", text, kMapsBytes);
  size_t kept = n > 0 ? keep_executable(text, (size_t)n) : 0;
  ++modules.readings;
  pl_release(&modules.lock);
  if (kept > 0) pl_define_text(t, PL_DEF_MODULES, 0, 0, text, kept, begin);
  pl_unmap(text, kMapsBytes);
}

static uint32_t add_site(struct pl_thread* t, uint32_t slot, uint64_t address) {
  pl_acquire(&modules.lock);
  int missing = !is_known(address) && modules.readings < kMostReadings;
  pl_release(&modules.lock);
  if (missing) pl_define_modules(t);
  uint64_t* payload = pl_define(t, 2);
  PL_FILL(payload, def_site, .site = slot + 1, .address = address);
  pl_defined(t, payload, PL_DEF_SITE, 2, pl_ticks());
  return slot + 1;
}

/* The slot of a key from its home slot on, else the first free one for it. Site 0 when the table is crowded. */
static uint32_t find_site(struct pl_thread* t, uint64_t key, uint64_t address) {
  uint32_t home = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> (64 - PL_SITE_BITS));
  for (uint32_t probe = 0; probe < kMostProbes; ++probe) {
    uint32_t slot = (home + probe) & ((1u << PL_SITE_BITS) - 1);
    uint64_t found = __atomic_load_n(&pl_sites.address[slot], __ATOMIC_RELAXED);
    if (found == 0 &&
        __atomic_compare_exchange_n(&pl_sites.address[slot], &found, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return add_site(t, slot, address);
    if (found == key) return slot + 1;
  }
  return 0;
}

/* An address in a Fortran binding never gets its home slot, so that all its calls come here: they are the program's,
 * from wherever it called the binding. If that was not noted, the binding itself is the site, under another key. */
__attribute__((noinline)) uint32_t pl_new_site(struct pl_thread* t, uint64_t address) {
  if (PL_LIKELY(!pl_in_fortran_binding(address))) return find_site(t, address, address);
  uint64_t caller = pl_fortran_caller;
  pl_fortran_caller = 0;
  return caller != 0 ? find_site(t, caller, caller) : find_site(t, ~address, address);
}
