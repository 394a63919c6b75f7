/* Which part of the file is written next. That is a new segment at its end until PLUMBLINE_MAX_SIZE is reached; then
 * there is none, or, to keep the last, the oldest one that no thread writes to is used again. Whatever explains records
 * (definitions) is then in segments of its own, which do not give way.
 *
 * A segment gives way in three steps, so that the file is valid after any kind of death: its magic number goes (a
 * reader finds nothing there), its words become zero, it gets its new header, the magic number last. */
#include <errno.h>
#include <string.h>

#include "tracer/preload/core/limits.h"
#include "tracer/preload/core/tables.h"

enum { kMostThreads = 65536 }; /* that write at the same time: each has a segment, whatever the limit */

static struct {
  struct pl_lock lock;
  uint64_t count;  /* segments of the file */
  uint64_t taken;  /* running number of takings */
  uint64_t* state; /* by index, to keep the last: number of its taking << 1 | in use; 0: has definitions */
} file;

static struct {
  struct pl_lock lock;
  char* segment;
  uint64_t *cursor, *limit;
  uint32_t segments;
} definitions;

void pl_limit_segments(void) {
  if (pl_limits.segments == 0 || !pl_limits.keep_last) return;
  file.state = pl_map((pl_limits.segments + kMostThreads) * sizeof(uint64_t));
  pl.apart = file.state != NULL;
}

/* Its memory and its locks may be as another thread of the parent left them. */
void pl_forget_segments(void) {
  pl_unmap(definitions.segment, PL_SEGMENT_BYTES);
  memset(&definitions, 0, sizeof definitions);
  pl_unmap(file.state, (pl_limits.segments + kMostThreads) * sizeof(uint64_t));
  memset(&file, 0, sizeof file);
}

/* Of those that no thread writes to; 0: there is none. */
static int oldest(uint64_t* index) {
  uint64_t least = UINT64_MAX;
  for (uint64_t i = 0; i < file.count; ++i) {
    uint64_t state = file.state[i];
    if (state == 0 || (state & 1) != 0 || state >= least) continue;
    least = state;
    *index = i;
  }
  return least != UINT64_MAX;
}

/* Chooses a segment. 1: it has records; 0: it is new; else why there is none. */
static int choose(uint64_t* index, int for_definitions) {
  if (pl_limits.segments == 0 || file.count < pl_limits.segments) {
    *index = file.count++;
    return 0;
  }
  if (!pl.apart) return PL_LIMIT_REACHED;
  if (oldest(index)) return 1;
  if (for_definitions || file.count >= pl_limits.segments + kMostThreads) return PL_LIMIT_REACHED;
  *index = file.count++; /* every other one is being written to */
  return 0;
}

static int take(uint64_t* index, int for_definitions) {
  pl_acquire(&file.lock);
  int used = choose(index, for_definitions);
  if (used >= 0 && pl.apart) file.state[*index] = for_definitions ? 0 : ++file.taken << 1 | 1;
  pl_release(&file.lock);
  return used;
}

static uint64_t calls_in(const char* segment) {
  const uint64_t* at = (const uint64_t*)(const void*)(segment + sizeof(struct pl_segment_header));
  const uint64_t* end = (const uint64_t*)(const void*)(segment + PL_SEGMENT_BYTES);
  uint64_t calls = 0;
  for (; at < end && *at != 0; at += PL_HEAD_WORDS + (uint16_t)(*at >> 16)) calls += (uint16_t)*at < PL_DEFINITIONS;
  return calls;
}

static void give_way(char* segment) {
  struct pl_segment_header* header = (struct pl_segment_header*)(void*)segment;
  uint64_t calls = calls_in(segment);
  __atomic_store_n(&header->magic, 0, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&pl.header->dropped_calls, calls, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&pl.header->dropped_segments, 1, __ATOMIC_SEQ_CST);
  memset(segment + sizeof header->magic, 0, PL_SEGMENT_BYTES - sizeof header->magic);
}

static char* take_mapped(uint64_t* index, int* error, int for_definitions) {
  int used = take(index, for_definitions);
  *error = used < 0 ? used : 0;
  char* segment = used < 0 ? NULL : pl_map_segment(*index, error);
  if (segment != NULL && used) give_way(segment);
  return segment;
}

char* pl_take_segment(uint64_t* index, int* error) { return take_mapped(index, error, 0); }

void pl_give_segment(uint64_t index) {
  if (!pl.apart) return;
  pl_acquire(&file.lock);
  file.state[index] &= ~1ull;
  pl_release(&file.lock);
}

const char* pl_no_segment(int error) {
  if (error == PL_LIMIT_REACHED) return "the limit of its size is reached (--max-size)";
  if (error == ENOENT) return pl_removed;
  return error == ENOSPC ? "no space left for the spool" : "the spool cannot be extended";
}

/* ---- Definitions apart */

static int begin_segment_of_definitions(void) {
  uint64_t index = 0;
  int error = pl.writable ? 0 : PL_LIMIT_REACHED;
  int too_many = definitions.segments + 2 > pl_limits.segments; /* one at least is for what they explain */
  char* segment = error != 0 || too_many ? NULL : take_mapped(&index, &error, 1);
  if (segment == NULL) {
    pl_stop(too_many ? "definitions alone reach the limit of its size (--max-size)" : pl_no_segment(error),
            error > 0 ? error : 0);
    return 0;
  }
  pl_unmap(definitions.segment, PL_SEGMENT_BYTES);
  definitions.segment = segment;
  definitions.cursor = (uint64_t*)(void*)(segment + sizeof(struct pl_segment_header));
  definitions.limit = (uint64_t*)(void*)(segment + PL_SEGMENT_BYTES);
  struct pl_segment_header* header = (struct pl_segment_header*)(void*)segment;
  header->kind = PL_SEGMENT_DEFINITIONS;
  header->index = definitions.segments++;
  __atomic_store_n(&header->magic, PL_SEGMENT_MAGIC, __ATOMIC_RELEASE);
  return 1;
}

uint64_t* pl_define_apart(unsigned words) {
  pl_acquire(&definitions.lock);
  uint64_t* at = definitions.cursor;
  if (!pl.writable || (size_t)(definitions.limit - at) < PL_HEAD_WORDS + words)
    at = begin_segment_of_definitions() ? definitions.cursor : NULL;
  if (at != NULL) return at + PL_HEAD_WORDS;
  pl_lose(1);
  return pl_discarded + PL_HEAD_WORDS;
}

void pl_defined_apart(uint64_t* payload, uint16_t kind, unsigned words, uint64_t begin) {
  struct pl_record* r = (struct pl_record*)(void*)(payload - PL_HEAD_WORDS);
  r->begin = begin;
  r->end = pl_ticks();
  pl_publish(r, kind, (uint16_t)words, 0, PL_DONE);
  if (payload != pl_discarded + PL_HEAD_WORDS) definitions.cursor = payload + words;
  pl_release(&definitions.lock);
}
