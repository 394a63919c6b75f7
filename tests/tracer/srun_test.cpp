#include "tracer/record/launch/srun.hpp"

#include <gtest/gtest.h>

namespace plumbline::record {
namespace {

// In the form of `srun --help`.
constexpr char kHelp[] = R"(Usage: srun [OPTIONS(0)... [executable(0) [args(0)...]]]

Parallel run options:
  -A, --account=name          charge job to specified account
      --acctg-freq=<datatype>=<interval> sampling intervals.
                              --not-an-option=in the text
  -n, --ntasks=ntasks         number of tasks to run
  -N, --nodes=N               number of nodes
      --ntasks-per-node=n     number of tasks to invoke on each node
  -K, --kill-on-bad-exit      kill the job if any task ends badly
  -l, --label                 prepend task number
      --mpi=type              type of MPI being used
      --nice[=value]          decrease scheduling priority by value
  -B  --extra-node-info=S[:C[:T]]  combine request of sockets per node,
      --container             Path to OCI container bundle
)";

std::optional<Command> kept(const Command& command) {
  return srun_with_keeper(command, {"keep", "--"}, SrunOptions(kHelp));
}

TEST(SrunWithKeeper, TheKeeperStandsInFrontOfTheProgram) {
  EXPECT_EQ(kept({"srun", "-n", "4", "./app", "-n", "7"}),
            (Command{"srun", "-n", "4", "keep", "--", "./app", "-n", "7"}));
}

TEST(SrunWithKeeper, EveryComponentHasOne) {
  EXPECT_EQ(kept({"srun", "-n1", "./a", "x", ":", "-n", "2", "./b"}),
            (Command{"srun", "-n1", "keep", "--", "./a", "x", ":", "-n", "2", "keep", "--", "./b"}));
}

TEST(SrunWithKeeper, OptionsTakeTheirValuesWithThem) {
  for (const Command& options : std::vector<Command>{{"--ntasks=4"},
                                                     {"--ntasks", "4"},
                                                     {"--ntasks-per-no", "4"},
                                                     {"-ln", "4"},
                                                     {"-ln4"},
                                                     {"-K0"},
                                                     {"--nice"},
                                                     {"--nice=5"},
                                                     {"-B", "2:4"},
                                                     {"--container", "bundle"},  // the help does not say so
                                                     {"--cpu-bind", "cores"},
                                                     {"--mpi", "pmi2", "-l"},
                                                     {"-l", "--"}}) {
    Command command{"srun"};
    command.insert(command.end(), options.begin(), options.end());
    Command expected = command;
    command.emplace_back("./app");
    expected.insert(expected.end(), {"keep", "--", "./app"});
    EXPECT_EQ(kept(command), expected) << options[0];
  }
}

TEST(SrunWithKeeper, WhereTheProgramIsIsNotGuessed) {
  EXPECT_EQ(kept({"srun", "--no-such-option", "./app"}), std::nullopt);
  EXPECT_EQ(kept({"srun", "--nta", "4", "./app"}), std::nullopt);  // --ntasks or --ntasks-per-node
  EXPECT_EQ(kept({"srun", "-n", "2", "--multi-prog", "file"}), std::nullopt);
  EXPECT_EQ(kept({"srun", "-n", "2"}), std::nullopt);
  EXPECT_EQ(srun_with_keeper({"srun", "-n", "2", "./app"}, {"keep"}, SrunOptions("")), std::nullopt);
}

}  // namespace
}  // namespace plumbline::record
