// Point-to-point and collective cells. Sizes and shapes are fixed: what a fault moves is read off the same cells
// always.
#include <math.h>
#include <string.h>
#include <time.h>

#include "cells.h"

void fill(char* buffer, int rank, size_t first, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) buffer[i] = pattern(rank, first + i);
}

void expect(Context* context, const char* buffer, int rank, size_t first, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) context->wrong += buffer[i] != pattern(rank, first + i);
}

static int right_of(const Context* context) { return (context->rank + 1) % context->ranks; }
static int left_of(const Context* context) { return (context->rank + context->ranks - 1) % context->ranks; }

static void ping_pong(Context* context, int bytes) {
  int last = context->ranks - 1;
  if (context->rank == 0) {
    MPI_Send(context->out, bytes, MPI_BYTE, last, 1, MPI_COMM_WORLD);
    MPI_Recv(context->in, bytes, MPI_BYTE, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (context->rank == last) {
    MPI_Recv(context->in, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(context->out, bytes, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
  }
}

static void verify_ping_pong(Context* context, size_t bytes) {
  int last = context->ranks - 1;
  if (context->rank == 0) expect(context, context->in, last, 0, bytes);
  if (context->rank == last) expect(context, context->in, 0, 0, bytes);
}

#define PING_PONG(name, bytes)                                                                      \
  static void name(Context* context, int iteration) { (void)iteration, ping_pong(context, bytes); } \
  static void name##_verify(Context* context) { verify_ping_pong(context, bytes); }
PING_PONG(ping_pong_8, 8)
PING_PONG(ping_pong_1k, 1 << 10)
PING_PONG(ping_pong_8k, 8 << 10)
PING_PONG(ping_pong_64k, 64 << 10)
PING_PONG(ping_pong_1m, 1 << 20)

// Two messages in a row to the last rank, which answers when it has both.
static void two_sends(Context* context, int iteration) {
  (void)iteration;
  int last = context->ranks - 1;
  if (context->rank == 0) {
    MPI_Send(context->out, 8, MPI_BYTE, last, 5, MPI_COMM_WORLD);
    MPI_Send(context->out, 8, MPI_BYTE, last, 6, MPI_COMM_WORLD);
    MPI_Recv(context->in, 8, MPI_BYTE, last, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (context->rank == last) {
    MPI_Recv(context->in, 8, MPI_BYTE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(context->in, 8, MPI_BYTE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(context->out, 8, MPI_BYTE, 0, 7, MPI_COMM_WORLD);
  }
}

static void shift_right(Context* context, int bytes) {
  MPI_Sendrecv(context->out, bytes, MPI_BYTE, right_of(context), 3, context->in, bytes, MPI_BYTE, left_of(context), 3,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

enum { kRingBytes = 32 << 10, kPairBytes = 256 << 10, kBcastBytes = 32 << 10, kBlockBytes = 16 << 10 };
enum { kSumDoubles = 4096, kSmallBytes = 1 << 10, kSquareRoots = 10000 };

// A barrier lets its ranks out one after the other and in any order. Where that matters all wait until it is over.
enum { kOutMicroseconds = 1000, kLateMicroseconds = 500 };

static void rest(int microseconds) {
  struct timespec length = {0, microseconds * 1000L};
  nanosleep(&length, NULL);
}

static void ring(Context* context, int iteration) {
  (void)iteration;
  rest(kOutMicroseconds);
  shift_right(context, kRingBytes);
}

static void verify_ring(Context* context) { expect(context, context->in, left_of(context), 0, kRingBytes); }
static void small_messages(Context* context, int iteration) { (void)iteration, shift_right(context, kSmallBytes); }
static void verify_small(Context* context) { expect(context, context->in, left_of(context), 0, kSmallBytes); }

static int partner_of(const Context* context) {
  int partner = context->rank ^ 1;
  return partner < context->ranks ? partner : MPI_PROC_NULL;
}

static void pairs(Context* context, int iteration) {
  (void)iteration;
  int partner = partner_of(context);
  MPI_Sendrecv(context->out, kPairBytes, MPI_BYTE, partner, 4, context->in, kPairBytes, MPI_BYTE, partner, 4,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void verify_pairs(Context* context) {
  if (partner_of(context) != MPI_PROC_NULL) expect(context, context->in, partner_of(context), 0, kPairBytes);
}

// The same exchange with a partner (the odd ranks) that comes late. Outside MPI it finds the other's request to send
// only after it has sent its own, and both transfers overlap. Inside MPI it has already taken that request, so its
// first message is the reply to it, and both serialise: docs/models/serialised-rendezvous.md.
enum { kNeverSent = 99 };

static void pairs_apart(Context* context, int iteration) {
  rest(kOutMicroseconds);
  if (context->rank % 2) rest(kLateMicroseconds);
  pairs(context, iteration);
}

static void pairs_inside(Context* context, int iteration) {
  rest(kOutMicroseconds);
  double end = microseconds() + kLateMicroseconds;
  for (int found = 0; context->rank % 2 && microseconds() < end;)
    MPI_Iprobe(partner_of(context), kNeverSent, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  pairs(context, iteration);
}

static void broadcast(Context* context, int bytes) {
  if (context->rank == 0) memcpy(context->in, context->out, (size_t)bytes);
  MPI_Bcast(context->in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void bcast_1k(Context* context, int iteration) { (void)iteration, broadcast(context, kSmallBytes); }
static void verify_bcast_1k(Context* context) { expect(context, context->in, 0, 0, kSmallBytes); }
static void bcast_32k(Context* context, int iteration) {
  (void)iteration;
  rest(kOutMicroseconds);
  broadcast(context, kBcastBytes);
}

static void verify_bcast_32k(Context* context) { expect(context, context->in, 0, 0, kBcastBytes); }

// Adds (rank + i) over the ranks: every element has a known sum.
static void sum(Context* context, int count) {
  double* mine = (double*)(void*)context->in;
  double* total = mine + kSumDoubles;
  for (int i = 0; i < count; i++) mine[i] = context->rank + i;
  MPI_Allreduce(mine, total, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void verify_sum(Context* context, int count) {
  const double* total = (const double*)(const void*)context->in + kSumDoubles;
  double ranks = context->ranks;
  for (int i = 0; i < count; i++) context->wrong += total[i] != ranks * (ranks - 1) / 2 + ranks * i;
}

// Ten, because the first one waits for the last rank to leave the barrier.
enum { kSumsInARow = 10 };

static void allreduce_8(Context* context, int iteration) {
  (void)iteration;
  for (int i = 0; i < kSumsInARow; i++) sum(context, 1);
}

static void verify_allreduce_8(Context* context) { verify_sum(context, 1); }
static void allreduce_32k(Context* context, int iteration) {
  (void)iteration;
  rest(kOutMicroseconds);
  sum(context, kSumDoubles);
}

static void verify_allreduce_32k(Context* context) { verify_sum(context, kSumDoubles); }

// 10,000 square roots (some 0.07 ms of a core), then the smallest allreduce.
static void compute_allreduce(Context* context, int iteration) {
  volatile double root = iteration;
  for (int i = 0; i < kSquareRoots; i++) root = sqrt(root + i);
  sum(context, 1);
}

static void alltoall(Context* context, int iteration) {
  (void)iteration;
  MPI_Alltoall(context->out, kBlockBytes, MPI_BYTE, context->in, kBlockBytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void verify_alltoall(Context* context) {
  for (int from = 0; from < context->ranks; from++)
    expect(context, context->in + (size_t)from * kBlockBytes, from, (size_t)context->rank * kBlockBytes, kBlockBytes);
}

// Jacobi: 256 x 64 cells a rank (all nodes share the cores of one machine, so that the arithmetic must be little) in a
// periodic grid of ranks, halo of one from the four neighbours, five-point mean (which keeps the sum of all cells: the
// check), then the sum by an allreduce. Ten steps are one iteration.
enum { kWide = 256, kHigh = 64, kPitch = kWide + 2, kJacobiSteps = 10, kNeighbours = 4 };

typedef struct {
  MPI_Comm grid;
  MPI_Datatype column;
  int neighbour[kNeighbours];
  double first_sum, last_sum;
  double cells[2][(kHigh + 2) * kPitch];
} Jacobi;

static Jacobi jacobi;
// dy, dx of each neighbour; the opposite of number k is number 3 - k.
static const int kDirections[kNeighbours][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};

// Eight partial sums: one after the other would take as long as a step.
static double global_sum(const double* cells) {
  double part[8] = {0}, mine = 0, total = 0;
  for (int y = 1; y <= kHigh; y++)
    for (int x = 1; x <= kWide; x += 8)
      for (int k = 0; k < 8; k++) part[k] += cells[y * kPitch + x + k];
  for (int k = 0; k < 8; k++) mine += part[k];
  MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, jacobi.grid);
  return total;
}

static void jacobi_prepare(Context* context) {
  int dims[2] = {0, 0}, periods[2] = {1, 1}, here[2];
  MPI_Dims_create(context->ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &jacobi.grid);
  MPI_Cart_coords(jacobi.grid, context->rank, 2, here);
  for (int k = 0; k < kNeighbours; k++) {
    int there[2] = {here[0] + kDirections[k][0], here[1] + kDirections[k][1]};
    MPI_Cart_rank(jacobi.grid, there, &jacobi.neighbour[k]);
  }
  MPI_Type_vector(kHigh, 1, kPitch, MPI_DOUBLE, &jacobi.column);
  MPI_Type_commit(&jacobi.column);
  for (int y = 1; y <= kHigh; y++)
    for (int x = 1; x <= kWide; x++) jacobi.cells[0][y * kPitch + x] = (context->rank * 31 + y * 7 + x * 3) % 101;
  jacobi.first_sum = global_sum(jacobi.cells[0]);
}

// First cell of the edge towards (dy, dx): inside the own block when sending, in the halo when receiving.
static double* edge(double* cells, int dy, int dx, bool halo) {
  int y = dy < 0 ? (halo ? 0 : 1) : dy > 0 ? (halo ? kHigh + 1 : kHigh) : 1;
  int x = dx < 0 ? (halo ? 0 : 1) : dx > 0 ? (halo ? kWide + 1 : kWide) : 1;
  return cells + y * kPitch + x;
}

static void exchange_halo(double* cells) {
  MPI_Request requests[2 * kNeighbours];
  for (int k = 0; k < kNeighbours; k++) {
    int dy = kDirections[k][0], dx = kDirections[k][1];
    int count = dx == 0 ? kWide : 1;
    MPI_Datatype type = dy == 0 ? jacobi.column : MPI_DOUBLE;
    MPI_Irecv(edge(cells, dy, dx, true), count, type, jacobi.neighbour[k], kNeighbours - 1 - k, jacobi.grid,
              &requests[2 * k]);
    MPI_Isend(edge(cells, dy, dx, false), count, type, jacobi.neighbour[k], k, jacobi.grid, &requests[2 * k + 1]);
  }
  MPI_Waitall(2 * kNeighbours, requests, MPI_STATUSES_IGNORE);
}

static void relax(const double* restrict from, double* restrict to) {
  for (int y = 1; y <= kHigh; y++) {
    const double* row = from + y * kPitch;
    for (int x = 1; x <= kWide; x++)
      to[y * kPitch + x] = (row[x - kPitch] + row[x - 1] + row[x] + row[x + 1] + row[x + kPitch]) * 0.2;
  }
}

static void jacobi_steps(Context* context, int iteration) {
  (void)context;
  (void)iteration;
  for (int step = 0; step < kJacobiSteps; step++) {
    exchange_halo(jacobi.cells[step % 2]);
    relax(jacobi.cells[step % 2], jacobi.cells[1 - step % 2]);
    jacobi.last_sum = global_sum(jacobi.cells[1 - step % 2]);
  }
}

static void verify_jacobi(Context* context) {
  context->wrong += !(fabs(jacobi.last_sum - jacobi.first_sum) <= 1e-9 * fabs(jacobi.first_sum));
  MPI_Type_free(&jacobi.column);
  MPI_Comm_free(&jacobi.grid);
}

const Cell kCommunicationCells[] = {
    {"pingpong_8", "one way of a ping-pong, first and last rank, 8 B", 1500, 20, false, 0.5, NULL, NULL, ping_pong_8,
     ping_pong_8_verify},
    {"pingpong_1k", "the same, 1 KiB", 500, 10, false, 0.5, NULL, NULL, ping_pong_1k, ping_pong_1k_verify},
    {"pingpong_8k", "the same, 8 KiB", 100, 3, false, 0.5, NULL, NULL, ping_pong_8k, ping_pong_8k_verify},
    {"pingpong_64k", "the same, 64 KiB", 20, 2, false, 0.5, NULL, NULL, ping_pong_64k, ping_pong_64k_verify},
    {"pingpong_1m", "the same, 1 MiB", 3, 1, false, 0.5, NULL, NULL, ping_pong_1m, ping_pong_1m_verify},
    {"two_sends", "two messages of 8 B in a row to the last rank, and its answer", 500, 10, false, 1, NULL, NULL,
     two_sends, ping_pong_8_verify},
    {"allreduce_8", "MPI_Allreduce of one double, of ten in a row", 300, 2, true, 1.0 / kSumsInARow, NULL, NULL,
     allreduce_8, verify_allreduce_8},
    {"ring_32k", "MPI_Sendrecv of 32 KiB to the right neighbour", 40, 2, true, 1, NULL, NULL, ring, verify_ring},
    {"pairs_apart", "MPI_Sendrecv of 256 KiB with rank xor 1, the odd ranks 0.5 ms late outside MPI: overlaps", 8, 1,
     true, 1, NULL, NULL, pairs_apart, verify_pairs},
    {"pairs_inside", "the same, the odd ranks 0.5 ms late inside MPI: serialises", 8, 1, true, 1, NULL, NULL,
     pairs_inside, verify_pairs},
    {"bcast_1k", "MPI_Bcast of 1 KiB from rank 0", 400, 5, true, 1, NULL, NULL, bcast_1k, verify_bcast_1k},
    {"bcast_32k", "the same, 32 KiB", 20, 1, true, 1, NULL, NULL, bcast_32k, verify_bcast_32k},
    {"allreduce_32k", "MPI_Allreduce of 4096 doubles", 25, 2, true, 1, NULL, NULL, allreduce_32k, verify_allreduce_32k},
    {"alltoall_16k", "MPI_Alltoall, 16 KiB a pair", 20, 2, true, 1, NULL, NULL, alltoall, verify_alltoall},
    {"compute_allreduce", "10,000 square roots, then MPI_Allreduce of one double", 300, 5, true, 1, NULL, NULL,
     compute_allreduce, verify_allreduce_8},
    {"jacobi", "ten Jacobi steps, 256 x 64 cells a rank, four neighbours", 90, 3, true, 1, jacobi_prepare, NULL,
     jacobi_steps, verify_jacobi},
    {"small_messages", "1 KiB to the right neighbour, 1800 in a row: for the tail", 1800, 10, true, 1, NULL, NULL,
     small_messages, verify_small},
};
const size_t kCommunicationCellCount = sizeof kCommunicationCells / sizeof kCommunicationCells[0];
