// A program that is not ours: LAMMPS as Debian ships it (Open MPI).

#include <gtest/gtest.h>

#include <fstream>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

constexpr char kMelt[] = R"(units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
fix 1 all nve
thermo 10
run 50
)";

TEST(ForeignProgram, LammpsIsRecordedReplayedAndCompared) {
  if (run_command("command -v lmp").status != 0) GTEST_SKIP() << "lammps is not installed";
  const Flavour openmpi = flavours()[0];
  const TemporaryDirectory directory;
  std::ofstream(directory / "in.melt") << kMelt;
  std::ofstream(directory / "platform.xml") << one_node_platform();
  const auto plumbline = [&](const std::string& arguments) {
    return run_command("OMP_NUM_THREADS=1 " + kPlumbline + " " + arguments, directory.path(), 300);
  };

  const CommandResult recorded = plumbline("record -o obs -- " + openmpi.run(4, "lmp -in in.melt"));
  ASSERT_EQ(recorded.status, 0) << text_of(recorded);
  EXPECT_NE(recorded.out.find("Total wall time"), std::string::npos) << recorded.out;
  const CommandResult replayed = plumbline("replay obs -p platform.xml -o exp");
  ASSERT_EQ(replayed.status, 0) << text_of(replayed);
  const CommandResult compared = plumbline("compare obs exp");
  EXPECT_TRUE(compared.status == 0 || compared.status == 1 || compared.status == 5) << text_of(compared);
}

}  // namespace
}  // namespace plumbline::test
