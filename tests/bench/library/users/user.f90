! A user's program in Fortran.
module my_operation
  use, intrinsic :: iso_c_binding
  use mpi
  use plumbline_bench
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

  ! Whether what is chosen broadcasts and adds up.
  logical function chooses(rank)
    integer, intent(in) :: rank
    type(c_ptr) :: chooser
    integer(c_size_t) :: sizes(2)
    integer :: ranks(3), total(3)
    chooses = .false.
    sizes = [8_c_size_t, 4096_c_size_t]
    ranks = rank
    if (plumbline_make_chooser(MPI_COMM_WORLD, 1_c_int, chooser) /= 0) return
    if (plumbline_read_choices(chooser, 'absent' // c_null_char) == 0) return
    if (plumbline_choose(chooser, PLUMBLINE_COLLECTIVE_BCAST, sizes, 2_c_size_t, plumbline_default_choosing()) /= 0) &
      return
    if (plumbline_write_choices(chooser, 'choices' // c_null_char) /= 0) return
    if (plumbline_read_choices(chooser, 'choices' // c_null_char) /= 0) return
    if (plumbline_allreduce(ranks, total, 3, MPI_INTEGER, MPI_SUM, chooser) /= 0) return
    if (plumbline_bcast(ranks, 3, MPI_INTEGER, 1, chooser) /= 0) return
    call plumbline_free_chooser(chooser)
    chooses = all(ranks == 1) .and. all(total == 1)
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
  if (.not. chooses(rank)) status = -1
  if (rank == 0 .and. status == 0) then
    call c_f_pointer(measured%of_ranks, of_ranks, [measured%ranks, measured%repetitions])
    if (measured%median > 0 .and. all(of_ranks > 0) .and. measured%low <= measured%median) then
      print '(I0,A,I0,A)', measured%valid, ' repetitions of ', measured%ranks, ' ranks, with times'
    end if
  end if
  call plumbline_free_measured(measured)
  call MPI_Finalize(error)
end program
