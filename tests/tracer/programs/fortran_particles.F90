! Two ranks; argument: a directory. Fortran 2008: a file of records (an integer and a double, 16 bytes apart), 4 x 6 of
! them, of which rank r writes rows 2r + 1 and 2r + 2 and then reads the other rank's.
program fortran_particles
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_int, c_double
  implicit none
  type, bind(C) :: particle
    integer(c_int) :: number
    real(c_double) :: mass
  end type
  type(particle), asynchronous :: mine(2, 6), others(2, 6)
  integer, parameter :: everything(2) = [4, 6], part(2) = [2, 6]
  integer :: rank, i, j
  integer(MPI_ADDRESS_KIND) :: at(3)
  integer(MPI_OFFSET_KIND), parameter :: none = 0
  character(len=512) :: directory
  type(MPI_Datatype) :: fields, element, own_rows, other_rows
  type(MPI_File) :: file
  type(MPI_Status) :: status

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call get_command_argument(1, directory)
  call MPI_Get_address(mine(1, 1)%number, at(1))
  call MPI_Get_address(mine(1, 1)%mass, at(2))
  call MPI_Get_address(mine(2, 1)%number, at(3))
  at = at - at(1)
  call MPI_Type_create_struct(2, [1, 1], at(1:2), [MPI_INTEGER, MPI_DOUBLE_PRECISION], fields)
  call MPI_Type_create_resized(fields, 0_MPI_ADDRESS_KIND, at(3), element)
  call MPI_Type_create_subarray(2, everything, part, [2 * rank, 0], MPI_ORDER_FORTRAN, element, own_rows)
  call MPI_Type_create_subarray(2, everything, part, [2 * (1 - rank), 0], MPI_ORDER_FORTRAN, element, other_rows)
  call MPI_Type_commit(element)
  call MPI_Type_commit(own_rows)
  call MPI_Type_commit(other_rows)

  do concurrent (i = 1:2, j = 1:6)
    mine(i, j) = particle(number=100 * rank + 10 * i + j, mass=0.5d0 * j)
  end do
  call MPI_File_open(MPI_COMM_WORLD, trim(directory)//'/particles', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file)
  call MPI_File_set_view(file, none, element, own_rows, 'native', MPI_INFO_NULL)
  call MPI_File_write_all(file, mine, 12, element, status)
  call MPI_File_sync(file)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_File_sync(file)
  call MPI_File_set_view(file, none, element, other_rows, 'native', MPI_INFO_NULL)
  call MPI_File_read_all(file, others, 12, element, status)
  call MPI_File_close(file)
  print '(a,l1)', 'as the other rank wrote it: ', &
    all(others%number == mine%number + 100 * (1 - 2 * rank)) .and. all(others%mass == mine%mass)
  call MPI_Type_free(own_rows)
  call MPI_Type_free(other_rows)
  call MPI_Type_free(element)
  call MPI_Type_free(fields)
  call MPI_Finalize()
end program
