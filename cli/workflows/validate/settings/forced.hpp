#pragma once
// Settings that force the algorithm of one collective, and what is shown of that collective.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/suite/cell_kinds.hpp"
#include "replay/validate/validation.hpp"

namespace plumbline::cli::validate {

// "alltoall" of coll_tuned_alltoall_algorithm and MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM; empty of any other setting, also
// of one for non-blocking collectives.
std::string forced_collective(std::string_view setting);

// "allreduce" of a diagnosis of the algorithm of MPI_Allreduce; "" of any other.
std::string operation_of(const replay::validate::Diagnosis& diagnosis);

// Whether it says that this collective is slow: by a rule, or since its algorithm is slower than another one here.
bool is_of_collective(const replay::validate::Diagnosis& shown, std::string_view collective);

// The costliest that says so with this MPI; nullptr: none does.
const replay::validate::Diagnosis* costliest_of(const std::vector<replay::validate::Diagnosis>& shown,
                                                std::string_view collective, std::string_view mpi);

// Makes what is shown of a collective the cost of the setting, which was tried in calls of that collective alone: at
// most, since the collective may lose some of it without the setting, too.
void take_cost(replay::validate::Diagnosis& setting, const replay::validate::Diagnosis& shown);

// The collective alone in blocks of so many bytes, as arguments of the suite's program; none where that has no cell of
// it.
std::vector<std::string> cells_of_collective(const bench::CellKinds& kinds, std::string_view collective,
                                             const std::vector<std::uint64_t>& blocks);

}  // namespace plumbline::cli::validate
