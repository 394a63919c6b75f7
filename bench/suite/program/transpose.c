// A square matrix that ranks share by rows is transposed by one MPI_Alltoall, as parallel Fourier transforms do it: the
// program packs and unpacks the columns itself, or leaves that to datatypes on both sides.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

typedef struct {
  int rows, width;  // of each rank; of the matrix
  int words;        // of an element
  size_t elements;  // of each rank
  int64_t *from, *to;
  bool by_datatypes;
  int64_t *out, *in;            // packed
  MPI_Datatype columns, lines;  // the block of one rank, column after column and row after row
} Matrix;

// A block begins `rows` elements after the one before.
static MPI_Datatype placed(MPI_Datatype block, const Matrix* m) {
  MPI_Datatype result;
  MPI_Type_create_resized(block, 0, (MPI_Aint)m->rows * m->words * (MPI_Aint)sizeof(int64_t), &result);
  MPI_Type_commit(&result);
  MPI_Type_free(&block);
  return result;
}

static void make_types(Matrix* m) {
  MPI_Datatype element, column, block;
  MPI_Type_contiguous(m->words, MPI_INT64_T, &element);
  MPI_Type_vector(m->rows, 1, m->width, element, &column);
  MPI_Type_create_hvector(m->rows, 1, (MPI_Aint)m->words * (MPI_Aint)sizeof(int64_t), column, &block);
  m->columns = placed(block, m);
  MPI_Type_vector(m->rows, m->rows, m->width, element, &block);
  m->lines = placed(block, m);
  MPI_Type_free(&column);
  MPI_Type_free(&element);
}

// All words of element (i, j) are i width + j, and one more in each repetition.
static Matrix make_matrix(const Run* run) {
  Matrix m = {.rows = int_of(run, "rows"),
              .words = int_of(run, "element") / (int)sizeof(int64_t),
              .by_datatypes = int_of(run, "datatypes") != 0};
  m.width = m.rows * run->ranks;
  m.elements = (size_t)m.rows * (size_t)m.width;
  const size_t words = m.elements * (size_t)m.words;
  m.from = touched(run, words * sizeof *m.from);
  m.to = touched(run, words * sizeof *m.to);
  m.out = touched(run, m.by_datatypes ? 0 : words * sizeof *m.out);
  m.in = touched(run, m.by_datatypes ? 0 : words * sizeof *m.in);
  for (size_t i = 0; i < words; ++i) m.from[i] = (int64_t)((size_t)run->rank * m.elements + i / (size_t)m.words);
  make_types(&m);
  return m;
}

static void expect_transposed(const Run* run, const Matrix* m) {
  for (size_t i = 0; i < m->elements * (size_t)m->words; ++i) {
    const int64_t element = (int64_t)(i / (size_t)m->words), row = element / m->width, column = element % m->width;
    const int64_t should = column * m->width + (int64_t)run->rank * m->rows + row + run->repetitions;
    if (m->to[i] != should)
      stop(run, kWrongData, "row %lld, column %lld of the block is %lld, not %lld", (long long)row, (long long)column,
           (long long)m->to[i], (long long)should);
  }
}

// Where the element is that is number `row` of column `column`, in the packed block of `rank`.
static size_t packed_place(const Matrix* m, int rank, int column, int row) {
  const size_t rows = (size_t)m->rows;
  return (((size_t)rank * rows + (size_t)column) * rows + (size_t)row) * (size_t)m->words;
}

static void pack(Matrix* m, int ranks) {
  const size_t bytes = (size_t)m->words * sizeof *m->out;
  for (int row = 0; row < m->rows; ++row)
    for (int rank = 0; rank < ranks; ++rank)
      for (int column = 0; column < m->rows; ++column)
        memcpy(m->out + packed_place(m, rank, column, row),
               m->from + ((size_t)row * (size_t)m->width + (size_t)(rank * m->rows + column)) * (size_t)m->words,
               bytes);
}

// What was a column is a row now.
static void unpack(Matrix* m, int ranks) {
  const size_t bytes = (size_t)m->rows * (size_t)m->words * sizeof *m->in;
  for (int rank = 0; rank < ranks; ++rank)
    for (int row = 0; row < m->rows; ++row)
      memcpy(m->to + ((size_t)row * (size_t)m->width + (size_t)(rank * m->rows)) * (size_t)m->words,
             m->in + packed_place(m, rank, row, 0), bytes);
}

static void transpose_packed(Matrix* m, int ranks) {
  const int count = m->rows * m->rows * m->words;
  pack(m, ranks);
  MPI_Alltoall(m->out, count, MPI_INT64_T, m->in, count, MPI_INT64_T, MPI_COMM_WORLD);
  unpack(m, ranks);
}

void transpose(Run* run) {
  const size_t rows = (size_t)int_of(run, "rows");
  if (!fits(run, rows * rows * (size_t)run->ranks * (size_t)int_of(run, "element"))) return;
  Matrix m = make_matrix(run);
  const size_t words = m.elements * (size_t)m.words;
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    for (size_t k = 0; k < words; ++k) ++m.from[k];
    if (m.by_datatypes)
      MPI_Alltoall(m.from, 1, m.columns, m.to, 1, m.lines, MPI_COMM_WORLD);
    else
      transpose_packed(&m, run->ranks);
  }
  end(run);
  expect_transposed(run, &m);
  MPI_Type_free(&m.columns);
  MPI_Type_free(&m.lines);
  free(m.from);
  free(m.to);
  free(m.out);
  free(m.in);
}
