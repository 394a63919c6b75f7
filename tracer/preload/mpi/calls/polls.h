/* Runs of polls. A poll (a test or a probe of the program's) that tells nothing new extends the record of the poll
 * before it, if nothing was recorded in between: a loop of polls takes one record, however long it lasts and however
 * many things it asks in turn (struct pl_polls in format.h). The poll that tells something ends the run and is written
 * into the same record.
 *
 * A gap between two polls up to pl.poll_gap is part of the wait. A longer one is computation, and is counted in the
 * run; beyond pl.poll_break, and 1/32 of the run, it ends it. After a gap of more than pl.poll_check the thread's CPU
 * time tells whether it ran at all: a gap that it slept through, or waited for a core, is no computation and ends no
 * run.
 *
 * A poll is: pl_begin_poll; where that is 0 a record of its own as any other call's (pl_prepare .. pl_done); after the
 * call pl_stamp; then pl_end_poll. */
#ifndef PLUMBLINE_TRACER_PRELOAD_POLLS_H
#define PLUMBLINE_TRACER_PRELOAD_POLLS_H

#include "tracer/preload/mpi/mpi_side.h"

#pragma GCC visibility push(hidden)

struct pl_poll {
  struct pl_call call; /* its own, or that of the run */
  uint64_t* payload;   /* where the words of this call go: of its own record, or behind the run */
  uint64_t key;        /* what it asks */
  uint64_t begin;      /* ticks, of one that extends a run */
  uint32_t site;
  uint16_t function;
  int extends; /* a run */
};

/* True when the run in hand goes on after the gap before `now`, which is longer than `of_a_loop`; counts it. */
int pl_goes_on_after_gap(struct pl_thread* t, uint64_t now, uint64_t of_a_loop);
/* Now and then, and after a poll that took long: what the thread's CPU time is. */
void pl_check_cpu_time(struct pl_thread* t);

PL_INLINE uint64_t pl_mix(uint64_t key, uint64_t word) { return (key ^ word) * 0x9E3779B97F4A7C15u ^ (key >> 29); }

/* Which question it is; PL_MOST_POLLED: none that is listed. */
PL_INLINE unsigned pl_question(struct pl_poll_loop* loop, uint64_t key) {
  unsigned i = loop->expected;
  if (PL_UNLIKELY(i >= loop->known || loop->questions[i].key != key)) {
    for (i = 0; i < loop->known && loop->questions[i].key != key;) ++i;
    if (i == loop->known) return PL_MOST_POLLED;
  }
  loop->expected = i + 1 == loop->known ? 0 : i + 1;
  return i;
}

/* The record of a single poll becomes that of a run: struct pl_polls behind its payload. Not published yet. */
PL_INLINE void pl_make_run(struct pl_poll_loop* loop) {
  loop->polls = (struct pl_polls*)(void*)(loop->record->payload + loop->words);
  loop->polls->polls = 1;
  loop->words += (unsigned)PL_POLLS_WORDS;
}

/* `words`: the most that the call may tell; they grow with its requests, and so does what the tracer does in the gap.
 * 0: it needs a record of its own. May define the site. */
PL_INLINE int pl_begin_poll(struct pl_thread* t, struct pl_poll* p, uint16_t function, uint64_t key, unsigned words,
                            void* return_address) {
  struct pl_poll_loop* loop = &t->loop;
  p->function = function;
  p->key = key;
  p->site = pl_site(t, return_address);
  p->extends = 0;
  p->begin = 0;
  t->polling = 1;
  struct pl_record* r = t->poll;
  if (r == NULL || r != loop->record) return 0;
  const unsigned room = loop->words + (unsigned)(loop->polls == NULL ? PL_POLLS_WORDS : 0) + 1 + words;
  if (PL_UNLIKELY(room > PL_MAX_WORDS || r->payload + room + PL_SPARE_WORDS > t->limit)) return 0;
  const uint64_t now = pl_ticks(), gap = now - r->end;
  if (PL_UNLIKELY(now >= pl.window_end)) return 0;
  const uint64_t of_a_loop = pl.poll_gap + words * (pl.poll_gap >> 8);
  if (PL_LIKELY(gap <= of_a_loop)) {
    if (loop->polls == NULL) pl_make_run(loop);
    if (gap > loop->polls->longest_gap) loop->polls->longest_gap = gap;
  } else if (!pl_goes_on_after_gap(t, now, of_a_loop)) {
    return 0;
  }
  p->extends = 1;
  p->begin = now;
  p->payload = r->payload + loop->words + 1;
  p->call = (struct pl_call){r, r->site_state >> 2 | PL_POLLED >> 2, r->function, (uint16_t)room};
  pl_publish(r, r->function, (uint16_t)room, p->call.site, PL_BEGUN);
  t->cursor = r->payload + room;
  pl_hold_call(t, &p->call);
  return 1;
}

/* The same of a record of its own, which `call` begins. */
PL_INLINE void pl_begin_own_poll(struct pl_thread* t, struct pl_poll* p, struct pl_call* call) {
  pl_begin_call(t, call);
  p->call = *call;
  p->payload = call->r->payload;
}

/* What the poll has told: 0: nothing, or `answer`, the same as when it was asked last. */
PL_INLINE int pl_tells_nothing_new(const struct pl_thread* t, const struct pl_poll* p, unsigned question,
                                   uint64_t answer) {
  const struct pl_poll_loop* loop = &t->loop;
  if (answer == 0) return 1;
  if (question >= loop->known || loop->questions[question].answer != answer) return 0;
  return p->extends || (const uint64_t*)(const void*)p->call.r == loop->behind;
}

/* It has extended the run. The `words` at p->payload are written with it, as an item in this state, or PL_NO_ITEM. */
#define PL_NO_ITEM UINT32_MAX
PL_INLINE void pl_end_extending(struct pl_thread* t, struct pl_poll* p, unsigned words, uint32_t packed,
                                enum pl_state state) {
  struct pl_poll_loop* loop = &t->loop;
  struct pl_record* r = p->call.r;
  const int goes_on = pl_is_last(t, &p->call) && state != PL_DONE;
  const uint64_t polls = ++loop->polls->polls;
  if (words != PL_NO_ITEM) {
    const uint32_t site_state = packed | p->site << 2 | (uint32_t)state;
    p->payload[-1] = (uint64_t)p->function | (uint64_t)words << 16 | (uint64_t)site_state << 32;
    loop->words += 1 + words;
  }
  if (pl_is_last(t, &p->call)) { /* the room is given back */
    p->call.words = (uint16_t)loop->words;
    t->cursor = r->payload + loop->words;
  }
  pl_done(&p->call);
  t->poll = goes_on ? r : NULL;
  loop->behind = t->cursor;
  if (PL_UNLIKELY((polls & 1023) == 16 || r->end - p->begin > pl.poll_check)) pl_check_cpu_time(t);
}

/* It has a record of its own and has told nothing new: the next one may extend it. */
PL_INLINE void pl_end_first(struct pl_thread* t, const struct pl_poll* p, uint64_t answer) {
  struct pl_poll_loop* loop = &t->loop;
  if (!loop->keeps_check && (const uint64_t*)(const void*)p->call.r != loop->behind) loop->checked = 0;
  loop->keeps_check = 0;
  loop->record = p->call.r;
  loop->polls = NULL;
  loop->words = p->call.words;
  loop->known = 1;
  loop->expected = 0;
  loop->questions[0] = (struct pl_question){p->key, answer};
  loop->behind = t->cursor;
  t->poll = pl_is_last(t, &p->call) ? p->call.r : NULL;
}

PL_INLINE void pl_end_poll(struct pl_thread* t) {
  t->polling = 0;
  pl_end_call(t);
}

/* It has told something: no later one extends this record, but to be told the same again is no news. */
PL_INLINE void pl_end_with_news(struct pl_thread* t, const struct pl_poll* p, uint64_t answer) {
  struct pl_poll_loop* loop = &t->loop;
  t->poll = NULL;
  loop->record = NULL;
  loop->keeps_check = 0;
  loop->known = 1;
  loop->expected = 0;
  loop->questions[0] = (struct pl_question){p->key, answer};
  loop->behind = t->cursor;
}

/* A question that is asked for the first time is listed, if there is room in the list. */
PL_INLINE int pl_is_to_be_listed(struct pl_poll_loop* loop, const struct pl_poll* p, unsigned question, uint64_t answer,
                                 unsigned words) {
  if (PL_LIKELY(question != PL_MOST_POLLED) || loop->known == PL_MOST_POLLED || words > 1024) return 0;
  loop->questions[loop->known++] = (struct pl_question){p->key, answer};
  return 1;
}

#pragma GCC visibility pop

#endif
