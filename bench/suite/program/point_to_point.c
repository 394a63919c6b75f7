// Messages between two ranks. Pairs are 0 and 1, 2 and 3, ..: a rank without a partner waits at the end.
#include <stdlib.h>

#include "suite.h"

enum { kTag = 1, kAnswer = 2 };

typedef struct {
  int bytes, partner;  // MPI_PROC_NULL: none
  char *out, *in;
} Pair;

static Pair pair_of(const Run* run, int messages) {
  const Mark mine = {run->rank, 0};
  Pair pair = {int_of(run, "bytes"), run->rank ^ 1, NULL, NULL};
  if (pair.partner >= run->ranks) pair.partner = MPI_PROC_NULL;
  pair.out = touched(run, (size_t)pair.bytes * (size_t)messages);
  pair.in = touched(run, (size_t)pair.bytes * (size_t)messages);
  for (int k = 0; k < messages; ++k) fill(pair.out + (size_t)k * (size_t)pair.bytes, mine, 0, (size_t)pair.bytes);
  return pair;
}

// The last one that came.
static void expect_partners(const Run* run, const Pair* pair, int message) {
  const Mark mark = {pair->partner, run->repetitions - 1};
  if (pair->partner != MPI_PROC_NULL)
    expect(run, pair->in + (size_t)message * (size_t)pair->bytes, mark, 0, (size_t)pair->bytes, "the message");
}

static void free_pair(Pair* pair) {
  free(pair->out);
  free(pair->in);
}

void ping_pong(Run* run) {
  Pair pair = pair_of(run, 1);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    renew(pair.out, (size_t)pair.bytes, i);
    if (run->rank % 2 == 0) {
      MPI_Send(pair.out, pair.bytes, MPI_BYTE, pair.partner, kTag, MPI_COMM_WORLD);
      MPI_Recv(pair.in, pair.bytes, MPI_BYTE, pair.partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(pair.in, pair.bytes, MPI_BYTE, pair.partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(pair.out, pair.bytes, MPI_BYTE, pair.partner, kTag, MPI_COMM_WORLD);
    }
  }
  end(run);
  expect_partners(run, &pair, 0);
  free_pair(&pair);
}

// Both ways at once, as neighbours do.
void exchange(Run* run) {
  Pair pair = pair_of(run, 1);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    renew(pair.out, (size_t)pair.bytes, i);
    MPI_Sendrecv(pair.out, pair.bytes, MPI_BYTE, pair.partner, kTag, pair.in, pair.bytes, MPI_BYTE, pair.partner, kTag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  end(run);
  expect_partners(run, &pair, 0);
  free_pair(&pair);
}

// A window of messages one way, then a short answer: the rate rather than the latency.
void stream(Run* run) {
  const int window = int_of(run, "window");
  Pair pair = pair_of(run, window);
  MPI_Request* const requests = malloc((size_t)window * sizeof *requests);
  if (!requests) stop(run, kCannotRunHere, "no memory for %d requests; ask for a smaller window", window);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    char answer = 0;
    if (run->rank % 2 == 0) {
      for (int k = 0; k < window; ++k) renew(pair.out + (size_t)k * (size_t)pair.bytes, (size_t)pair.bytes, i);
      for (int k = 0; k < window; ++k)
        MPI_Isend(pair.out + (size_t)k * (size_t)pair.bytes, pair.bytes, MPI_BYTE, pair.partner, kTag, MPI_COMM_WORLD,
                  &requests[k]);
      MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
      MPI_Recv(&answer, 1, MPI_BYTE, pair.partner, kAnswer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      for (int k = 0; k < window; ++k)
        MPI_Irecv(pair.in + (size_t)k * (size_t)pair.bytes, pair.bytes, MPI_BYTE, pair.partner, kTag, MPI_COMM_WORLD,
                  &requests[k]);
      MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
      MPI_Send(&answer, 1, MPI_BYTE, pair.partner, kAnswer, MPI_COMM_WORLD);
    }
  }
  end(run);
  for (int k = 0; k < window && run->rank % 2 == 1; ++k) expect_partners(run, &pair, k);
  free(requests);
  free_pair(&pair);
}

// One of each worker in a repetition, though not in this order.
static void take_results(Run* run, int bytes, char* out, char* in) {
  MPI_Status status;
  for (int i = 0; more(run, i); ++i)
    for (int worker = 1; worker < run->ranks; ++worker) {
      MPI_Recv(in, bytes, MPI_BYTE, MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &status);
      renew(out, (size_t)bytes, 0);
      MPI_Send(out, bytes, MPI_BYTE, status.MPI_SOURCE, kAnswer, MPI_COMM_WORLD);
    }
  expect(run, in, (Mark){status.MPI_SOURCE, run->repetitions - 1}, 0, (size_t)bytes, "the last result");
}

static void hand_in_results(Run* run, int bytes, char* out, char* in) {
  for (int i = 0; more(run, i); ++i) {
    renew(out, (size_t)bytes, i);
    MPI_Send(out, bytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD);
    MPI_Recv(in, bytes, MPI_BYTE, 0, kAnswer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  expect(run, in, (Mark){0, 0}, 0, (size_t)bytes, "the answer");
}

// Workers hand in results, and rank 0 takes them as they come and answers each: a task farm.
void wildcard(Run* run) {
  const int bytes = int_of(run, "bytes");
  char* const out = touched(run, (size_t)bytes);
  char* const in = touched(run, (size_t)bytes);
  fill(out, (Mark){run->rank, 0}, 0, (size_t)bytes);
  begin(run, int_of(run, "repetitions"));
  if (run->rank == 0)
    take_results(run, bytes, out, in);
  else
    hand_in_results(run, bytes, out, in);
  end(run);
  free(out);
  free(in);
}
