! A user's program in Fortran.
module my_operation
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
contains
  integer(c_int) function broadcast(state, comm) bind(c)
    type(c_ptr), value :: state
    integer(c_int), value :: comm
    real :: values(256)
    integer :: error
    values = 0
    call MPI_Bcast(values, 256, MPI_REAL, 0, comm, error)
    broadcast = error
    if (c_associated(state)) broadcast = -1
  end function
end module

program user
  use my_operation
  use plumbline_bench
  implicit none
  type(plumbline_operation) :: operation
  type(plumbline_measured) :: measured
  integer :: error, rank
  integer(c_int) :: status
  real(c_double), pointer :: of_ranks(:, :)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  operation%execute = c_funloc(broadcast)
  status = plumbline_measure(MPI_COMM_WORLD, operation, 1024_c_size_t, plumbline_default_settings(), measured)
  if (rank == 0 .and. status == 0) then
    call c_f_pointer(measured%of_ranks, of_ranks, [measured%ranks, measured%repetitions])
    if (measured%median > 0 .and. all(of_ranks > 0) .and. measured%low <= measured%median) then
      print '(I0,A,I0,A)', measured%valid, ' repetitions of ', measured%ranks, ' ranks, with times'
    end if
  end if
  call plumbline_free_measured(measured)
  call MPI_Finalize(error)
end program
