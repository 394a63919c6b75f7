! One rank. Fortran and C (mixed_part.c) take turns on one communicator.
program mixed
  use mpi_f08
  implicit none
  interface
    subroutine send_in_c(comm) bind(c)
      integer, value :: comm
    end subroutine
  end interface
  type(MPI_Comm) :: copy
  integer :: i, in
  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_SELF, copy)
  do i = 1, 10
    call MPI_Sendrecv(i, 1, MPI_INTEGER, 0, i, in, 1, MPI_INTEGER, 0, i, copy, MPI_STATUS_IGNORE)
    call send_in_c(copy%MPI_VAL)
  end do
  call MPI_Comm_free(copy)
  call MPI_Finalize()
end program
