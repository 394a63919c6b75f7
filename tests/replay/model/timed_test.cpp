// Models with the times of a replay in the place of those that nobody observed.

#include "replay/model/compile/timed.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/memory/scratch.hpp"
#include "world.hpp"

namespace plumbline::replay::model {
namespace {

std::vector<Column<OperationTimes>> times_of(const Program& program) {
  std::vector<Column<OperationTimes>> times(program.ranks());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (const OperationTimes& own : program.rank(rank).times) times[rank].push_back(own);
  return times;
}

// With its own times, a program is what it was: everything else is taken over.
TEST(TimedModel, KeepsViewsHintsPropertiesAndWhyCallsAreNotJudged) {
  const Program program = test::compiled(
      "Property library = \"Open MPI v4.1.4\"\nProperty \"hints:/data/x\" = \"cb_nodes=1\"\n"
      "Message type = MPI_File_open file = \"/data/x\" least = 2ms\n"
      "Message type = MPI_File_write_at_all file = \"/data/x\" offset = 256 size = 64\n"
      "& view = \"disp=0 extent=4096 size=1024: 8x128@0/512\" displacement = procnum*128\n"
      "Delay time = 3ms\nSerial time = 1ms\nMessage type = MPI_Sendrecv size = 8 to = procnum^1 from = procnum^1\n",
      2);
  const plumbline::test::TemporaryDirectory directory;
  const Program timed = with_times(
      program, times_of(program), [](std::uint32_t, std::uint32_t) { return 0U; }, directory.path() / "timed");
  EXPECT_EQ(to_text(timed), to_text(program));
  EXPECT_NE(to_text(timed).find("not-judged"), std::string::npos);
  EXPECT_NE(to_text(timed).find("disp=128 extent=4096"), std::string::npos) << to_text(timed);
}

}  // namespace
}  // namespace plumbline::replay::model
