// A wavefront: each rank takes a block from the rank before, works on it, and hands it on. Sweeps go forth and back, as
// those of transport codes do, so that the pipeline fills and drains each time.
#include <stdint.h>
#include <stdlib.h>

#include "suite.h"

enum { kTag = 3 };

// Adds the rank's number to each element, `work` times over, and takes it away again but once.
static void work_on(uint64_t* block, int count, int rank, int work) {
  for (int round = 0; round < work; ++round)
    for (int i = 0; i < count; ++i) block[i] = (block[i] ^ (uint64_t)round) + (uint64_t)rank + 1;
  for (int round = work - 1; round > 0; --round)
    for (int i = 0; i < count; ++i) block[i] = (block[i] - (uint64_t)rank - 1) ^ (uint64_t)round;
}

// What the last rank of a sweep has: the first one's element i was i, and each rank has added its number + 1.
static void expect_sum(const Run* run, const uint64_t* block, int count) {
  const uint64_t added = (uint64_t)run->ranks * ((uint64_t)run->ranks + 1) / 2;
  for (int i = 0; i < count; ++i)
    if (block[i] != (uint64_t)i + added)
      stop(run, kWrongData, "element %d of the last block is %llu, not %llu", i, (unsigned long long)block[i],
           (unsigned long long)((uint64_t)i + added));
}

void pipeline(Run* run) {
  const int bytes = int_of(run, "bytes"), blocks = int_of(run, "blocks"), work = int_of(run, "work");
  const int count = bytes / (int)sizeof(uint64_t);
  uint64_t* const block = touched(run, (size_t)bytes);
  begin(run, int_of(run, "sweeps"));
  for (int sweep = 0; more(run, sweep); ++sweep) {
    const int step = sweep % 2 == 0 ? 1 : -1;
    const int before = run->rank - step, after = run->rank + step;
    const int from = before < 0 || before >= run->ranks ? MPI_PROC_NULL : before;
    const int to = after < 0 || after >= run->ranks ? MPI_PROC_NULL : after;
    for (int b = 0; b < blocks; ++b) {
      for (int i = 0; i < count && from == MPI_PROC_NULL; ++i) block[i] = (uint64_t)i;
      MPI_Recv(block, count, MPI_UINT64_T, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      work_on(block, count, run->rank, work);
      MPI_Send(block, count, MPI_UINT64_T, to, kTag, MPI_COMM_WORLD);
    }
    if (to == MPI_PROC_NULL) expect_sum(run, block, count);
  }
  end(run);
  free(block);
}
