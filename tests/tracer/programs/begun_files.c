/* Pieces of 64 bytes of the file that is its argument, interleaved over the ranks: collective accesses that do not
 * block; the last one without collective buffering, in ROMIO. */
#include <mpi.h>

enum { kPieces = 500, kPiece = 64 };

int main(int argc, char** argv) {
  static char data[kPieces * kPiece];
  int rank, size;
  MPI_File file;
  MPI_Datatype own;
  MPI_Request request;
  MPI_Info alone;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_Type_vector(kPieces, kPiece, kPiece * size, MPI_BYTE, &own);
  MPI_Type_commit(&own);
  MPI_File_set_view(file, (MPI_Offset)rank * kPiece, MPI_BYTE, own, "native", MPI_INFO_NULL);
  MPI_File_write_all_begin(file, data, sizeof data, MPI_BYTE);
  MPI_File_write_all_end(file, data, MPI_STATUS_IGNORE);
  MPI_File_read_at_all_begin(file, 0, data, sizeof data, MPI_BYTE);
  MPI_File_read_at_all_end(file, data, MPI_STATUS_IGNORE);
  MPI_File_iread_at_all(file, 0, data, sizeof data, MPI_BYTE, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Info_create(&alone);
  MPI_Info_set(alone, "romio_cb_write", "disable");
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR, alone, &file);
  MPI_File_set_view(file, (MPI_Offset)rank * kPiece, MPI_BYTE, own, "native", alone);
  MPI_File_iwrite_at_all(file, 0, data, sizeof data, MPI_BYTE, &request);
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  MPI_File_close(&file);
  MPI_Info_free(&alone);
  MPI_Type_free(&own);
  MPI_Finalize();
  return 0;
}
