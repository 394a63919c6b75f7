#pragma once
// The timeline in the report of a validation.

#include <filesystem>
#include <string>

namespace plumbline::cli::view {

// Writes report.html of the directory anew, with the timeline of the run of its suite that lost most. Nothing is done
// where no run has an archive, or the page is no part of this command. Error where the run cannot be opened; the report
// then stays as it is.
void add_timeline(const std::filesystem::path& directory, const std::string& version);

}  // namespace plumbline::cli::view
