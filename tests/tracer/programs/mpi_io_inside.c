/* Arguments: a directory and a file with one configuration a line. Each line is carried out on a file of its own, the
 * number of the line in the directory, with one access of MPI-IO:
 *
 *   call=write_all piece=8 pieces=1024 hole=0 base=0 stored=0 view=1 memory=0 atomic=0 idle=-1 cb_nodes=2 ..
 *
 * Rank r of n accesses `pieces` pieces of `piece` bytes, the i-th of them at base + (i * (n + hole) + r) * piece;
 * without a view with gaps (view=0) one piece of all of these bytes at base + r * piece * pieces. `stored` bytes are in
 * the file before it is opened. `take`: only the first so many pieces of the view are accessed, 0: all. `memory`: the
 * buffer has blocks of so many bytes with gaps as large, 0: none. Rank `idle` accesses nothing. What has no name here
 * is a hint. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  char call[32];
  long piece, pieces, hole, base, stored, view, memory, atomic, idle, take;
  MPI_Info hints;
} now;

static int rank, ranks;

static void set(const char* key, const char* value) {
  struct {
    const char* name;
    long* to;
  } const numbers[] = {{"piece", &now.piece},   {"pieces", &now.pieces}, {"hole", &now.hole},
                       {"base", &now.base},     {"stored", &now.stored}, {"view", &now.view},
                       {"memory", &now.memory}, {"atomic", &now.atomic}, {"idle", &now.idle},
                       {"take", &now.take}};
  if (strcmp(key, "call") == 0) {
    snprintf(now.call, sizeof now.call, "%s", value);
    return;
  }
  for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
    if (strcmp(key, numbers[i].name) == 0) {
      *numbers[i].to = atol(value);
      return;
    }
  MPI_Info_set(now.hints, key, value);
}

static void parse(char* line) {
  memset(&now, 0, sizeof now);
  now.view = 1;
  now.idle = -1;
  MPI_Info_create(&now.hints);
  for (char* word = strtok(line, " \n"); word != NULL; word = strtok(NULL, " \n")) {
    char* value = strchr(word, '=');
    if (value == NULL) continue;
    *value = '\0';
    set(word, value + 1);
  }
}

static void store(const char* name) {
  static char block[1 << 20];
  int file = open(name, O_CREAT | O_WRONLY, 0600);
  for (long left = now.stored; left > 0;) {
    long n = left < (long)sizeof block ? left : (long)sizeof block;
    if (write(file, block, (size_t)n) != n) MPI_Abort(MPI_COMM_WORLD, 3);
    left -= n;
  }
  close(file);
}

static void access_file(MPI_File file, char* data, int count, MPI_Datatype type) {
  MPI_Status status;
  const char* call = now.call;
  if (strcmp(call, "write_all") == 0)
    MPI_File_write_all(file, data, count, type, &status);
  else if (strcmp(call, "read_all") == 0)
    MPI_File_read_all(file, data, count, type, &status);
  else if (strcmp(call, "write_at_all") == 0)
    MPI_File_write_at_all(file, 0, data, count, type, &status);
  else if (strcmp(call, "read_at_all") == 0)
    MPI_File_read_at_all(file, 0, data, count, type, &status);
  else if (strcmp(call, "write") == 0)
    MPI_File_write(file, data, count, type, &status);
  else if (strcmp(call, "read") == 0)
    MPI_File_read(file, data, count, type, &status);
  else if (strcmp(call, "write_at") == 0)
    MPI_File_write_at(file, 0, data, count, type, &status);
  else if (strcmp(call, "read_at") == 0)
    MPI_File_read_at(file, 0, data, count, type, &status);
  else if (strcmp(call, "write_shared") == 0)
    MPI_File_write_shared(file, data, count, type, &status);
  else if (strcmp(call, "read_shared") == 0)
    MPI_File_read_shared(file, data, count, type, &status);
  else if (strcmp(call, "write_ordered") == 0)
    MPI_File_write_ordered(file, data, count, type, &status);
  else if (strcmp(call, "read_ordered") == 0)
    MPI_File_read_ordered(file, data, count, type, &status);
  else
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void run(const char* name) {
  MPI_File file;
  MPI_Datatype of_file = MPI_BYTE, of_memory = MPI_BYTE;
  long bytes = rank == now.idle ? 0 : now.piece * (now.take > 0 ? now.take : now.pieces);
  int shared = strstr(now.call, "shared") != NULL || strstr(now.call, "ordered") != NULL;
  char* data = calloc(1, (size_t)(bytes * (now.memory > 0 ? 2 : 1) + 1));
  if (now.stored > 0 && rank == 0) store(name);
  MPI_Barrier(MPI_COMM_WORLD);
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, now.hints, &file) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 4);
  if (now.view) {
    MPI_Type_vector((int)now.pieces, (int)now.piece, (int)(now.piece * (ranks + now.hole)), MPI_BYTE, &of_file);
    MPI_Type_commit(&of_file);
  }
  MPI_File_set_view(file, shared ? now.base : now.base + rank * (now.view ? now.piece : now.piece * now.pieces),
                    MPI_BYTE, of_file, "native", now.hints);
  if (now.atomic) MPI_File_set_atomicity(file, 1);
  if (now.memory > 0) {
    MPI_Type_vector((int)(bytes / now.memory), (int)now.memory, (int)(2 * now.memory), MPI_BYTE, &of_memory);
    MPI_Type_commit(&of_memory);
  }
  access_file(file, data, now.memory > 0 ? bytes > 0 : (int)bytes, of_memory);
  MPI_File_close(&file);
  if (of_file != MPI_BYTE) MPI_Type_free(&of_file);
  if (of_memory != MPI_BYTE) MPI_Type_free(&of_memory);
  MPI_Info_free(&now.hints);
  free(data);
}

int main(int argc, char** argv) {
  char line[1024], name[1024];
  int length;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  FILE* configurations = fopen(argv[2], "r");
  for (int i = 0; configurations != NULL && fgets(line, sizeof line, configurations) != NULL; ++i) {
    snprintf(name, sizeof name, "%s/%d", argv[1], i);
    parse(line);
    run(name);
  }
  MPI_Get_processor_name(name, &length);
  printf("%d on %s\n", rank, name);
  MPI_Finalize();
  return 0;
}
