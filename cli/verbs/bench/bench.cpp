#include "cli/verbs/bench/bench.hpp"

#include <memory>
#include <string>

#include "base/error.hpp"
#include "cli/numbers.hpp"
#include "cli/verb.hpp"

namespace plumbline::cli {
namespace {

struct BenchArguments {
  BenchRunOptions run;
  BenchShowOptions show;
  BenchPlotOptions plot;
  BenchGuidelinesOptions guidelines;
  bool list = false;
  std::string example;
  enum class Face { kRun, kShow, kPlot, kGuidelines } face = Face::kRun;
};

constexpr char kAbout[] =
    "Runs a campaign: a file that says which operations of MPI, MPI-IO and this machine to measure, how often, and "
    "how\n"
    "ranks are placed (docs/reference/campaign.md). Everything goes into one HDF5 file with its circumstances. What "
    "was\n"
    "measured survives any end, in RESULT.parts; --resume goes on. Ctrl-C ends it in order. Exit status: 0 all was\n"
    "measured, 5 not all, 6 an MPI is missing.\n\n"
    "  plumbline bench --example > my.toml\n"
    "  plumbline bench my.toml -o my.h5\n"
    "  plumbline bench show my.h5\n"
    "  plumbline bench show my.h5 --against last-month.h5\n"
    "  plumbline bench plot my.h5 -o my.svg --operation bcast";
constexpr char kAboutShow[] =
    "Prints a table for each operation, implementation, layout and MPI. The median is that of the medians of runs, "
    "its\n"
    "interval is over runs with 95 %; the tails are of all valid repetitions. A * marks sizes with runs on a machine "
    "that\n"
    "was not quiet. --against compares by the rank-sum test of Mann and Whitney over runs, adjusted for the number of\n"
    "tests by Benjamini and Hochberg: exit status 1 where something is slower, 5 where there are too few runs to "
    "tell.\n\n"
    "  plumbline bench show my.h5 --operation bcast --size 1KiB,64KiB\n"
    "  plumbline bench show my.h5 --csv > my.csv";
constexpr char kAboutPlot[] =
    "Draws time by size or by ranks (lines: medians of runs with their interval), by size with quartiles and tails of "
    "all\n"
    "repetitions (box), or how often each time was seen (histogram), as SVG.\n\n"
    "  plumbline bench plot my.h5 -o bcast.svg --operation bcast\n"
    "  plumbline bench plot my.h5 -o ranks.svg --operation bcast --size 1KiB --over ranks\n"
    "  plumbline bench plot my.h5 -o tail.svg --kind histogram --operation round_trip --size 1KiB";

constexpr char kAboutGuidelines[] =
    "Measures what users may expect of one MPI function against another (docs/how-to/guidelines.md), in separate "
    "starts "
    "in\n"
    "random order, and says which expectations do not hold: by a one-sided rank-sum test on the medians of runs, "
    "adjusted\n"
    "for all tests of the campaign, a ratio, and quartiles that do not meet. FILE adds guidelines of your own. Exit "
    "status:\n"
    "0 all hold, 1 some do not, 5 not all was measured or too few runs to tell, 6 cannot run here.\n\n"
    "  plumbline bench guidelines --quick\n"
    "  plumbline bench guidelines --mpi openmpi -n 2 -o ours.h5 --plots pictures --csv ours.csv --try\n"
    "  plumbline bench guidelines --from ours.h5 --details\n"
    "  plumbline bench guidelines --list; plumbline bench guidelines --example > mine.toml";

void declare_choice(CLI::App& app, BenchChoice& choice) {
  app.add_option("FILE", choice.file, "result of a campaign")->required();
  app.add_option("--operation", choice.operations, "only these")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  app.add_option("--implementation", choice.implementations, "only these")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  app.add_option("--mpi", choice.mpis, "only these")->delimiter(',')->allow_extra_args(false)->type_name("NAMES");
  app.add_option("--size", choice.sizes, "only these: 64KiB, 1..1MiB*2")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("SIZES");
}

void declare_show(CLI::App& app, BenchArguments& options) {
  BenchShowOptions& show = options.show;
  declare_choice(app, show.choice);
  app.add_option("--against", show.against, "compare with this one, as the reference")->type_name("FILE");
  app.add_option("--rate", show.rate, "rate of false discoveries in --against, as a fraction")
      ->capture_default_str()
      ->check(number_between(1e-6, 0.5))
      ->type_name("FRACTION");
  app.add_flag("--cells", show.cells, "a line for each cell: an operation of one size in one run");
  app.add_flag("--raw", show.raw, "every repetition, as CSV");
  app.add_flag("--json", show.json, "for programs");
  app.add_flag("--csv", show.csv, "for programs and spreadsheets; seconds");
  app.footer(kAboutShow);
  app.final_callback([&options] { options.face = BenchArguments::Face::kShow; });
}

void declare_plot(CLI::App& app, BenchArguments& options) {
  BenchPlotOptions& plot = options.plot;
  declare_choice(app, plot.choice);
  app.add_option("-o,--output", plot.output, "SVG to write; -: to standard output")->required()->type_name("FILE");
  app.add_option("--kind", plot.kind, "lines, box or histogram")
      ->capture_default_str()
      ->check(CLI::IsMember({"lines", "box", "histogram"}).description(""))
      ->type_name("KIND");
  app.add_option("--over", plot.over, "what lines go over: size, or ranks, with a curve for each size")
      ->capture_default_str()
      ->check(CLI::IsMember({"size", "ranks"}).description(""))
      ->type_name("WHAT");
  app.add_option("--title", plot.title, "above the plot; default: operations and host")->type_name("TEXT");
  app.add_flag("--force", plot.force, "replace an existing picture");
  app.footer(kAboutPlot);
  app.final_callback([&options] { options.face = BenchArguments::Face::kPlot; });
}

void declare_where(CLI::App& app, BenchGuidelinesOptions& options) {
  app.add_option("--mpi", options.mpi, "which MPI; default: all that are installed")
      ->check(CLI::IsMember({"openmpi", "mpich", "both"}).description(""))
      ->type_name("openmpi|mpich|both");
  app.add_option("--launcher", options.launcher,
                 "command line that starts the ranks, with {ranks}, {nodes}, {per_node}, {hosts} and {program}")
      ->type_name("WORDS");
  app.add_option("-n,--ranks", options.ranks, "ranks in all; default: one for each core, of several nodes one on each")
      ->check(whole_number())
      ->check(CLI::Range(2U, 1'000'000U).description(""))
      ->type_name("N");
  app.add_option("--nodes", options.nodes, "nodes; default: 1, or as many as --hosts")
      ->check(whole_number())
      ->check(CLI::Range(1U, 1'000'000U).description(""))
      ->type_name("N");
  app.add_option("--hosts", options.hosts, "names of the nodes")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  app.add_option("--io", options.io, "directory for guidelines on files; default: none are measured")
      ->check(CLI::ExistingDirectory.description(""))
      ->type_name("DIR");
}

void declare_effort(CLI::App& app, BenchGuidelinesOptions& options) {
  app.add_flag("--quick", options.quick, "8 runs, four sizes, the first form of each guideline");
  app.add_flag("--full", options.full, "20 runs and more repetitions");
  app.add_option("--runs", options.runs, "separate starts of each MPI; default: 10")
      ->check(whole_number())
      ->check(CLI::Range(1U, 10'000U).description(""))
      ->type_name("N");
  app.add_option("--sizes", options.sizes, "of blocks: 8,1KiB, 1..1MiB*4")->type_name("SIZES");
  app.add_option("--seed", options.seed, "of the random order")
      ->capture_default_str()
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--only", options.only, "these guidelines, names (GL4) or groups; '*' stands for any characters")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  app.add_option("--ratio", options.ratio, "from which on slower is worth a word")
      ->capture_default_str()
      ->check(number_between(1, 1000))
      ->type_name("RATIO");
  app.add_option("--rate", options.rate, "of false discoveries over all tests, as a fraction")
      ->capture_default_str()
      ->check(number_between(1e-6, 0.5))
      ->type_name("FRACTION");
}

void declare_guidelines(CLI::App& app, BenchArguments& arguments) {
  BenchGuidelinesOptions& options = arguments.guidelines;
  app.add_option("FILE", options.table, "guidelines of your own (TOML), added to the built-in ones");
  app.add_option("-o,--output", options.output, "result to write (HDF5)")->capture_default_str()->type_name("FILE");
  declare_where(app, options);
  declare_effort(app, options);
  app.add_flag("--try", options.try_proposals, "run what is proposed, and say whether it heals");
  app.add_flag("--details", options.details, "every comparison at every size");
  app.add_option("--csv", options.csv, "the same as CSV, in seconds")->type_name("FILE");
  app.add_option("--plots", options.plots,
                 "pictures (SVG) of what is violated and of artefacts, over sizes and run by run")
      ->type_name("DIR");
  app.add_option("--from", options.from, "judge what was measured before")->type_name("FILE");
  app.add_flag("--resume", options.resume, "go on with a campaign that was cut off");
  app.add_flag("--force", options.force, "replace existing results, pictures and CSV");
  app.add_flag("--dry-run", options.dry_run, "only check the table and say what would run");
  app.add_flag("--list", options.list, "say which guidelines there are");
  app.add_flag("--example", options.example, "print the built-in table");
  app.footer(kAboutGuidelines);
  app.final_callback([&arguments] { arguments.face = BenchArguments::Face::kGuidelines; });
}

int run_chosen(const BenchArguments& options) {
  if (options.face == BenchArguments::Face::kGuidelines) return bench_guidelines(options.guidelines);
  if (options.face == BenchArguments::Face::kShow) return show_bench(options.show);
  if (options.face == BenchArguments::Face::kPlot) return plot_bench(options.plot);
  if (options.list) return print_operations();
  if (!options.example.empty()) return print_example(options.example);
  if (options.run.campaign.empty())
    throw Error("", "no campaign is named", "plumbline bench FILE.toml; plumbline bench --example prints one",
                ExitCode::kWrongUse);
  return run_bench(options.run);
}

}  // namespace

Run declare_bench(CLI::App& app) {
  const auto options = std::make_shared<BenchArguments>();
  app.add_option("FILE", options->run.campaign, "campaign to run (TOML)");
  app.add_option("-o,--output", options->run.output, "result to write (HDF5); default: the campaign's name with .h5")
      ->type_name("FILE");
  app.add_flag("--resume", options->run.resume, "go on with a campaign that was cut off");
  app.add_flag("--force", options->run.force, "replace an existing result");
  app.add_flag("--dry-run", options->run.dry_run, "only check the file and say what would run");
  app.add_flag("--list", options->list, "say what can be measured");
  app.add_option("--example", options->example,
                 "print a campaign to begin with; machine: the one that a platform is made of (calibrate)")
      ->expected(0, 1)
      ->default_str("campaign")
      ->check(CLI::IsMember({"campaign", "machine"}).description(""))
      ->type_name("[campaign|machine]");
  declare_show(*app.add_subcommand("show", "print tables of a campaign"), *options);
  declare_plot(*app.add_subcommand("plot", "draw a campaign"), *options);
  declare_guidelines(*app.add_subcommand("guidelines", "hold MPI to what may be expected of it"), *options);
  app.require_subcommand(0, 1);
  app.footer(kAbout);
  return [options] { return run_chosen(*options); };
}

}  // namespace plumbline::cli
