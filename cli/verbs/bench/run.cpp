#include <fmt/format.h>

#include "base/error.hpp"
#include "base/files/text_file.hpp"
#include "bench/environment.hpp"
#include "cli/paths.hpp"
#include "cli/verbs/bench/bench.hpp"
#include "cli/verbs/bench/campaign_run.hpp"
#include "example_campaign.hpp"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

int run_bench(const BenchRunOptions& options) {
  const std::string text =
      read_text_file(options.campaign, "name a campaign file; plumbline bench --example prints one");
  const std::vector<bench::Installed> installed = bench::installed_mpis();
  const std::uint32_t cores = bench::describe_environment(".").cores;
  bench::Catalogue catalogue = catalogue_of(installed);
  const bench::Description description =
      bench::parse_description(text, options.campaign.string(), catalogue, surroundings_of(installed, cores));
  for (const std::string& warning : bench::warnings_of(description, cores))
    fmt::print(stderr, "plumbline: warning: {}\n", warning);
  if (options.dry_run) {
    fmt::print("{}\n", what_would_run(description));
    return 0;
  }
  bench::CampaignOptions run;
  run.result = !options.output.empty()     ? options.output
               : !description.name.empty() ? fs::path(description.name + ".h5")
                                           : fs::path(options.campaign.stem().string() + ".h5");
  run.resume = options.resume;
  run.force = options.force;
  require_distinct(run.result, {options.campaign});
  const bool whole = tell_outcome(run_showing_progress(description, installed, run), run.result.string());
  fmt::print("{}\n", run.result.string());
  return static_cast<int>(whole ? ExitCode::kAsExpected : ExitCode::kTooNoisy);
}

int print_operations() {
  for (const bench::Operation& operation : catalogue_of(bench::installed_mpis()).operations) {
    fmt::print("{}: {}\n", operation.name, operation.summary);
    if (!operation.bytes.empty()) fmt::print("  size: {}\n", operation.bytes);
    if (operation.implementations.size() > 1) fmt::print("  implementations: {}\n", joined(operation.implementations));
    if (operation.least_ranks > 1) fmt::print("  from {} ranks on\n", operation.least_ranks);
    for (const bench::Parameter& parameter : operation.parameters)
      fmt::print("  {}{}: {}\n", parameter.name,
                 parameter.is_pattern()         ? ""
                 : parameter.by_default.empty() ? " (must be given)"
                                                : " = " + parameter.by_default,
                 parameter.summary);
  }
  return 0;
}

int print_example(const std::string& which) {
  fmt::print("{}", which == "machine" ? kMachineCampaign : kExampleCampaign);
  return 0;
}

}  // namespace plumbline::cli
