// A square matrix that ranks share by rows is transposed by one MPI_Alltoall: datatypes on both sides put the columns
// in their places, as a parallel Fourier transform does it.
#include <stdint.h>
#include <stdlib.h>

#include "suite.h"

// Of `rows` x `rows` blocks in rows of `width` elements: one block, which begins `rows` elements after the one before.
static MPI_Datatype block_by_rows(int rows, int width) {
  MPI_Datatype block, placed;
  MPI_Type_vector(rows, rows, width, MPI_INT64_T, &block);
  MPI_Type_create_resized(block, 0, (MPI_Aint)rows * (MPI_Aint)sizeof(int64_t), &placed);
  MPI_Type_commit(&placed);
  MPI_Type_free(&block);
  return placed;
}

// The same block, column after column.
static MPI_Datatype block_by_columns(int rows, int width) {
  MPI_Datatype column, block, placed;
  MPI_Type_vector(rows, 1, width, MPI_INT64_T, &column);
  MPI_Type_create_hvector(rows, 1, sizeof(int64_t), column, &block);
  MPI_Type_create_resized(block, 0, (MPI_Aint)rows * (MPI_Aint)sizeof(int64_t), &placed);
  MPI_Type_commit(&placed);
  MPI_Type_free(&column);
  MPI_Type_free(&block);
  return placed;
}

// Element (i, j) of the matrix is i width + j; of the transposed one j width + i.
static void expect_transposed(const Run* run, const int64_t* matrix, int rows, int width) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < width; ++j) {
      const int64_t is = matrix[(int64_t)i * width + j];
      const int64_t should = (int64_t)j * width + (int64_t)run->rank * rows + i;
      if (is != should)
        stop(run, kWrongData, "row %d, column %d of the block is %lld, not %lld", i, j, (long long)is,
             (long long)should);
    }
}

void transpose(Run* run) {
  const int rows = int_of(run, "rows"), width = rows * run->ranks, repetitions = int_of(run, "repetitions");
  const size_t elements = (size_t)rows * (size_t)width;
  int64_t* const from = touched(run, elements * sizeof *from);
  int64_t* const to = touched(run, elements * sizeof *to);
  for (size_t i = 0; i < elements; ++i) from[i] = (int64_t)run->rank * (int64_t)elements + (int64_t)i;
  MPI_Datatype columns = block_by_columns(rows, width), lines = block_by_rows(rows, width);
  begin(run);
  for (int i = 0; i < repetitions; ++i) MPI_Alltoall(from, 1, columns, to, 1, lines, MPI_COMM_WORLD);
  end(run);
  expect_transposed(run, to, rows, width);
  MPI_Type_free(&columns);
  MPI_Type_free(&lines);
  free(from);
  free(to);
}
