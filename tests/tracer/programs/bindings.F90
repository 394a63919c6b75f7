! Two ranks. Compiled once for each binding: BINDING 1 mpif.h, 2 use mpi, 3 use mpi_f08. The calls and their arguments are
! those that preload_languages_test.cpp expects.
#if BINDING == 3
#define HANDLE(of) type(of)
#define STATUS type(MPI_Status)
#define STATUSES(n) type(MPI_Status), dimension(n)
#define SOURCE_OF(status) status%MPI_SOURCE
#define TAG_OF(status) status%MPI_TAG
#else
#define HANDLE(of) integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define STATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#define SOURCE_OF(status) status(MPI_SOURCE)
#define TAG_OF(status) status(MPI_TAG)
#endif
#define INT MPI_INTEGER
#define WORLD MPI_COMM_WORLD

program bindings
#if BINDING == 3
  use mpi_f08
#elif BINDING == 2
  use mpi
#endif
  implicit none
#if BINDING == 1
  include 'mpif.h'
#endif
  integer :: rank, error
  call MPI_Init(error)
  call MPI_Comm_rank(WORLD, rank, error)
  call exchange()
  call in_place()
  call bottom()
  call waiting()
  call testing()
  call MPI_Finalize(error)
contains

  ! Statuses alternate between one that is looked at and none.
  subroutine exchange()
    integer :: i, in(4), out(4), peer, wrong
    STATUS :: status
    peer = 1 - rank
    wrong = 0
    do i = 1, 1000
      out = i + rank
      if (mod(i, 2) == 0) then
        call MPI_Sendrecv(out, 4, INT, peer, i, in, 4, INT, peer, i, WORLD, status, error)
        if (SOURCE_OF(status) /= peer .or. TAG_OF(status) /= i) wrong = wrong + 1
      else
        call MPI_Sendrecv(out, 4, INT, peer, i, in, 4, INT, peer, i, WORLD, MPI_STATUS_IGNORE, error)
      end if
      if (error /= MPI_SUCCESS .or. any(in /= i + peer)) wrong = wrong + 1
    end do
    print '(a,i0)', 'wrong exchanges ', wrong
  end subroutine

  subroutine in_place()
    double precision :: values(3)
    values = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, values, 3, MPI_DOUBLE_PRECISION, MPI_SUM, WORLD, error)
    print '(a,3f4.1)', 'in place', values
  end subroutine

  subroutine bottom()
    integer, target :: value, got
    integer(MPI_ADDRESS_KIND) :: address(1)
    HANDLE(MPI_Datatype) :: there
    value = 4711
    got = 0
    call MPI_Get_address(value, address(1), error)
    call MPI_Type_create_hindexed(1, (/1/), address, INT, there, error)
    call MPI_Type_commit(there, error)
    if (rank == 0) call MPI_Send(MPI_BOTTOM, 1, there, 1, 30, WORLD, error)
    if (rank == 1) call MPI_Recv(got, 1, INT, 0, 30, WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Type_free(there, error)
    if (rank == 1) print '(a,i0)', 'bottom ', got
  end subroutine

  ! The second of three requests completes first; then the other two.
  subroutine waiting()
    integer :: in(3), index
    HANDLE(MPI_Request) :: requests(3)
    STATUS :: status
    in = 0
    if (rank == 0) then
      call MPI_Irecv(in(1), 1, INT, 1, 41, WORLD, requests(1), error)
      call MPI_Irecv(in(2), 1, INT, 1, 42, WORLD, requests(2), error)
      call MPI_Irecv(in(3), 1, INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, requests(3), error)
      call MPI_Waitany(3, requests, index, status, error)
      print '(a,i0,a,i0)', 'any ', index, ' tag ', TAG_OF(status)
      call MPI_Barrier(WORLD, error)
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, error)
      print '(a,3i3)', 'all', in
    else
      call MPI_Ssend(2, 1, INT, 0, 42, WORLD, error)
      call MPI_Barrier(WORLD, error)
      call MPI_Send(1, 1, INT, 0, 41, WORLD, error)
      call MPI_Send(3, 1, INT, 0, 43, WORLD, error)
    end if
  end subroutine

  subroutine testing()
    integer :: in, n, indices(2)
    logical :: flag
    HANDLE(MPI_Request) :: requests(2)
    STATUSES(2) :: statuses
    requests = MPI_REQUEST_NULL
    if (rank == 0) then
      call MPI_Irecv(in, 1, INT, 1, 50, WORLD, requests(2), error)
      n = 0
      do while (n == 0)
        call MPI_Testsome(2, requests, n, indices, statuses, error)
      end do
      print '(a,i0,a,i0)', 'some ', n, ' index ', indices(1)
      flag = .false.
      call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE, error)
      print '(a,l1)', 'flag ', flag
    else
      call MPI_Send(rank, 1, INT, 0, 50, WORLD, error)
    end if
  end subroutine
end program
