#pragma once
// Collectives of our own, beside the library's: the same data in the same places, by a known algorithm, so that one can
// be put in the place of the other. Any number of ranks but where table.hpp says otherwise; errors of MPI are thrown
// (MpiFailure). Over bytes, however many: MPI's counts are int, and longer messages go in pieces.
//
// Names are those of docs/models/collectives.md. Their messages have a tag of their own, 4; use a communicator on which
// nobody else's are under way.

#include <cstddef>
#include <span>

#include "bench/library/mpi_calls.hpp"

namespace plumbline::bench::algorithms {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

// What a rank gives and where it gets it, by operation; a block is what one rank has of the whole:
//
//   bcast                         receive: the data, of the root too
//   scatter                       send: all blocks, on the root only; receive: the own one
//   gather                        send: the own block; receive: all, on the root only
//   allgather                     send: the own block; receive: all
//   alltoall, reduce_scatter_block  of these too send is all blocks; receive is all, or the own one
//   reduce                        send; receive: the result, on the root only
//   allreduce, scan               send; receive: the result
//   barrier                       nothing
//
// send and receive do not overlap, but may be the same in reduce, allreduce and scan, and the own block of the other
// one in scatter, gather and allgather (MPI_IN_PLACE).
struct Call {
  MPI_Comm comm = MPI_COMM_NULL;
  ConstBytes send = {};
  Bytes receive = {};
  int root = 0;
  // Of reductions: a datatype without gaps, of which there are whole numbers, and an operator that commutes.
  MPI_Datatype type = MPI_BYTE;
  MPI_Op op = MPI_OP_NULL;
  std::size_t segment = 0;                             // of pipelines; 0: kSegment
  std::size_t largest_message = std::size_t{1} << 30;  // longer ones go in pieces
};

inline constexpr std::size_t kSegment = std::size_t{32} << 10;

using Function = void(const Call& call);

Function bcast_linear, bcast_binomial;
Function bcast_chain, bcast_binary;                   // each rank passes all on when it has all
Function bcast_pipeline, bcast_binary_pipeline;       // the same in segments
Function bcast_scatter_recursive_doubling_allgather;  // scattered down a binomial tree (van de Geijn)
Function bcast_scatter_ring_allgather;

Function scatter_linear, scatter_binomial;
Function gather_linear, gather_binomial;

Function allgather_gather_bcast, allgather_linear, allgather_ring, allgather_bruck, allgather_recursive_doubling,
    allgather_neighbor_exchange;

Function alltoall_linear, alltoall_pairwise, alltoall_bruck;

Function reduce_linear, reduce_binomial, reduce_chain, reduce_pipeline, reduce_rabenseifner;

Function allreduce_reduce_bcast, allreduce_recursive_doubling, allreduce_ring, allreduce_rabenseifner;

Function reduce_scatter_block_reduce_scatter, reduce_scatter_block_pairwise, reduce_scatter_block_ring,
    reduce_scatter_block_recursive_halving;

Function scan_linear, scan_recursive_doubling;

Function barrier_linear, barrier_tree, barrier_dissemination, barrier_recursive_doubling;

}  // namespace plumbline::bench::algorithms
