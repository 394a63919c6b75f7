#pragma once
// Collectives of our own, beside the library's: the same data in the same places, by a known algorithm, so that one can be
// put in the place of the other. Over bytes; reductions add doubles. Errors of MPI are thrown (MpiFailure).
//
// Names and shapes as in docs/collectives.md. Any number of ranks.

#include <cstddef>
#include <span>

#include "bench/library/mpi_calls.hpp"

namespace plumbline::bench::algorithms {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

// From the root's `data` to everybody's, which is as long.
void bcast_linear(Bytes data, int root, MPI_Comm comm);
void bcast_binomial(Bytes data, int root, MPI_Comm comm);
// Along a chain, or down a binary tree, in segments of this many bytes; 0: whole.
void bcast_chain(Bytes data, int root, MPI_Comm comm, std::size_t segment = 0);
void bcast_binary(Bytes data, int root, MPI_Comm comm, std::size_t segment = 0);
// Scattered down a binomial tree, gathered by all in a ring (van de Geijn).
void bcast_scatter_allgather(Bytes data, int root, MPI_Comm comm);

// `all` is block after block in the order of ranks, on the root only.
void scatter_linear(ConstBytes all, Bytes own, int root, MPI_Comm comm);
void scatter_binomial(ConstBytes all, Bytes own, int root, MPI_Comm comm);
void gather_linear(ConstBytes own, Bytes all, int root, MPI_Comm comm);
void gather_binomial(ConstBytes own, Bytes all, int root, MPI_Comm comm);

void allgather_ring(ConstBytes own, Bytes all, MPI_Comm comm);
void allgather_bruck(ConstBytes own, Bytes all, MPI_Comm comm);
// A power of two ranks; otherwise Bruck's.
void allgather_recursive_doubling(ConstBytes own, Bytes all, MPI_Comm comm);

// Block r of `to` goes to rank r, block r of `from` comes from it.
void alltoall_linear(ConstBytes to, Bytes from, MPI_Comm comm);  // all at once
void alltoall_pairwise(ConstBytes to, Bytes from, MPI_Comm comm);
void alltoall_bruck(ConstBytes to, Bytes from, MPI_Comm comm);

// `sum` is written on the root only.
void reduce_linear(std::span<const double> own, std::span<double> sum, int root, MPI_Comm comm);
void reduce_binomial(std::span<const double> own, std::span<double> sum, int root, MPI_Comm comm);

// `values` are summed in place, on every rank.
void allreduce_recursive_doubling(std::span<double> values, MPI_Comm comm);
void allreduce_ring(std::span<double> values, MPI_Comm comm);
void allreduce_rabenseifner(std::span<double> values, MPI_Comm comm);

void barrier_dissemination(MPI_Comm comm);
void barrier_linear(MPI_Comm comm);

}  // namespace plumbline::bench::algorithms
