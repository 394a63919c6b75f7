/* Two ranks; argument: a directory. What is made, completed or freed while recording is off is known afterwards. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank;

int main(int argc, char** argv) {
  char name[512], own[512], data[64] = {0};
  int early = 0, late = 0, value = 0;
  MPI_Comm before, made;
  MPI_File file;
  MPI_Request posted, completed, persistent;
  MPI_Datatype pairs;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "%s/shared", argv[1]);
  snprintf(own, sizeof own, "%s/own.%d", argv[1], rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &before);
  MPI_Irecv(&early, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &completed);
  MPI_Pcontrol(7); /* means nothing */

  MPI_Pcontrol(0);
  MPI_Pcontrol(0);
  MPI_Send(&value, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
  MPI_Wait(&completed, MPI_STATUS_IGNORE);
  MPI_Comm_free(&before);
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &made); /* may get the handle of the freed one */
  MPI_Irecv(&late, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &posted);
  MPI_Send_init(&value, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &persistent);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_Type_vector(2, 2, 4, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  MPI_File_set_view(file, 8 * rank, MPI_INT, pairs, "native", MPI_INFO_NULL);
  int descriptor = open(own, O_CREAT | O_RDWR, 0600);
  if (write(descriptor, data, 10) != 10) return 1;
  MPI_Pcontrol(1);

  MPI_Pcontrol(2);
  MPI_Barrier(made);
  MPI_Send(&value, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD);
  MPI_Wait(&posted, MPI_STATUS_IGNORE);
  MPI_Start(&persistent);
  MPI_Recv(&value, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&persistent, MPI_STATUS_IGNORE);
  MPI_File_write_at(file, 0, data, 2, MPI_INT, MPI_STATUS_IGNORE);
  if (pwrite(descriptor, data, 20, 100) != 20) return 1;
  MPI_Request_free(&persistent);
  MPI_File_close(&file);
  MPI_Comm_free(&made);

  MPI_Pcontrol(0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
