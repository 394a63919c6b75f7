#pragma once
// Data that a run of the suite wrote or sent, and that came back different.

#include <filesystem>
#include <string>

#include "replay/validate/validation.hpp"

namespace plumbline::cli::validate {

// What the first rank that found wrong data says in the log of a run: "rank 7: write_level2: byte 4096 of /scratch/x is
// 255, not 19". "": no rank found any.
std::string wrong_data_in(const std::filesystem::path& log);

// The finding of it, which has no cost: what is wrong has no time to be judged. `directory`: where the suite has its
// files.
replay::validate::Diagnosis wrong_data(const std::string& said, const std::string& entry, const std::string& mpi,
                                       const std::string& directory);

}  // namespace plumbline::cli::validate
