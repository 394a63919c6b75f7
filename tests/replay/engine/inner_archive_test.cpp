// From spools to an as-run replay: what the tracer wrote inside of a barrier of two ranks is what is run.

#include <gtest/gtest.h>

#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "support.hpp"
#include "tests/tracer/assemble_fixture.hpp"

namespace plumbline::replay {
namespace {

using record::test::Assemble;
using record::test::pair;
using record::test::Payload;
using record::test::SpoolBuilder;

class InnerArchive : public Assemble {
 protected:
  // A barrier of two messages; times in ns. `number`: of the message on its rank.
  static void message(SpoolBuilder& spool, bool is_send, std::uint64_t posted, std::uint64_t complete, int peer,
                      std::uint32_t number) {
    spool.call(is_send ? "(inner send)" : "(inner receive)", PL_LAYOUT_INNER_MESSAGE, posted, complete,
               Payload{pair(peer, -16), 0, pair(17, number)});
  }

  static SpoolBuilder rank(std::uint32_t own) {
    SpoolBuilder spool(own, 2);
    const int other = own == 0 ? 1 : 0;
    spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 50'000, Payload{pair(PL_COMM_WORLD, -1), 0, 0});
    message(spool, false, 2'000, 49'000, other, 1);
    message(spool, true, 3'000, 4'000, other, 2);
    return spool;
  }
};

TEST_F(InnerArchive, IsReplayedAsItWasRecorded) {
  run({rank(0), rank(1)});
  CompileSummary summary;
  const Program program = compile(*reader_, directory_.path() / "program", summary);
  for (const std::string& remark : summary.remarks) EXPECT_EQ(remark.find(" to no call"), std::string::npos) << remark;
  ASSERT_EQ(program.rank(0).inner_of(0).size(), 4U);
  hw::Platform platform = test::star(2);
  platform.placements = {{0, 0, 0}, {1, 1, 1}};
  const ReplayResult result = test::run(program, platform, Mode::kAnchored, Form::kAsRun);
  ASSERT_TRUE(result.inner_faults.empty()) << result.inner_faults.front().reason;
  EXPECT_EQ(result.by_inner, (std::vector<std::vector<std::uint32_t>>{{0}, {0}}));
  // 1 us of computing, sent at 2, there at 7, done at 9 us; 1 us to the end of the call.
  for (std::uint32_t r : {0U, 1U}) EXPECT_EQ(test::duration(result.times[r][0]), microseconds(10));
}

}  // namespace
}  // namespace plumbline::replay
