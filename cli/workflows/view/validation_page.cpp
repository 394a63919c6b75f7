#include "cli/workflows/view/validation_page.hpp"

#include <memory>

#include "base/files/output.hpp"
#include "base/files/text_file.hpp"
#include "cli/workflows/view/open.hpp"
#include "cli/workflows/view/validation_run.hpp"
#include "viewer/report/compare_html.hpp"
#include "viewer/web/page_data.hpp"

namespace plumbline::cli::view {

void add_timeline(const std::filesystem::path& directory, const std::string& version) {
  constexpr std::size_t kMostBytes = 64 << 20;
  if (viewer::page_gzip().empty() || !has_run(directory)) return;
  Options how;
  how.observed = directory;
  how.run = validation_run(directory, "").name;
  const std::unique_ptr<viewer::Opened> opened = open(how);
  opened->version = version;
  const std::filesystem::path file = directory / "report.html";
  const std::string text = read_text_file(file, "validate again", kMostBytes);
  write_file(file, viewer::with_timeline(text, *opened, how.run, {.page = viewer::page_gzip()}), Overwrite::kYes);
}

}  // namespace plumbline::cli::view
