/* Ranks that let file_server.c write: file_client PORT REQUESTS [ADDRESS]. Each request lies between two barriers of
 * the rank with itself, and has a number of bytes of its own: 1000 * (rank + 1) + its index. In the end rank 0 stops
 * the server.
 */
#include <arpa/inet.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void ask(int connection, const char* line) {
  char answer[3];
  if (send(connection, line, strlen(line), 0) < 0 || recv(connection, answer, 3, MSG_WAITALL) != 3 || answer[0] != 'o')
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, requests = atoi(argv[2]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[1]))};
  address.sin_addr.s_addr = inet_addr(argc > 3 ? argv[3] : "127.0.0.1");
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(connection, (struct sockaddr*)&address, sizeof address) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < requests; ++i) {
    char line[100];
    snprintf(line, sizeof line, "W file-%d-%d %d\n", rank, i, 1000 * (rank + 1) + i);
    MPI_Barrier(MPI_COMM_SELF);
    ask(connection, line);
    MPI_Barrier(MPI_COMM_SELF);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) send(connection, "Q\n", 2, 0);
  close(connection);
  MPI_Finalize();
  return 0;
}
