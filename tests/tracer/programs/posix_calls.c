/* One rank; argument: a directory. Every kind of POSIX call beyond open, read and write, each once where it can be. */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

static char data[4096], more[4096];
static const char* directory;

static const char* name_of(const char* name) {
  static char names[4][512];
  static int next;
  char* text = names[next++ % 4];
  snprintf(text, sizeof names[0], "%s/%s", directory, name);
  return text;
}

#define MUST(what) \
  if (!(what)) return (void)printf("failed: %s: %s\n", #what, strerror(errno))

static void transfers(void) {
  struct iovec parts[2] = {{data, 10}, {more, 20}};
  off_t at = 8;
  int ends[2], file = open(name_of("transfers"), O_CREAT | O_RDWR, 0600);
  MUST(posix_fallocate(file, 0, 8192) == 0);
  MUST(ftruncate(file, 4096) == 0);
  MUST(posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL) == 0);
  MUST(pwritev2(file, parts, 2, 100, 0) == 30);
  MUST(preadv2(file, parts, 2, -1, 0) == 30);
  MUST(sync_file_range(file, 0, 4096, SYNC_FILE_RANGE_WRITE) == 0);
  int copy = open(name_of("copy"), O_CREAT | O_RDWR, 0600);
  MUST(copy_file_range(file, &at, copy, NULL, 1000, 0) == 1000);
  MUST(sendfile(copy, file, NULL, 500) == 500);
  MUST(pipe(ends) == 0);
  MUST(splice(file, &at, ends[1], NULL, 64, 0) == 64);
  MUST(read(ends[0], data, 64) == 64);
  close(ends[0]);
  close(ends[1]);
  int again = fcntl(file, F_DUPFD_CLOEXEC, 200);
  MUST(again >= 200 && (fcntl(again, F_GETFL) & O_ACCMODE) == O_RDWR);
  MUST(close_range((unsigned)again, (unsigned)again, 0) == 0);
  MUST(write(again, data, 1) == -1 && errno == EBADF);
  close(copy);
  close(file);
}

static void names(void) {
  struct stat status;
  struct statx more_status;
  char temporary[512];
  snprintf(temporary, sizeof temporary, "%s/temporary-XXXXXX", directory);
  int file = mkstemp(temporary);
  MUST(file >= 0 && fstat(file, &status) == 0);
  close(file);
  MUST(mkdir(name_of("folder"), 0700) == 0);
  MUST(rename(temporary, name_of("folder/renamed")) == 0);
  MUST(stat(name_of("folder/renamed"), &status) == 0 && status.st_size == 0);
  MUST(stat(name_of("folder"), &status) == 0 && S_ISDIR(status.st_mode)); /* no regular file: not recorded */
  MUST(lstat("/dev/null", &status) == 0);
  MUST(statx(AT_FDCWD, name_of("folder/renamed"), 0, STATX_SIZE, &more_status) == 0);
  MUST(truncate(name_of("folder/renamed"), 77) == 0);
  MUST(access(name_of("nothing"), R_OK) == -1 && errno == ENOENT);
  MUST(unlink(name_of("folder/renamed")) == 0);
  MUST(rmdir(name_of("folder")) == 0);
}

static void maps(void) {
  int file = open(name_of("transfers"), O_RDWR);
  char* memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  MUST(memory != MAP_FAILED);
  memory[5] = 'x';
  MUST(msync(memory, 4096, MS_SYNC) == 0);
  munmap(memory, 4096);
  memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(memory, 4096);
}

static void locks(void) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 10, .l_len = 20};
  struct statfs space;
  struct statvfs more_space;
  int file = open(name_of("transfers"), O_RDWR);
  MUST(fcntl(file, F_SETLKW, &lock) == 0);
  lock.l_type = F_UNLCK;
  MUST(fcntl(file, F_SETLK, &lock) == 0);
  lock = (struct flock){.l_type = F_RDLCK, .l_whence = SEEK_END, .l_start = -5, .l_len = -15};
  MUST(fcntl(file, F_OFD_SETLK, &lock) == 0);
  lseek(file, 7, SEEK_SET);
  lock = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = 1, .l_len = 0};
  MUST(fcntl(file, F_GETLK, &lock) == 0 && lock.l_type == F_RDLCK && lock.l_start == 4076); /* that of the open file */
  MUST(fcntl(file, F_SETLK, (void*)16) == -1 && errno == EFAULT);
  MUST(statfs(name_of("transfers"), &space) == 0 && space.f_bsize > 0);
  MUST(fstatvfs(file, &more_space) == 0 && more_space.f_bsize > 0);
  close(file);
}

static int finish(struct aiocb* block) {
  const struct aiocb* list[1] = {block};
  while (aio_error(block) == EINPROGRESS) aio_suspend(list, 1, NULL);
  return (int)aio_return(block);
}

static void asynchronous(void) {
  struct aiocb one = {0}, two = {0}, *both[3] = {&one, NULL, &two};
  int file = open(name_of("later"), O_CREAT | O_RDWR, 0600);
  one.aio_fildes = two.aio_fildes = file;
  one.aio_buf = data;
  one.aio_nbytes = 1000;
  one.aio_offset = 50;
  MUST(aio_write(&one) == 0 && finish(&one) == 1000);
  two.aio_buf = more;
  two.aio_nbytes = 4096;
  one.aio_lio_opcode = LIO_WRITE;
  two.aio_lio_opcode = LIO_READ;
  MUST(lio_listio(LIO_WAIT, both, 3, NULL) == 0);
  MUST(aio_return(&one) == 1000 && aio_return(&two) == 1050);
  MUST(aio_fsync(O_SYNC, &one) == 0 && finish(&one) == 0);
  close(file);
}

static void streams(void) {
  char line[16];
  FILE* stream = fopen(name_of("stream"), "w+");
  MUST(stream != NULL && setvbuf(stream, NULL, _IOFBF, 8192) == 0);
  MUST(fwrite(data, 8, 100, stream) == 100);
  fprintf(stream, "%d\n", 12345); /* text: not recorded */
  fputc('y', stream);
  MUST(fflush(stream) == 0);
  MUST(fseek(stream, 16, SEEK_SET) == 0 && ftell(stream) == 16);
  MUST(fread(data, 1, sizeof data, stream) == 807 - 16);
  rewind(stream);
  MUST(fgets(line, sizeof line, stream) != NULL);
  fseek(stream, 0, SEEK_END);
  MUST(fwrite(data, 1, 5, stream) == 5);
  MUST(fclose(stream) == 0);
  int file = open(name_of("stream"), O_RDONLY);
  stream = fdopen(file, "r");
  MUST(fread(data, 1, 10, stream) == 10);
  MUST(freopen(name_of("copy"), "r", stream) != NULL);
  fclose(stream);
  fclose(tmpfile());
  stream = fmemopen(data, 100, "r"); /* no file at all */
  MUST(fread(more, 1, 10, stream) == 10);
  fclose(stream);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  directory = argv[1];
  transfers();
  MPI_Barrier(MPI_COMM_WORLD);
  names();
  MPI_Barrier(MPI_COMM_WORLD);
  maps();
  MPI_Barrier(MPI_COMM_WORLD);
  asynchronous();
  MPI_Barrier(MPI_COMM_WORLD);
  streams();
  MPI_Barrier(MPI_COMM_WORLD);
  locks();
  printf("done\n");
  MPI_Finalize();
  return 0;
}
