! Measures any operation of an MPI program in Fortran: plumbline/bench.h with communicators as Fortran has them (mpif.h,
! use mpi; of use mpi_f08 the component MPI_VAL). Compile it beside your program and link libplumbline-bench-<MPI>.
!
!   type(plumbline_operation) :: operation
!   type(plumbline_measured) :: measured
!   operation%execute = c_funloc(my_broadcast)       ! integer(c_int) function my_broadcast(state, comm) bind(c)
!   status = plumbline_measure(MPI_COMM_WORLD, operation, 1024_c_size_t, plumbline_default_settings(), measured)
!   print *, measured%median, measured%low, measured%high
!   call plumbline_free_measured(measured)
module plumbline_bench
  use, intrinsic :: iso_c_binding
  implicit none

  enum, bind(c)
    enumerator :: PLUMBLINE_TIMING_MAX = 0, PLUMBLINE_TIMING_ROOT, PLUMBLINE_TIMING_GLOBAL, PLUMBLINE_TIMING_ACKNOWLEDGED
  end enum
  enum, bind(c)
    enumerator :: PLUMBLINE_ISOLATION_BARRIER = 0, PLUMBLINE_ISOLATION_TWO_BARRIERS, PLUMBLINE_ISOLATION_DISSEMINATION, &
      PLUMBLINE_ISOLATION_WINDOW, PLUMBLINE_ISOLATION_ROUND_TIME
  end enum
  enum, bind(c)
    enumerator :: PLUMBLINE_STOP_MEDIAN = 0, PLUMBLINE_STOP_STUDENT, PLUMBLINE_STOP_COUNT
  end enum

  ! Functions take (type(c_ptr), value :: state; integer(c_int), value :: comm); initialise also
  ! (integer(c_size_t), value :: bytes). They are bind(c) and return an error of MPI, or 0.
  type, bind(c) :: plumbline_operation
    type(c_ptr) :: name = c_null_ptr
    type(c_funptr) :: initialise = c_null_funptr, execute = c_null_funptr, finalise = c_null_funptr
    type(c_ptr) :: state = c_null_ptr
  end type

  type, bind(c) :: plumbline_settings
    integer(c_int) :: timing, isolation, stop, root
    integer(c_int32_t) :: warm_up, least, most
    real(c_double) :: confidence, precision, budget, window, clock_limit
  end type

  ! seconds(repetitions), flags(repetitions) as integer(c_int8_t), of_ranks(ranks, repetitions): by c_f_pointer, on rank 0.
  type, bind(c) :: plumbline_measured
    integer(c_int32_t) :: repetitions = 0, valid = 0, ranks = 0
    integer(c_int) :: reached = 0, normal = 0
    real(c_double) :: median = 0, mean = 0, least = 0, most = 0, low = 0, high = 0, clock_bound = 0, window = 0
    type(c_ptr) :: seconds = c_null_ptr, flags = c_null_ptr, of_ranks = c_null_ptr
  end type

  interface
    function plumbline_default_settings() bind(c)
      import :: plumbline_settings
      type(plumbline_settings) :: plumbline_default_settings
    end function

    integer(c_int) function plumbline_measure(comm, operation, bytes, settings, measured) &
        bind(c, name="plumbline_measure_fortran")
      import :: c_int, c_size_t, plumbline_operation, plumbline_settings, plumbline_measured
      integer, value :: comm
      type(plumbline_operation) :: operation
      integer(c_size_t), value :: bytes
      type(plumbline_settings), intent(in) :: settings
      type(plumbline_measured) :: measured
    end function

    subroutine plumbline_free_measured(measured) bind(c)
      import :: plumbline_measured
      type(plumbline_measured) :: measured
    end subroutine
  end interface

  ! plumbline/choose.h: the fastest implementation of a collective, chosen at run time. Paths end with c_null_char. No
  ! candidates of the program's own, and no MPI_IN_PLACE, which is another place here than in C.
  enum, bind(c)
    enumerator :: PLUMBLINE_COLLECTIVE_BCAST = 0, PLUMBLINE_COLLECTIVE_SCATTER, PLUMBLINE_COLLECTIVE_GATHER, &
      PLUMBLINE_COLLECTIVE_ALLGATHER, PLUMBLINE_COLLECTIVE_ALLTOALL, PLUMBLINE_COLLECTIVE_REDUCE, &
      PLUMBLINE_COLLECTIVE_ALLREDUCE
  end enum

  type, bind(c) :: plumbline_choosing
    type(plumbline_settings) :: measuring
    integer(c_int32_t) :: rounds, repetitions
    real(c_double) :: chance, gain, hopeless
  end type

  interface
    function plumbline_default_choosing() bind(c)
      import :: plumbline_choosing
      type(plumbline_choosing) :: plumbline_default_choosing
    end function

    integer(c_int) function plumbline_make_chooser(comm, with_ours, chooser) &
        bind(c, name="plumbline_make_chooser_fortran")
      import :: c_int, c_ptr
      integer, value :: comm
      integer(c_int), value :: with_ours
      type(c_ptr) :: chooser
    end function

    subroutine plumbline_free_chooser(chooser) bind(c)
      import :: c_ptr
      type(c_ptr), value :: chooser
    end subroutine

    integer(c_int) function plumbline_choose(chooser, collective, sizes, count, choosing) bind(c)
      import :: c_int, c_ptr, c_size_t, plumbline_choosing
      type(c_ptr), value :: chooser
      integer(c_int), value :: collective
      integer(c_size_t), intent(in) :: sizes(*)
      integer(c_size_t), value :: count
      type(plumbline_choosing), intent(in) :: choosing
    end function

    integer(c_int) function plumbline_write_choices(chooser, path) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: chooser
      character(kind=c_char), intent(in) :: path(*)
    end function

    integer(c_int) function plumbline_read_choices(chooser, path) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: chooser
      character(kind=c_char), intent(in) :: path(*)
    end function

    type(c_ptr) function plumbline_problem(chooser) bind(c)  ! ends with a null character
      import :: c_ptr
      type(c_ptr), value :: chooser
    end function

    integer(c_int) function plumbline_bcast(data, count, datatype, root, chooser) bind(c, name="plumbline_bcast_fortran")
      import :: c_int, c_ptr
      type(*) :: data(*)
      integer, value :: count, datatype, root
      type(c_ptr), value :: chooser
    end function

    integer(c_int) function plumbline_scatter(send, send_count, send_type, receive, receive_count, receive_type, &
        root, chooser) bind(c, name="plumbline_scatter_fortran")
      import :: c_int, c_ptr
      type(*), intent(in) :: send(*)
      type(*) :: receive(*)
      integer, value :: send_count, send_type, receive_count, receive_type, root
      type(c_ptr), value :: chooser
    end function

    integer(c_int) function plumbline_gather(send, send_count, send_type, receive, receive_count, receive_type, &
        root, chooser) bind(c, name="plumbline_gather_fortran")
      import :: c_int, c_ptr
      type(*), intent(in) :: send(*)
      type(*) :: receive(*)
      integer, value :: send_count, send_type, receive_count, receive_type, root
      type(c_ptr), value :: chooser
    end function

    integer(c_int) function plumbline_allgather(send, send_count, send_type, receive, receive_count, receive_type, &
        chooser) bind(c, name="plumbline_allgather_fortran")
      import :: c_int, c_ptr
      type(*), intent(in) :: send(*)
      type(*) :: receive(*)
      integer, value :: send_count, send_type, receive_count, receive_type
      type(c_ptr), value :: chooser
    end function

    integer(c_int) function plumbline_alltoall(send, send_count, send_type, receive, receive_count, receive_type, &
        chooser) bind(c, name="plumbline_alltoall_fortran")
      import :: c_int, c_ptr
      type(*), intent(in) :: send(*)
      type(*) :: receive(*)
      integer, value :: send_count, send_type, receive_count, receive_type
      type(c_ptr), value :: chooser
    end function
    integer(c_int) function plumbline_reduce(send, receive, count, datatype, op, root, chooser) &
        bind(c, name="plumbline_reduce_fortran")
      import :: c_int, c_ptr
      type(*), intent(in) :: send(*)
      type(*) :: receive(*)
      integer, value :: count, datatype, op, root
      type(c_ptr), value :: chooser
    end function

    integer(c_int) function plumbline_allreduce(send, receive, count, datatype, op, chooser) &
        bind(c, name="plumbline_allreduce_fortran")
      import :: c_int, c_ptr
      type(*), intent(in) :: send(*)
      type(*) :: receive(*)
      integer, value :: count, datatype, op
      type(c_ptr), value :: chooser
    end function
  end interface
end module
