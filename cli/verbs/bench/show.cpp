#include <fmt/format.h>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "bench/campaign/sizes.hpp"
#include "bench/report/campaign_difference.hpp"
#include "bench/report/plot.hpp"
#include "bench/results/campaign_file.hpp"
#include "cli/file_kind.hpp"
#include "cli/paths.hpp"
#include "cli/verbs/bench/bench.hpp"
#include "cli/verbs/bench/tables.hpp"

namespace plumbline::cli {
namespace {

bench::Selection selection_of(const BenchChoice& choice) {
  bench::Selection selection{choice.operations, choice.implementations, choice.mpis, {}};
  for (const std::string& text : choice.sizes) {
    try {
      const std::vector<std::uint64_t> sizes = bench::parse_sizes(text);
      selection.sizes.insert(selection.sizes.end(), sizes.begin(), sizes.end());
    } catch (const Error& error) {
      throw Error("--size", error.problems()[0].what, error.problems()[0].hint, ExitCode::kWrongUse);
    }
  }
  return selection;
}

bench::Campaign campaign_of(const std::filesystem::path& path) {
  if (const FileKind kind = kind_of(path); kind != FileKind::kCampaign)
    throw Error(path.string(), fmt::format("is {}, not the result of a campaign", name_of(kind)),
                "name what `plumbline bench -o` wrote");
  return bench::read_campaign(path);
}

std::vector<bench::SummaryRow> rows_of(const bench::Campaign& campaign, const BenchChoice& choice) {
  std::vector<bench::SummaryRow> rows = bench::summarise(campaign, selection_of(choice));
  if (rows.empty() && !campaign.cells.empty())
    throw Error(choice.file.string(), "has nothing of what was chosen", "plumbline bench show lists all of it",
                ExitCode::kWrongUse);
  return rows;
}

int show_against(const std::vector<bench::SummaryRow>& rows, const BenchShowOptions& options) {
  const std::vector<bench::SummaryRow> reference =
      bench::summarise(campaign_of(options.against), selection_of(options.choice));
  const bench::AgainstReference differences = bench::compare(rows, reference);
  if (differences.both.empty())
    throw Error(options.against.string(), "has nothing in common with " + options.choice.file.string(),
                "compare campaigns of the same operations and layouts", ExitCode::kNotComparable);
  fmt::print("{}", options.json ? against_json(differences, options.rate) : against_text(differences, options.rate));
  for (const bench::Difference& each : differences.both)
    if (each.q <= options.rate && each.median > each.reference_median) return static_cast<int>(ExitCode::kFindings);
  return static_cast<int>(differences.least_p > options.rate ? ExitCode::kTooNoisy : ExitCode::kAsExpected);
}

std::string title_of(const bench::Campaign& campaign, const std::vector<bench::SummaryRow>& rows) {
  std::vector<std::string> operations;
  for (const bench::SummaryRow& row : rows)
    if (operations.empty() || operations.back() != row.subject.operation) operations.push_back(row.subject.operation);
  std::string text;
  for (std::size_t i = 0; i < operations.size() && i < 3; ++i) text += (i == 0 ? "" : ", ") + operations[i];
  if (operations.size() > 3) text += ", ...";
  return fmt::format("{} on {}, {}", text, campaign.environment.host, campaign.environment.created.substr(0, 10));
}

}  // namespace

int show_bench(const BenchShowOptions& options) {
  if (options.cells + options.raw + options.csv > 1 || (options.json && (options.cells || options.raw || options.csv)))
    throw Error("", "--cells, --raw, --csv and --json exclude each other", "choose one", ExitCode::kWrongUse);
  if (!options.against.empty() && (options.cells || options.raw || options.csv))
    throw Error("", "--against goes with --json only", "leave the other out", ExitCode::kWrongUse);
  const bench::Campaign campaign = campaign_of(options.choice.file);
  const std::vector<bench::SummaryRow> rows = rows_of(campaign, options.choice);
  if (!options.against.empty()) return show_against(rows, options);
  if (options.raw)
    fmt::print("{}", raw_csv(campaign, selection_of(options.choice)));
  else if (options.cells)
    fmt::print("{}\n{}", circumstances_text(campaign), cells_text(campaign, selection_of(options.choice)));
  else if (options.csv)
    fmt::print("{}", rows_csv(rows));
  else if (options.json)
    fmt::print("{}", rows_json(rows));
  else
    fmt::print("{}\n{}", circumstances_text(campaign), rows_text(rows));
  return 0;
}

int plot_bench(const BenchPlotOptions& options) {
  const bool over_ranks = options.over == "ranks";
  if (over_ranks && options.kind != "lines")
    throw Error("--over", "ranks go with lines", "leave --kind " + options.kind + " out", ExitCode::kWrongUse);
  const bool to_stdout = options.output == "-";
  const Overwrite overwrite = options.force ? Overwrite::kYes : Overwrite::kNo;
  if (!to_stdout) {
    require_distinct(options.output, {options.choice.file});
    require_writable(options.output, overwrite);
  }
  const bench::Campaign campaign = campaign_of(options.choice.file);
  const std::vector<bench::SummaryRow> rows = rows_of(campaign, options.choice);
  const bench::PlotKind kind = options.kind == "box"         ? bench::PlotKind::kBox
                               : options.kind == "histogram" ? bench::PlotKind::kHistogram
                                                             : bench::PlotKind::kLines;
  const std::string svg = bench::plot(rows, kind, options.title.empty() ? title_of(campaign, rows) : options.title,
                                      over_ranks ? bench::PlotOver::kRanks : bench::PlotOver::kSize);
  if (to_stdout) {
    fmt::print("{}", svg);
    return 0;
  }
  write_file(options.output, svg, overwrite);
  fmt::print("{}\n", options.output.string());
  return 0;
}

}  // namespace plumbline::cli
