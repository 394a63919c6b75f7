/* What a record costs, measured in this process: the whole path of a call, without the call, into scratch memory. */
#include <string.h>

#include "tracer/preload/core/preload.h"

enum { kBatches = 15, kRecords = 64, kScratchWords = 64 * 1024 };

static uint64_t median(uint64_t* values, int n) {
  for (int i = 1; i < n; ++i)
    for (int k = i; k > 0 && values[k] < values[k - 1]; --k) {
      uint64_t swap = values[k];
      values[k] = values[k - 1];
      values[k - 1] = swap;
    }
  return values[n / 2];
}

void pl_measure_cost(uint64_t (*record_nothing)(struct pl_thread* t)) {
  uint64_t inside[kBatches], whole[kBatches], scratch_bytes = kScratchWords * sizeof(uint64_t);
  struct pl_thread scratch;
  uint64_t* memory = pl_map(scratch_bytes);
  if (memory == NULL) return;
  memset(memory, 0, scratch_bytes); /* pages are there, as those of a segment are */
  memset(&scratch, 0, sizeof scratch);
  scratch.cursor = memory;
  scratch.limit = memory + kScratchWords;
  for (int batch = 0; batch < kBatches; ++batch) {
    uint64_t sum = 0, begin = pl_ticks();
    scratch.time = begin;
    for (int i = 0; i < kRecords; ++i) sum += record_nothing(&scratch);
    whole[batch] = (pl_ticks() - begin) / kRecords;
    inside[batch] = sum / kRecords;
  }
  pl_unmap(memory, scratch_bytes);
  uint64_t in = median(inside, kBatches), all = median(whole, kBatches);
  pl.header->cost_inside_ticks = in;
  pl.header->cost_outside_ticks = all > in ? all - in : 0;
}
