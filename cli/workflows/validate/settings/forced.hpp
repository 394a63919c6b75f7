#pragma once
// Settings that force the algorithm of one collective, and what is shown of that collective.

#include <string>
#include <string_view>
#include <vector>

#include "bench/suite/cell_kinds.hpp"
#include "replay/validate/validation.hpp"

namespace plumbline::cli::validate {

// "alltoall" of coll_tuned_alltoall_algorithm and MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM; empty of any other setting, also
// of one for non-blocking collectives.
std::string forced_collective(std::string_view setting);

// Whether it says that this collective is slow: by a rule, or since its algorithm is slower than another one here.
bool is_of_collective(const replay::validate::Diagnosis& shown, std::string_view collective);

// Of what is shown of it with this MPI; nullptr: nothing is.
const replay::validate::Diagnosis* costliest_of(const std::vector<replay::validate::Diagnosis>& shown,
                                                std::string_view collective, std::string_view mpi);

// A setting that was tried in cells of its collective alone costs the suite what is shown of the collective.
void take_cost(replay::validate::Diagnosis& setting, const replay::validate::Diagnosis& shown);

// The collective alone at several sizes, as arguments of the suite's program; none where that has no cell of it.
std::vector<std::string> cells_of_collective(const bench::CellKinds& kinds, std::string_view collective);

}  // namespace plumbline::cli::validate
