/* A small file server: file_server PORT-FILE DIRECTORY [daemon]. A thread per connection; a request is one line,
 *   W NAME BYTES    writes so many bytes to NAME.part, syncs it and renames it to NAME
 *   Q               ends the server
 * and is answered by a line. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char* directory;

static int store(const char* name, int bytes) {
  char part[600], whole[600], data[65536];
  snprintf(part, sizeof part, "%s/%s.part", directory, name);
  snprintf(whole, sizeof whole, "%s/%s", directory, name);
  memset(data, 'x', sizeof data);
  int fd = open(part, O_CREAT | O_WRONLY | O_TRUNC, 0666);
  if (fd < 0 || bytes > (int)sizeof data) return -1;
  if (pwrite(fd, data, (size_t)bytes, 0) != bytes || fsync(fd) != 0 || close(fd) != 0) return -1;
  return rename(part, whole);
}

static void* serve(void* argument) {
  int connection = (int)(long)argument;
  char line[256], name[200];
  int bytes = 0;
  for (;;) {
    size_t n = 0;
    while (n + 1 < sizeof line && recv(connection, line + n, 1, 0) == 1 && line[n] != '\n') ++n;
    line[n] = '\0';
    if (n == 0) break;
    if (line[0] == 'Q') exit(0);
    int ok = sscanf(line, "W %199s %d", name, &bytes) == 2 && store(name, bytes) == 0;
    if (send(connection, ok ? "ok\n" : "no\n", 3, MSG_NOSIGNAL) != 3) break;
  }
  close(connection);
  return NULL;
}

static void tell_port(const char* path, int port) {
  char part[600];
  snprintf(part, sizeof part, "%s.part", path);
  FILE* file = fopen(part, "w");
  fprintf(file, "%d\n", port);
  fclose(file);
  rename(part, path);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  directory = argv[2];
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr*)&address, length) != 0 || listen(listener, 16) != 0) return 1;
  getsockname(listener, (struct sockaddr*)&address, &length);
  if (argc > 3 && daemon(1, 1) != 0) return 1;
  tell_port(argv[1], ntohs(address.sin_port));
  for (;;) {
    int connection = accept(listener, NULL, NULL);
    pthread_t thread;
    if (connection < 0 || pthread_create(&thread, NULL, serve, (void*)(long)connection) != 0) return 1;
    pthread_detach(thread);
  }
}
