#pragma once
// Opens what `plumbline view` shows: reads or works out everything that its endpoints stand on.

#include <filesystem>
#include <memory>
#include <string>

#include "base/team/shared_work.hpp"
#include "cli/workflows/view/options.hpp"
#include "replay/report/report.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::cli::view {

// Error where nothing can be shown, or where two archives do not belong together. Of a damaged archive what can be read
// is shown, and a banner says what is missing.
// `report`: where two are compared, what `Opened::report` was made from. `workers` compile and read archives together;
// null: this process does it.
std::unique_ptr<viewer::Opened> open(const Options& options, Workers* workers = nullptr,
                                     replay::Report* report = nullptr);

}  // namespace plumbline::cli::view
