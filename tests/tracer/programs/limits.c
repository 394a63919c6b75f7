/* limits steps N DIRECTORY [MICROSECONDS]: N steps (0: until killed after that time), each a message to self with the
 *     step as its tag; now and then communicators, requests, files. What was opened, posted and made first is used to
 *     the end. The file DIRECTORY/progress holds the number of steps that are done.
 * limits threads N T DIRECTORY: T threads write N times each; the offset is the step.
 * limits nested N DIRECTORY: one MPI_File_write_at of N separate bytes, each a call of its own where the library does
 * so. limits while SECONDS: barriers for that time. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const char* directory;
static int rank;

static int open_in_directory(const char* name, int number) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s%d", directory, name, number);
  return open(path, O_CREAT | O_RDWR, 0600);
}

static volatile uint64_t* map_progress(void) {
  int fd = open_in_directory("progress", 0);
  if (fd < 0 || ftruncate(fd, 4096) != 0) exit(1);
  return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void die_after(unsigned microseconds) {
  pid_t self = getpid();
  if (fork() != 0) return;
  usleep(microseconds);
  kill(self, SIGKILL);
  _exit(0);
}

static void now_and_then(uint64_t step, MPI_File file) {
  char name[64];
  int value = 0, other = 0;
  MPI_Comm comm;
  MPI_Request requests[2];
  snprintf(name, sizeof name, "step %u", (unsigned)step);
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_name(comm, name);
  MPI_Irecv(&other, 1, MPI_INT, 0, 1, comm, &requests[0]);
  MPI_Isend(&value, 1, MPI_INT, 0, 1, comm, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&comm);
  MPI_File_set_view(file, (MPI_Offset)(step % 4096), MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  int fd = open_in_directory("passing", (int)(step % 8));
  if (write(fd, &value, sizeof value) < 0) exit(1);
  close(fd);
}

static void steps(uint64_t n, unsigned microseconds) {
  volatile uint64_t* progress = map_progress();
  char path[512];
  int value = 1, late = 0, in = 0;
  MPI_File file;
  MPI_Request first, persistent;
  snprintf(path, sizeof path, "%s/mpi", directory);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  int fd = open_in_directory("kept", 0);
  MPI_Irecv(&late, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &first);
  MPI_Recv_init(&in, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, &persistent);
  if (microseconds != 0) die_after(microseconds);
  for (uint64_t step = 0; n == 0 || step < n; ++step) {
    MPI_Sendrecv(&value, 1, MPI_INT, 0, (int)step, &in, 1, MPI_INT, 0, (int)step, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    *progress = step + 1;
    if (step % 100 == 0 && pwrite(fd, &value, sizeof value, 4 * (off_t)(step / 100)) < 0) exit(1);
    if (step % 1000 == 0) now_and_then(step, file);
    if (step % 1000 == 500) MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_Start(&persistent);
  MPI_Send(&value, 1, MPI_INT, rank, 8, MPI_COMM_WORLD);
  MPI_Wait(&persistent, MPI_STATUS_IGNORE);
  MPI_Request_free(&persistent);
  MPI_Send(&value, 1, MPI_INT, rank, 7, MPI_COMM_WORLD);
  MPI_Wait(&first, MPI_STATUS_IGNORE);
  close(fd);
  MPI_File_close(&file);
}

static void write_separately(int n) {
  char path[512], *data = calloc((size_t)n, 1);
  MPI_File file;
  MPI_Info info;
  MPI_Datatype bytes;
  snprintf(path, sizeof path, "%s/separate", directory);
  MPI_Info_create(&info);
  MPI_Info_set(info, "romio_ds_write", "disable");
  MPI_Type_vector(n, 1, 2, MPI_BYTE, &bytes);
  MPI_Type_commit(&bytes);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
  MPI_File_set_view(file, 0, MPI_BYTE, bytes, "native", info);
  MPI_File_write_at(file, 0, data, n, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Type_free(&bytes);
  MPI_Info_free(&info);
  free(data);
}

static uint64_t writes;

static void* write_steps(void* number) {
  int fd = open_in_directory("thread", (int)(intptr_t)number);
  for (uint64_t step = 0; step < writes; ++step)
    if (pwrite(fd, "x", 1, (off_t)step) != 1) exit(1);
  close(fd);
  return NULL;
}

static void write_in_threads(int count) {
  pthread_t threads[64];
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, write_steps, (void*)(intptr_t)i);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  int value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(argv[1], "steps") == 0) {
    directory = argv[3];
    steps(strtoull(argv[2], NULL, 10), argc > 4 ? (unsigned)atoi(argv[4]) : 0);
  } else if (strcmp(argv[1], "threads") == 0) {
    directory = argv[4];
    writes = strtoull(argv[2], NULL, 10);
    write_in_threads(atoi(argv[3]));
  } else if (strcmp(argv[1], "nested") == 0) {
    directory = argv[3];
    write_separately(atoi(argv[2]));
  } else {
    MPI_Request early;
    MPI_Irecv(&value, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &early);
    for (double end = seconds() + atof(argv[2]); seconds() < end;) MPI_Barrier(MPI_COMM_SELF);
    MPI_Send(&rank, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Wait(&early, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  printf("rank %d done\n", rank);
  return 0;
}
