// How a rank ended, and what is said of a program that hangs; on real MPI.

#include <gmock/gmock.h>
#include <signal.h>

#include "tests/integration/recorded.hpp"

namespace plumbline::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Ends = Recorded;

TEST_P(Ends, OfAProgramWithoutALauncherIsKnownToo) {
  const CommandResult recorded = run(environment() + kPlumbline + " record -o obs -- " + program("ends") + " segv");
  EXPECT_EQ(recorded.status, 128 + SIGSEGV) << text_of(recorded);
  EXPECT_THAT(ends(), ElementsAre("killed by signal 11 (SIGSEGV)"));
}

TEST_P(Ends, WithoutAParentOfOursNoSignalIsClaimed) {
  const std::string set = GetParam().name == "openmpi" ? " -x PLUMBLINE_SPOOL=$PWD/spool -x LD_PRELOAD="
                                                       : " -genv PLUMBLINE_SPOOL $PWD/spool -genv LD_PRELOAD ";
  const std::string library =
      std::string(BUILD_DIRECTORY) + "/lib/plumbline/libplumbline-preload-" + GetParam().name + ".so";
  run(GetParam().launcher + " -n 1" + set + library + " " + program("ends") + " kill");
  const CommandResult assembled = run(kPlumbline + " assemble spool -o obs");
  ASSERT_EQ(assembled.status, 0) << text_of(assembled);
  EXPECT_THAT(ends(), ElementsAre("killed or lost: no end was written"));
}

TEST_P(Ends, ACallInFlightIsShownWithItsPeer) {
  const CommandResult recorded = run(record("", 1, program("ends") + " hang"));
  EXPECT_THAT(ends(), ElementsAre("killed by signal 14 (SIGALRM)")) << text_of(recorded);
  EXPECT_THAT(recorded.err, HasSubstr("rank 0: MPI_Recv had not returned when it ended"));
  const CommandResult info = run(kPlumbline + " info obs");
  EXPECT_THAT(info.out, HasSubstr("  rank 0: in MPI_Recv(from 0, tag 77, MPI_COMM_WORLD) for "));
}

TEST_P(Ends, SpoolsThatAKilledRecordLeavesAreToldOfByTheNext) {
  {
    Background killed(record("", 1, program("hang") + " stubborn"), directory_.path());
    std::filesystem::path spools;
    ASSERT_TRUE(wait_until(killed, [&] {
      for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
        if (calls_in_flight(entry.path()) == std::vector<std::string>{"MPI_Recv"}) spools = entry.path();
      return !spools.empty();
    }));
    kill(killed.pid(), SIGKILL);
    killed.result();
    run("for spool in " + spools.string() +
        "/*.spool; do pid=${spool%.spool}; kill -KILL ${pid##*.}; done");  // which still runs
    const CommandResult next = run(environment() + kPlumbline + " record -o next -- " + program("ends"));
    EXPECT_THAT(next.err, HasSubstr("an earlier recording was left in " + spools.string())) << text_of(next);
    const CommandResult assembled = run(kPlumbline + " assemble " + spools.string() + " -o obs");
    EXPECT_EQ(assembled.status, 0) << text_of(assembled);
    EXPECT_THAT(ends(), ElementsAre(StartsWith("killed")));
  }
}

// ---- Every way to end

struct Way {
  std::string argument;  // of `ends`
  std::string end;
};
void PrintTo(const Way& way, std::ostream* out) { *out << way.argument; }

class EveryEnd : public RecordedWith<std::tuple<Flavour, Way>> {
 protected:
  const Flavour& flavour() const override { return std::get<0>(GetParam()); }
};

TEST_P(EveryEnd, IsToldAsItWas) {
  const Way& way = std::get<1>(GetParam());
  const CommandResult recorded = run(record("", 1, program("ends") + " " + way.argument));
  EXPECT_THAT(ends(), ElementsAre(way.end)) << text_of(recorded);
  EXPECT_EQ(recorded.status == 0, way.end == "finalized") << text_of(recorded);
  EXPECT_GT(archive::Reader(directory_ / "obs").definitions().locations[0].events, 100U * 4) << "hundred Sendrecv";
  if (way.end != "finalized") {
    EXPECT_THAT(recorded.err, HasSubstr("rank 0: " + way.end));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Mpi, EveryEnd,
    testing::Combine(testing::ValuesIn(flavours()),
                     testing::Values(Way{"finalize", "finalized"},
                                     Way{"exit", "exited without MPI_Finalize with status 5"},
                                     Way{"return", "exited without MPI_Finalize with status 4"},
                                     Way{"_exit", "exited by _exit with status 6"},
                                     Way{"quick_exit", "exited by quick_exit with status 8"},
                                     Way{"abort", "aborted by abort()"}, Way{"MPI_Abort", "aborted by MPI_Abort(7)"},
                                     Way{"kill", "killed by signal 9 (SIGKILL)"},
                                     Way{"segv", "killed by signal 11 (SIGSEGV)"})),
    [](const auto& one) { return std::get<0>(one.param).name + "_" + std::get<1>(one.param).argument; });

// ---- Hangs

class Hang : public Recorded {
 protected:
  // The report of a program that hangs in that way, stopped when its ranks are in those calls, sorted.
  CommandResult report(const std::string& how, const std::vector<std::string>& calls, int signal = SIGINT,
                       const std::string& options = "") {
    Background hanging(record("--spool spools " + options, static_cast<int>(calls.size()), program("hang") + " " + how),
                       directory_.path());
    EXPECT_TRUE(wait_until(hanging, [&] { return calls_in_flight(directory_ / "spools") == calls; })) << how;
    kill(hanging.pid(), signal);
    return hanging.result();
  }
};

TEST_P(Hang, ReceivesFromEachOtherAreReportedAsADeadlock) {
  const CommandResult stopped = report("recv", {"MPI_Recv", "MPI_Recv"});
  EXPECT_THAT(stopped.err, HasSubstr("plumbline: stopped by signal 2 (SIGINT)")) << text_of(stopped);
  EXPECT_THAT(stopped.err, HasSubstr("  deadlock: rank 0 waits for rank 1, which waits for rank 0\n"));
  EXPECT_THAT(stopped.err, HasSubstr("  rank 1: in MPI_Recv(from 0, tag 5, MPI_COMM_WORLD) for "));
  EXPECT_NE(stopped.status, 0);
  const CommandResult again = run(kPlumbline + " info --waiting obs");
  EXPECT_THAT(stopped.err, HasSubstr(again.out));
  EXPECT_THAT(again.out, HasSubstr("deadlock"));
}

TEST_P(Hang, ATagThatNobodySendsIsReportedWithWhatWasSent) {
  const CommandResult stopped = report("tag", {"MPI_Barrier", "MPI_Recv"}, SIGTERM);
  EXPECT_THAT(stopped.err, HasSubstr("    rank 1 has sent it a message that was not received: tag 6, MPI_COMM_WORLD\n"))
      << text_of(stopped);
  EXPECT_THAT(stopped.err, HasSubstr("rank 1 is in MPI_Barrier on MPI_COMM_WORLD; rank 0 is not"));
  EXPECT_THAT(stopped.err, HasSubstr("  deadlock: rank 0 waits for rank 1, which waits for rank 0\n"));
}

TEST_P(Hang, SynchronousSendsInACircleAreReported) {
  const CommandResult stopped = report("ssend", {"MPI_Ssend", "MPI_Ssend", "MPI_Ssend"});
  EXPECT_THAT(stopped.err,
              HasSubstr("  deadlock: rank 0 waits for rank 1, which waits for rank 2, which waits for rank 0\n"))
      << text_of(stopped);
}

TEST_P(Hang, ARankThatComputesIsMissingInTheBarrier) {
  const CommandResult stopped = report("compute", {"", "MPI_Barrier", "MPI_Barrier"});
  EXPECT_THAT(stopped.err, HasSubstr("  ranks 0, 2 are in MPI_Barrier on MPI_COMM_WORLD; rank 1 is not\n"))
      << text_of(stopped);
  EXPECT_THAT(stopped.err, HasSubstr("  rank 1: in no call for "));
  EXPECT_THAT(stopped.err, Not(HasSubstr("deadlock")));
}

TEST_P(Hang, AnySourceAndARestInABarrierIsADeadlock) {
  const CommandResult stopped = report("any", {"MPI_Barrier", "MPI_Barrier", "MPI_Recv"});
  EXPECT_THAT(stopped.err, HasSubstr("  rank 0: in MPI_Recv(from any, tag any, MPI_COMM_WORLD) for "))
      << text_of(stopped);
  EXPECT_THAT(stopped.err, HasSubstr("  deadlock: "));
}

TEST_P(Hang, AWaitIsReportedWithThePeersOfItsRequests) {
  const CommandResult stopped = report("waitall", {"MPI_Waitall", "MPI_Waitall"});
  EXPECT_THAT(stopped.err, HasSubstr("  rank 0: in MPI_Waitall(a receive from 1, tag 8, MPI_COMM_WORLD, a send to 1, "
                                     "tag 9, 4 B, MPI_COMM_WORLD) for "))
      << text_of(stopped);
  EXPECT_THAT(stopped.err, HasSubstr("  deadlock: rank 0 waits for rank 1, which waits for rank 0\n"));
}

TEST_P(Hang, WhoIgnoresSignalsIsKilledAndReportedAllTheSame) {
  const CommandResult stopped = report("stubborn", {"MPI_Recv", "MPI_Recv"}, SIGINT, "--grace 0.5");
  EXPECT_THAT(stopped.err, HasSubstr("  deadlock: rank 0 waits for itself\n")) << text_of(stopped);
  EXPECT_THAT(ends(), Each(StartsWith("killed")));
}

INSTANTIATE_TEST_SUITE_P(Mpi, Ends, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });
INSTANTIATE_TEST_SUITE_P(Mpi, Hang, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

}  // namespace
}  // namespace plumbline::test
