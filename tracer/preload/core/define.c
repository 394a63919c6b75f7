/* Definition records, and the run delay that goes with long gaps. */
#include <fcntl.h>
#include <string.h>

#include "tracer/preload/core/limits.h"
#include "tracer/preload/core/preload.h"
#include "tracer/preload/core/system.h"

uint64_t* pl_insert(struct pl_thread* t, unsigned words) {
  if (PL_UNLIKELY(t->diverted) && t->diversion.definitions++ == 0) pl_exchange_diversion(t);
  return pl_reserve(t, words)->payload;
}

void pl_inserted(struct pl_thread* t, uint64_t* payload, uint16_t kind, unsigned words, uint64_t begin) {
  struct pl_record* r = (struct pl_record*)(void*)(payload - PL_HEAD_WORDS);
  r->begin = begin;
  r->end = pl_ticks();
  pl_publish(r, kind, (uint16_t)words, 0, PL_DONE);
  t->cursor = payload + words;
  t->poll = NULL;
  if (PL_UNLIKELY(t->diverted) && --t->diversion.definitions == 0) pl_exchange_diversion(t);
}

uint64_t* pl_define(struct pl_thread* t, unsigned words) {
  return PL_UNLIKELY(pl.apart) ? pl_define_apart(words) : pl_insert(t, words);
}

void pl_defined(struct pl_thread* t, uint64_t* payload, uint16_t kind, unsigned words, uint64_t begin) {
  if (PL_LIKELY(!pl.apart)) return pl_inserted(t, payload, kind, words, begin);
  pl_defined_apart(payload, kind, words, begin);
  t->poll = NULL;
}

/* [word] text, padded with zeros to whole words. */
void pl_define_text(struct pl_thread* t, uint16_t kind, uint64_t word, int has_word, const char* text, size_t length,
                    uint64_t begin) {
  size_t most = (PL_MAX_WORDS - 1) * sizeof(uint64_t);
  if (length > most) length = most;
  unsigned words = (unsigned)has_word + (unsigned)((length + 7) / 8);
  uint64_t* payload = pl_define(t, words);
  if (has_word) payload[0] = word;
  memcpy(payload + has_word, text, length);
  pl_defined(t, payload, kind, words, begin);
}

void pl_define_meta(struct pl_thread* t, const char* key, const char* value) {
  char text[2048], *limit = text + sizeof text;
  char* end = pl_put_text(pl_put_text(pl_put_text(text, limit, key), limit, "="), limit, value);
  pl_define_text(t, PL_DEF_META, 0, 0, text, (size_t)(end - text), pl_ticks());
}

/* ---- Run delay: the second number of schedstat, ns that the thread was runnable but not running */

int64_t pl_run_delay(struct pl_thread* t) {
  struct stat status;
  if (t->schedstat < 0) return -1;
  if (t->schedstat == 0) {
    long fd = pl_sys_open("/proc/thread-self/schedstat", O_RDONLY, 0);
    if (fd >= 0 && pl_sys_fstat((int)fd, &status) == 0) {
      t->schedstat = (int)fd + 1;
      t->schedstat_device = (uint64_t)status.st_dev;
      t->schedstat_inode = (uint64_t)status.st_ino;
    } else {
      t->schedstat = -1;
      return -1;
    }
  }
  char text[128];
  int fd = t->schedstat - 1;
  int ours = pl_sys_fstat(fd, &status) == 0 && (uint64_t)status.st_ino == t->schedstat_inode &&
             (uint64_t)status.st_dev == t->schedstat_device;
  long n = ours ? pl_sys_pread(fd, text, sizeof text - 1, 0) : -1;
  if (n <= 0) {
    t->schedstat = -1; /* the program has closed it */
    return -1;
  }
  text[n] = '\0';
  const char* at = strchr(text, ' ');
  if (at == NULL || at[1] < '0' || at[1] > '9') return -1;
  int64_t delay = 0;
  for (++at; *at >= '0' && *at <= '9'; ++at) delay = 10 * delay + (*at - '0');
  return delay;
}

void pl_read_run_delay(struct pl_thread* t, uint64_t begin, uint64_t end) {
  int64_t delay = pl_run_delay(t);
  if (delay < 0) return;
  uint64_t* payload = pl_insert(t, 1);
  payload[0] = (uint64_t)delay;
  pl_inserted(t, payload, PL_DEF_RUN_DELAY, 1, begin);
  ((struct pl_record*)(void*)(payload - PL_HEAD_WORDS))->end = end;
}

/* A gap of more than a millisecond ends in front of `r`, which is filled but not published: the run delay goes before
 * it. pl_reserve() has kept the room. */
PL_COLD struct pl_record* pl_long_gap(struct pl_thread* t, struct pl_record* r, unsigned words, uint64_t* now) {
  int64_t delay = t->time == 0 || t->cursor != (uint64_t*)(void*)r ? -1 : pl_run_delay(t); /* leaves errno alone */
  if (delay >= 0) {
    struct pl_record* moved = (struct pl_record*)(void*)((uint64_t*)(void*)r + PL_SPARE_WORDS);
    memmove(moved->payload, r->payload, words * sizeof(uint64_t));
    ((uint64_t*)(void*)moved)[0] = 0; /* what the payload left there: the spool ends here until it is published */
    moved->end = 0;
    r->payload[0] = (uint64_t)delay;
    r->begin = t->time;
    r->end = *now;
    pl_publish(r, PL_DEF_RUN_DELAY, 1, 0, PL_DONE);
    t->cursor += PL_SPARE_WORDS;
    r = moved;
  }
  *now = pl_ticks();
  if (PL_UNLIKELY(*now >= pl.window_end)) pl_end_window();
  return r;
}
