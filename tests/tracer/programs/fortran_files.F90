! Two ranks; argument: a directory. MPI-IO through mpi_f08.
program fortran_files
  use mpi_f08
  implicit none
  integer :: rank, i, data(32), again(32)
  character(len=512) :: name
  type(MPI_File) :: file
  type(MPI_Info) :: hints
  type(MPI_Datatype) :: column
  type(MPI_Status) :: status
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call get_command_argument(1, name)
  call MPI_Info_create(hints)
  call MPI_Info_set(hints, 'cb_buffer_size', '65536')
  call MPI_File_open(MPI_COMM_WORLD, trim(name)//'/shared', MPI_MODE_CREATE + MPI_MODE_RDWR, hints, file)
  call MPI_Type_vector(16, 2, 4, MPI_INTEGER, column)
  call MPI_Type_commit(column)
  call MPI_File_set_view(file, int(8 * rank, MPI_OFFSET_KIND), MPI_INTEGER, column, 'native', MPI_INFO_NULL)
  data = [(100 * rank + i, i=1, 32)]
  call MPI_File_write_at_all(file, 0_MPI_OFFSET_KIND, data, 32, MPI_INTEGER, MPI_STATUS_IGNORE)
  call MPI_File_sync(file)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_File_read_at_all(file, 4_MPI_OFFSET_KIND, again, 6, MPI_INTEGER, status)
  print '(a,l1)', 'read back ', all(again(1:6) == data(5:10))
  call MPI_File_close(file)
  call MPI_Type_free(column)
  call MPI_Info_free(hints)
  call MPI_Finalize()
end program
