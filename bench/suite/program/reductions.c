// Collectives that add. Element i of rank r is r + i, and in each repetition the first element of each cache line is
// one more (suite.h tells why). So every sum is known.
#include <stdint.h>
#include <stdlib.h>

#include "suite.h"

enum { kLine = 64 / sizeof(int64_t) };

typedef struct {
  int count;
  size_t all;  // elements of `out`
  int64_t *out, *in;
} Terms;

static Terms terms_of(const Run* run, int blocks) {
  const int count = int_of(run, "bytes") / (int)sizeof(int64_t);
  Terms terms = {count, (size_t)count * (size_t)blocks, NULL, NULL};
  terms.out = touched(run, terms.all * sizeof *terms.out);
  terms.in = touched(run, (size_t)terms.count * sizeof *terms.in);
  for (size_t i = 0; i < terms.all; ++i) terms.out[i] = run->rank + (int64_t)i;
  return terms;
}

static void renew_terms(Terms* terms) {
  for (size_t i = 0; i < terms->all; i += kLine) ++terms->out[i];
}

// Of the ranks from `from` to before `to`, from the element `first` of what they sent.
static void expect_sums(const Run* run, const Terms* terms, int64_t from, int64_t to, int64_t first) {
  for (int i = 0; i < terms->count; ++i) {
    const int64_t element = first + i + ((first + i) % kLine == 0 ? run->repetitions : 0);
    const int64_t sum = (to * (to - 1) - from * (from - 1)) / 2 + (to - from) * element;
    if (terms->in[i] != sum)
      stop(run, kWrongData, "element %d of the sum is %lld, not %lld", i, (long long)terms->in[i], (long long)sum);
  }
}

static void free_terms(Terms* terms) {
  free(terms->out);
  free(terms->in);
}

void reduce(Run* run) {
  Terms terms = terms_of(run, 1);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    renew_terms(&terms);
    MPI_Reduce(terms.out, terms.in, terms.count, MPI_INT64_T, MPI_SUM, collecting_root(run, i), MPI_COMM_WORLD);
  }
  end(run);
  if (run->rank == collecting_root(run, run->repetitions - 1)) expect_sums(run, &terms, 0, run->ranks, 0);
  free_terms(&terms);
}

void allreduce(Run* run) {
  Terms terms = terms_of(run, 1);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    renew_terms(&terms);
    MPI_Allreduce(terms.out, terms.in, terms.count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  }
  end(run);
  expect_sums(run, &terms, 0, run->ranks, 0);
  free_terms(&terms);
}

void reduce_scatter_block(Run* run) {
  if (!fits(run, (size_t)int_of(run, "bytes") * (size_t)run->ranks)) return;
  Terms terms = terms_of(run, run->ranks);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    renew_terms(&terms);
    MPI_Reduce_scatter_block(terms.out, terms.in, terms.count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  }
  end(run);
  expect_sums(run, &terms, 0, run->ranks, (int64_t)run->rank * terms.count);
  free_terms(&terms);
}

// To and fro: the first rank of a scan only sends. It would be many scans ahead of the others, and the time of theirs
// would be that of its messages in buffers; here it is the last one of the next scan.
void scan(Run* run) {
  Terms terms = terms_of(run, 1);
  MPI_Comm back;
  MPI_Comm_split(MPI_COMM_WORLD, 0, run->ranks - run->rank, &back);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    renew_terms(&terms);
    MPI_Scan(terms.out, terms.in, terms.count, MPI_INT64_T, MPI_SUM, i % 2 ? back : MPI_COMM_WORLD);
  }
  end(run);
  if (run->repetitions % 2)
    expect_sums(run, &terms, 0, run->rank + 1, 0);
  else
    expect_sums(run, &terms, run->rank, run->ranks, 0);
  MPI_Comm_free(&back);
  free_terms(&terms);
}
