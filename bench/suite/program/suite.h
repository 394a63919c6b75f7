// What the cells of the suite share. A cell is one piece of work that real programs do, with its sizes as parameters,
// at call sites of its own: `plumbline validate` records it, replays it and compares the two.
#pragma once
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// docs/reference/exit-codes.md
enum { kWrongData = 1, kWrongUse = 2, kBadInput = 3, kCannotRunHere = 6 };
enum { kMostParameters = 6, kPathBytes = 4096, kMostBlocks = 256 };

typedef struct {
  const char* name;
  long by_default, least, most;
  const char* summary;
} Parameter;

typedef struct Run Run;

typedef struct {
  const char *name, *summary;
  int least_ranks;
  bool uses_files;
  void (*function)(Run* run);
  Parameter parameters[kMostParameters];  // up to the first without a name
} Cell;

// Times of as many repetitions each. Each rank is the root equally often in them. When all places are taken, two blocks
// become one.
typedef struct {
  double seconds[kMostBlocks];
  double began;  // the block that is not done
  int count, repetitions;
} Blocks;

// One cell as it was asked for.
struct Run {
  const Cell* cell;
  long values[kMostParameters];  // of the cell's parameters, in their order
  int rank, ranks;
  const char* directory;  // of all files of this start; "" where no cell uses any
  MPI_Info hints;         // for MPI_File_open
  double budget;          // seconds of the timed part, in which fewer repetitions may do; 0: all are done
  int least;              // repetitions that are done whatever they take
  int repetitions;        // to be done, and after the timed part that were done
  double began, seconds;  // of the timed part, on this rank
  Blocks blocks;          // of the timed part, on this rank
  char skipped[96];       // why it was not run; "": it was
};

// What the command line asks for.
typedef struct {
  const char* directory;
  const char* hints;  // "key=value,key=value"; NULL: none
  double seconds;     // of all cells together; 0: no matter
  int least;          // repetitions of each cell, whatever they take
  bool json, list, help;
  Run* runs;
  int count;
  char fault[512];  // what is wrong with the command line; "": nothing
} Options;

extern const Cell kCells[];
extern const size_t kCellCount;

Options parse_options(int count, char** words);
size_t hint_length(const char* hints);  // of the first one; a piece without '=' belongs to the value before it
void print_list(FILE* to);              // all cells with their parameters, as JSON

long value_of(const Run* run, const char* name);  // of a parameter
int int_of(const Run* run, const char* name);

// Around what is timed; all ranks begin together. What is before and after is recorded too, and is not timed:
//   begin(run, repetitions);
//   for (int i = 0; more(run, i); ++i) ..
//   end(run);
// All ranks ask for more() of the same i in turn: after the least number, 10 and 100 times that .. they agree how many
// can be done in the budget.
void begin(Run* run, int repetitions);
bool more(Run* run, int i);
void end(Run* run);

// What the timed part would have taken on this rank if all of its repetitions were as the median of its blocks:
// whatever stops a rank for a moment is in few of them. The time of all where there are few blocks.
double typical_seconds(const Run* run);

// What a rank has said on stderr reaches the user: launchers drop what comes just before it is ended.
void wait_until_forwarded(void);

// Ends all ranks with a message that names the rank and the cell.
_Noreturn void stop(const Run* run, int status, const char* format, ...) __attribute__((format(printf, 3, 4)));

// Whether a buffer of so many bytes on each rank is within reason; else the cell is skipped. What ranks have for every
// rank grows with their number.
bool fits(Run* run, size_t bytes);

// Memory that has been written to, so that no page of it comes into being in what is timed. Ends with free().
void* touched(const Run* run, size_t bytes);

// Data that tells whose it is and when it was sent. `owner` is a rank, or what stands for one; `number` is that of the
// repetition and stands once in each cache line; `first` is the place of the first byte in a larger whole.
//
// Programs write what they send. What is sent again and again unchanged stays in the receiver's cache, and travels
// faster than any program's data: so cells renew what they send.
typedef struct {
  long owner;
  int number;
} Mark;

void fill(void* data, Mark mark, size_t first, size_t bytes);
void renew(void* data, size_t bytes, int number);  // of a whole
void expect(const Run* run, const void* data, Mark mark, size_t first, size_t bytes, const char* what);

// Each rank is the root in turn: from one root all the time, ranks that only send or only receive would run ahead of
// the others, and many collectives would be under way at once. The rank before the root is farthest from it in a chain,
// and in a binomial tree of a power of two of ranks. So the turn goes where a collective waits for all steps of the
// last one: data that spread from a root reach the next one last, and the last root is the first to send where they are
// collected.
int spreading_root(const Run* run, int repetition);
int collecting_root(const Run* run, int repetition);

// Files of this start are in a directory of their own, which is removed whatever happens.
void make_directory(const Options* options, int rank, char path[kPathBytes]);
void remove_directory(const char* path);
void path_of(const Run* run, const char* name, int number, char path[kPathBytes]);  // number < 0: none
void check(const Run* run, int mpi_status, const char* doing, const char* path);
// Of a request of `bytes`: Open MPI's OMPIO calls it a success when the disk is full, and counts what it has written.
void check_moved(const Run* run, int mpi_status, const MPI_Status* moved, int bytes, const char* doing,
                 const char* path);
MPI_Datatype with_gaps(int piece, MPI_Aint pitch);  // of a view: the first `piece` bytes of every `pitch`; committed
void check_posix(const Run* run, long result, const char* doing, const char* path);  // result < 0: see errno

void ping_pong(Run* run);
void exchange(Run* run);
void stream(Run* run);
void wildcard(Run* run);
void barrier(Run* run);
void bcast(Run* run);
void reduce(Run* run);
void allreduce(Run* run);
void gather(Run* run);
void scatter(Run* run);
void allgather(Run* run);
void alltoall(Run* run);
void reduce_scatter_block(Run* run);
void scan(Run* run);
void halo(Run* run);
void transpose(Run* run);
void pipeline(Run* run);
void write_level0(Run* run);
void write_level1(Run* run);
void write_level2(Run* run);
void write_level3(Run* run);
void read_level0(Run* run);
void read_level1(Run* run);
void read_level2(Run* run);
void read_level3(Run* run);
void read_fields(Run* run);
void own_files(Run* run);
void small_writes(Run* run);
void small_reads(Run* run);
void reread(Run* run);
void synced_writes(Run* run);
void metadata(Run* run);
void small_files(Run* run);
