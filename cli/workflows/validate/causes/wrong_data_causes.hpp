#pragma once
// Which setting makes data come back wrong.

#include <filesystem>
#include <string>
#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Whether what is launched finds wrong data as the machine is set up, and finds none where settings are gone: four
// runs, in turn without and with them, each of at most `patience_s`. False where a run fails otherwise. `removal`: as
// removal_of() tells it.
bool is_wrong_only_with(const bench::Launch& with, const std::vector<std::string>& removal, double patience_s,
                        const std::filesystem::path& log);

// Tries the settings of files for each finding of wrong data in files: one that it comes with is named by it, with who
// has set it and how to remove it.
void name_settings_of_wrong_data(Session& session);

}  // namespace plumbline::cli::validate
