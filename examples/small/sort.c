// Sorts integer keys by buckets: all ranks count theirs, agree by MPI_Allreduce who takes which buckets, tell each
// other by MPI_Alltoall how many keys will come, and hand them over by MPI_Alltoallv. Then each rank has keys between
// two bounds, and counts them into order.
//
//   mpirun -n 4 sort-openmpi [KEYS [ITERATIONS]]
//
// Each iteration sorts KEYS other keys. The checksum weighs each key by its place in the sorted whole, so it is the
// same on any number of ranks.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBuckets = 1024, kKeyBits = 20, kKeysInBucket = (1 << kKeyBits) / kBuckets };

struct work {
  int rank, ranks;
  int first, count;        // own keys, in all
  int32_t *keys, *packed;  // own ones, as they come and by buckets
  int own[kBuckets];       // keys in each bucket
  int everywhere[kBuckets];
  int owner[kBuckets];                           // rank that takes it
  int *sent, *sent_at, *received, *received_at;  // keys to and from each rank, and where they begin
  int32_t* sorted;
  int sorted_count;
};

static void* allocated(size_t bytes) {
  void* const memory = malloc(bytes > 0 ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "sort: no memory\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return memory;
}

// A key that looks random: the finalizer of MurmurHash3.
static int32_t key_of(int index, int iteration) {
  uint32_t h = (uint32_t)index * 2654435761u + (uint32_t)iteration;
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return (int32_t)((h ^ (h >> 16)) >> (32 - kKeyBits));
}

static struct work begin(int keys) {
  struct work w = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &w.ranks);
  w.first = (int)((int64_t)keys * w.rank / w.ranks);
  w.count = (int)((int64_t)keys * (w.rank + 1) / w.ranks) - w.first;
  w.keys = allocated((size_t)w.count * sizeof *w.keys);
  w.packed = allocated((size_t)w.count * sizeof *w.packed);
  w.sent = allocated(4 * (size_t)w.ranks * sizeof *w.sent);
  w.sent_at = w.sent + w.ranks;
  w.received = w.sent_at + w.ranks;
  w.received_at = w.received + w.ranks;
  return w;
}

static void end(struct work* w) {
  free(w->keys);
  free(w->packed);
  free(w->sent);
  free(w->sorted);
}

static void count_keys(struct work* w) {
  for (int b = 0; b < kBuckets; ++b) w->own[b] = 0;
  for (int i = 0; i < w->count; ++i) ++w->own[w->keys[i] / kKeysInBucket];
  MPI_Allreduce(w->own, w->everywhere, kBuckets, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

// Buckets go to ranks in their order, to each about as many keys.
static void share_buckets(struct work* w, int keys) {
  int64_t before = 0;
  for (int r = 0; r < w->ranks; ++r) w->sent[r] = 0;
  for (int b = 0; b < kBuckets; ++b) {
    w->owner[b] = keys > 0 ? (int)(before * w->ranks / keys) : 0;
    if (w->owner[b] >= w->ranks) w->owner[b] = w->ranks - 1;
    w->sent[w->owner[b]] += w->own[b];
    before += w->everywhere[b];
  }
}

static void pack(struct work* w) {
  int at[kBuckets], next = 0;
  for (int b = 0; b < kBuckets; ++b) {
    at[b] = next;
    next += w->own[b];
  }
  for (int i = 0; i < w->count; ++i) w->packed[at[w->keys[i] / kKeysInBucket]++] = w->keys[i];
}

static int places(const int* counts, int* at, int ranks) {
  int next = 0;
  for (int r = 0; r < ranks; ++r) {
    at[r] = next;
    next += counts[r];
  }
  return next;
}

static void hand_over(struct work* w) {
  MPI_Alltoall(w->sent, 1, MPI_INT, w->received, 1, MPI_INT, MPI_COMM_WORLD);
  places(w->sent, w->sent_at, w->ranks);
  w->sorted_count = places(w->received, w->received_at, w->ranks);
  free(w->sorted);
  w->sorted = allocated((size_t)w->sorted_count * sizeof *w->sorted);
  MPI_Alltoallv(w->packed, w->sent, w->sent_at, MPI_INT32_T, w->sorted, w->received, w->received_at, MPI_INT32_T,
                MPI_COMM_WORLD);
}

static void put_in_order(struct work* w) {
  int32_t least = 1 << kKeyBits, most = -1;
  for (int i = 0; i < w->sorted_count; ++i) {
    if (w->sorted[i] < least) least = w->sorted[i];
    if (w->sorted[i] > most) most = w->sorted[i];
  }
  if (most < least) return;
  const size_t bytes = (size_t)(most - least + 1) * sizeof(int);
  int* const counts = memset(allocated(bytes), 0, bytes);
  for (int i = 0; i < w->sorted_count; ++i) ++counts[w->sorted[i] - least];
  int next = 0;
  for (int32_t key = least; key <= most; ++key)
    for (int n = 0; n < counts[key - least]; ++n) w->sorted[next++] = key;
  free(counts);
}

static uint64_t checksum(const struct work* w) {
  int64_t count = w->sorted_count, before = 0;
  MPI_Exscan(&count, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (w->rank == 0) before = 0;
  uint64_t sum = 0, total = 0;
  for (int i = 0; i < w->sorted_count; ++i) sum += (uint64_t)w->sorted[i] * (uint64_t)(before + i + 1);
  MPI_Allreduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return total;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int keys = argc > 1 ? atoi(argv[1]) : 1 << 19, iterations = argc > 2 ? atoi(argv[2]) : 20;
  struct work w = begin(keys);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (int i = 0; i < w.count; ++i) w.keys[i] = key_of(w.first + i, iteration);
    count_keys(&w);
    share_buckets(&w, keys);
    pack(&w);
    hand_over(&w);
    put_in_order(&w);
  }
  const uint64_t sum = checksum(&w);
  if (w.rank == 0) printf("%d keys, %d times, checksum %016llx\n", keys, iterations, (unsigned long long)sum);
  end(&w);
  return MPI_Finalize();
}
