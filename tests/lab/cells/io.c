// MPI-IO cells. Every region lies around the border at 4 MiB between the file's two shards, so that the shards' servers
// share the work. The file is kept: a new one could find both its shards on one server.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"

enum { kFileBytes = 8 << 20, kShardBytes = 4 << 20 };
enum { kStridedBlock = 4 << 10, kStridedBlocks = 32, kContiguousBytes = 128 << 10, kRereadBytes = 512 << 10 };
enum { kIndependentBytes = 128 << 10, kSmallBytes = 1000, kSmallPitch = 1500, kSmallRequests = 24 };
enum { kHoleBlock = 64, kHolePitch = 256, kHoleBlocks = 256 };

// An I/O error ends the program: the file's error handler is set to abort, as communicators have it by default.
void io_open(Context* context, MPI_File* file) {
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  MPI_File_open(MPI_COMM_WORLD, context->file, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, file);
}

void io_close(MPI_File* file) { MPI_File_close(file); }

static MPI_Offset start_of(const Context* context, size_t bytes_per_rank) {
  MPI_Offset total = (MPI_Offset)bytes_per_rank * context->ranks;
  return total / 2 < kShardBytes ? kShardBytes - total / 2 : 0;
}

static MPI_Offset mine(const Context* context, size_t bytes_per_rank) {
  return start_of(context, bytes_per_rank) + (MPI_Offset)bytes_per_rank * context->rank;
}

static int owner(const Context* context) { return context->rank + context->salt; }

static void bytes_view(Context* context) {
  MPI_File_set_view(context->handle, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
}

static void plain_prepare(Context* context) {
  bytes_view(context);
  fill(context->out, owner(context), 0, kBufferBytes);
}

static MPI_File spare = MPI_FILE_NULL;  // of the cells io_open and io_close

static void close_spare(Context* context) {
  (void)context;
  if (spare != MPI_FILE_NULL) io_close(&spare);
}

static void open_run(Context* context, int iteration) { (void)iteration, io_open(context, &spare); }

// --- strided: blocks of 4 KiB of all ranks interleaved, 32 a rank
enum { kStridedBytes = kStridedBlock * kStridedBlocks };

static void strided_prepare(Context* context) {
  MPI_Datatype blocks;
  MPI_Type_vector(kStridedBlocks, kStridedBlock, kStridedBlock * context->ranks, MPI_BYTE, &blocks);
  MPI_Type_commit(&blocks);
  MPI_Offset first = start_of(context, kStridedBytes) + (MPI_Offset)kStridedBlock * context->rank;
  MPI_File_set_view(context->handle, first, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
  MPI_Type_free(&blocks);
  fill(context->out, owner(context), 0, kStridedBytes);
}

static void strided_write(Context* context, int iteration) {
  (void)iteration;
  MPI_File_write_at_all(context->handle, 0, context->out, kStridedBytes, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_sync(context->handle);
}

static void strided_read_prepare(Context* context) {
  strided_prepare(context);
  strided_write(context, 0);
}

static void strided_read(Context* context, int iteration) {
  (void)iteration;
  MPI_File_read_at_all(context->handle, 0, context->in, kStridedBytes, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void strided_verify(Context* context) {
  memset(context->in, 0, kStridedBytes);
  strided_read(context, 0);
  expect(context, context->in, owner(context), 0, kStridedBytes);
}

// --- contiguous: 128 KiB a rank, one collective call
static void contiguous_write(Context* context, int iteration) {
  (void)iteration;
  MPI_File_write_at_all(context->handle, mine(context, kContiguousBytes), context->out, kContiguousBytes, MPI_BYTE,
                        MPI_STATUS_IGNORE);
  MPI_File_sync(context->handle);
}

// Reads what the right neighbour wrote.
static void contiguous_verify(Context* context) {
  int other = (context->rank + 1) % context->ranks;
  MPI_Offset first = start_of(context, kContiguousBytes) + (MPI_Offset)kContiguousBytes * other;
  MPI_File_read_at_all(context->handle, first, context->in, kContiguousBytes, MPI_BYTE, MPI_STATUS_IGNORE);
  expect(context, context->in, other + context->salt, 0, kContiguousBytes);
}

// --- reread: 512 KiB a rank, read again and again: comes from the servers' caches while they have room
static void reread_prepare(Context* context) {
  plain_prepare(context);
  MPI_File_write_at_all(context->handle, mine(context, kRereadBytes), context->out, kRereadBytes, MPI_BYTE,
                        MPI_STATUS_IGNORE);
  MPI_File_sync(context->handle);
}

static void reread(Context* context, int iteration) {
  (void)iteration;
  MPI_File_read_at_all(context->handle, mine(context, kRereadBytes), context->in, kRereadBytes, MPI_BYTE,
                       MPI_STATUS_IGNORE);
}

static void reread_verify(Context* context) { expect(context, context->in, owner(context), 0, kRereadBytes); }

// --- independent: 128 KiB a rank in requests of --request bytes
static void independent_write(Context* context, int iteration) {
  (void)iteration;
  for (int at = 0; at < kIndependentBytes; at += context->request) {
    int bytes = kIndependentBytes - at < context->request ? kIndependentBytes - at : context->request;
    MPI_File_write_at(context->handle, mine(context, kIndependentBytes) + at, context->out + at, bytes, MPI_BYTE,
                      MPI_STATUS_IGNORE);
  }
}

static void independent_verify(Context* context) {
  MPI_File_read_at_all(context->handle, mine(context, kIndependentBytes), context->in, kIndependentBytes, MPI_BYTE,
                       MPI_STATUS_IGNORE);
  expect(context, context->in, owner(context), 0, kIndependentBytes);
}

// --- small: 24 independent writes of 1000 B at odd places
static MPI_Offset small_place(const Context* context, int i) {
  return mine(context, kSmallPitch * kSmallRequests + 77) + 13 + (MPI_Offset)kSmallPitch * i;
}

static void small_write(Context* context, int iteration) {
  (void)iteration;
  for (int i = 0; i < kSmallRequests; i++)
    MPI_File_write_at(context->handle, small_place(context, i), context->out, kSmallBytes, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void small_verify(Context* context) {
  for (int i = 0; i < kSmallRequests; i++) {
    MPI_File_read_at(context->handle, small_place(context, i), context->in, kSmallBytes, MPI_BYTE, MPI_STATUS_IGNORE);
    expect(context, context->in, owner(context), 0, kSmallBytes);
  }
}

// --- holes: independent read of 256 pieces of 64 B, 256 B apart; data sieving makes one request of them
static void holes_prepare(Context* context) {
  plain_prepare(context);
  MPI_File_write_at_all(context->handle, mine(context, kHolePitch * kHoleBlocks), context->out,
                        kHolePitch * kHoleBlocks, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_sync(context->handle);
  MPI_Datatype pieces;
  MPI_Type_vector(kHoleBlocks, kHoleBlock, kHolePitch, MPI_BYTE, &pieces);
  MPI_Type_commit(&pieces);
  MPI_File_set_view(context->handle, mine(context, kHolePitch * kHoleBlocks), MPI_BYTE, pieces, "native",
                    MPI_INFO_NULL);
  MPI_Type_free(&pieces);
}

static void holes_read(Context* context, int iteration) {
  (void)iteration;
  MPI_File_read_at(context->handle, 0, context->in, kHoleBlock * kHoleBlocks, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void holes_verify(Context* context) {
  for (int i = 0; i < kHoleBlocks; i++)
    expect(context, context->in + (size_t)i * kHoleBlock, owner(context), (size_t)i * kHolePitch, kHoleBlock);
}

// --- close: of a file this rank has just written to
static void close_run(Context* context, int iteration) { (void)context, (void)iteration, io_close(&spare); }
static void close_before(Context* context) {
  io_open(context, &spare);
  MPI_File_write_at(spare, mine(context, kStridedBlock), context->out, kStridedBlock, MPI_BYTE, MPI_STATUS_IGNORE);
}

// So many that they take four seconds: what other guests take of memory changes within one. Open MPI opens a file in
// 110 ms here, MPICH in 21.
#ifdef OPEN_MPI
enum { kOpens = 45, kCloses = 60 };
#else
enum { kOpens = 180, kCloses = 120 };
#endif

const Cell kIoCells[] = {
    {"io_open", "MPI_File_open of the existing file", kOpens, 0, true, 1, NULL, close_spare, open_run, close_spare},
    {"io_strided_write", "collective write of 32 interleaved 4 KiB blocks a rank, and sync", 3, 1, true, 1,
     strided_prepare, NULL, strided_write, strided_verify},
    {"io_strided_read", "collective read of the same", 3, 1, true, 1, strided_read_prepare, NULL, strided_read,
     strided_verify},
    {"io_contiguous_write", "collective write of 128 KiB a rank, and sync", 3, 1, true, 1, plain_prepare, NULL,
     contiguous_write, contiguous_verify},
    {"io_reread", "collective read of 512 KiB a rank, again and again", 2, 0, true, 1, reread_prepare, NULL, reread,
     reread_verify},
    {"io_independent", "128 KiB a rank in independent writes of --request bytes", 3, 1, true, 1, plain_prepare, NULL,
     independent_write, independent_verify},
    {"io_small", "24 independent writes of 1000 B at odd places", 80, 1, true, 1, plain_prepare, NULL, small_write,
     small_verify},
    {"io_holes_read", "independent read of 256 pieces of 64 B with holes", 5, 1, true, 1, holes_prepare, NULL,
     holes_read, holes_verify},
    // Slow closes and others come in turn (1.4 and 1.2 ms, 6.5 and 9 ms), in shares that differ from run to run.
    {"io_close", "MPI_File_close after a write of 4 KiB, the faster of two in a row", kCloses, 0, true, 1, NULL,
     close_before, close_run, NULL, .best_of = 2},
};
const size_t kIoCellCount = sizeof kIoCells / sizeof kIoCells[0];
