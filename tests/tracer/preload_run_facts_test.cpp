// What a spool says about the run as a whole.
#include <gmock/gmock.h>

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

class RunFacts : public OnBothMpis {
 protected:
  std::map<std::string, std::string> facts_of(const Job& job) {
    Job own = job;
    own.flavour = GetParam();
    outcome_ = run(own);
    std::map<std::string, std::string> facts;
    for (const auto& content : contents(outcome_))
      for (const std::string& line : content->meta)
        facts[line.substr(0, line.find('='))] = line.substr(line.find('=') + 1);
    return facts;
  }
  bool is_mpich() const { return GetParam() == std::string("mpich"); }
};

TEST_P(RunFacts, NameTheMpiLibraryByItsFileAndBuild) {
  const auto facts = facts_of({.program = "waitany"});
  ASSERT_THAT(facts, Contains(Key("mpi.file")));
  EXPECT_THAT(facts.at("mpi.file"), HasSubstr("libmpi"));
  ASSERT_THAT(facts, Contains(Key("mpi.build_id")));
  const std::string build_id = facts.at("mpi.build_id");
  EXPECT_GE(build_id.size(), 16U);
  EXPECT_EQ(build_id.find_first_not_of("0123456789abcdef"), std::string::npos);
  const std::string notes = "readelf -n " + facts.at("mpi.file") + " | grep -q " + build_id;
  EXPECT_EQ(std::system(notes.c_str()), 0) << build_id << " is not that of " << facts.at("mpi.file");
}

TEST_P(RunFacts, TellWhereEagerEndsForEachTransport) {
  const auto facts = facts_of({.program = "waitany"});
  std::size_t limits = 0;
  for (const auto& [key, value] : facts)
    if (key.starts_with("cvar.") &&
        (key.find("eager_limit") != std::string::npos || key.find("EAGER") != std::string::npos))
      ++limits;
  EXPECT_GE(limits, 1U);
  EXPECT_EQ(facts.contains("mpi.device"), is_mpich());
}

TEST_P(RunFacts, TellAControlVariableAsItIsInForce) {
  const std::string setting =
      is_mpich() ? "MPIR_CVAR_BCAST_SHORT_MSG_SIZE=4321 " : "OMPI_MCA_btl_self_eager_limit=4321 ";
  const auto facts = facts_of({.program = "waitany", .environment = setting});
  const std::string key = is_mpich() ? "cvar.MPIR_CVAR_BCAST_SHORT_MSG_SIZE" : "cvar.btl_self_eager_limit";
  ASSERT_THAT(facts, Contains(Key(key)));
  EXPECT_EQ(facts.at(key), "4321");
}

// Of a default nobody has said anything. MPICH tells no sources: there it is the environment, or nothing.
TEST_P(RunFacts, SayWhoHasSetAVariableOfOpenMpi) {
  if (is_mpich()) return;
  const std::filesystem::path home = std::filesystem::temp_directory_path() / ("home." + std::to_string(getpid()));
  std::filesystem::create_directories(home / ".openmpi");
  std::ofstream(home / ".openmpi" / "mca-params.conf") << "# mine\nbtl_tcp_links = 3\n";
  std::ofstream(home / "site.conf") << "coll_tuned_priority = 31\n";
  const auto of_home =
      facts_of({.program = "waitany", .environment = "OMPI_MCA_btl_self_eager_limit=4321 HOME=" + home.string() + " "});
  const auto of_site = facts_of(
      {.program = "waitany", .environment = "OMPI_MCA_mca_base_param_files=" + (home / "site.conf").string() + " "});
  std::filesystem::remove_all(home);
  EXPECT_THAT(of_home, Contains(Pair("cvar_source.btl_self_eager_limit", "environment")));
  EXPECT_THAT(of_home, Contains(Pair("cvar.btl_tcp_links", "3")));
  EXPECT_THAT(of_home,
              Contains(Pair("cvar_source.btl_tcp_links", "file " + (home / ".openmpi/mca-params.conf").string())));
  EXPECT_THAT(of_site, Contains(Pair("cvar.coll_tuned_priority", "31")));
  EXPECT_THAT(of_site, Contains(Pair("cvar_source.coll_tuned_priority", "file " + (home / "site.conf").string())));
  EXPECT_THAT(of_site, Contains(Key("cvar.coll_basic_priority")));
  EXPECT_THAT(of_site, Not(Contains(Key("cvar_source.coll_basic_priority"))));
}

// Its components for files are opened with the first one.
TEST_P(RunFacts, TellHowOmpioIsSetWhereAFileIsOpened) {
  if (is_mpich()) return;
  const std::string setting = "OMPI_MCA_io=ompio OMPI_MCA_fs_ufs_lock_algorithm=3 ";
  const auto without = facts_of({.program = "waitany", .environment = setting});
  EXPECT_THAT(without, Not(Contains(Key("cvar.fs_ufs_lock_algorithm"))));
  const auto facts = facts_of({.program = "files", .arguments = {"WORK"}, .environment = setting});
  EXPECT_THAT(facts, Contains(Pair("cvar.io", "ompio")));
  EXPECT_THAT(facts, Contains(Pair("cvar_source.io", "environment")));
  EXPECT_THAT(facts, Contains(Pair("cvar.fs_ufs_lock_algorithm", "3")));
  EXPECT_THAT(facts, Contains(Pair("cvar_source.fs_ufs_lock_algorithm", "environment")));
  EXPECT_THAT(facts, Contains(Key("cvar.io_ompio_bytes_per_agg")));
  EXPECT_THAT(facts, Not(Contains(Key("cvar_source.io_ompio_bytes_per_agg"))));
}

// Open MPI leaves UCX out of use where shared memory and TCP are all there is, unless it is told to.
TEST_P(RunFacts, TellTheSettingsOfUcxThatAreInForce) {
  const std::string use = "OMPI_MCA_pml=ucx OMPI_MCA_pml_ucx_tls=any OMPI_MCA_pml_ucx_devices=any ";
  const auto facts = facts_of({.program = "waitany", .environment = use + "UCX_RNDV_THRESH=32k UCX_SEG_SIZE=8k "});
  ASSERT_THAT(facts, Contains(Key("ucx.settings")));
  EXPECT_THAT(facts.at("ucx.settings"), HasSubstr("\nUCX_RNDV_THRESH=32K\n"));
  EXPECT_THAT(facts.at("ucx.settings"), HasSubstr("# UCX_ZCOPY_THRESH=auto")) << "a default";
}

TEST_P(RunFacts, TellWhereUcxChangesItsProtocol) {
  const auto facts =
      facts_of({.program = "waitany", .ranks = 2, .environment = "UCX_RNDV_THRESH=32k UCX_TLS=self,sysv "});
  if (!is_mpich()) {  // whose endpoints are not known
    EXPECT_THAT(facts, Not(Contains(Key("ucx.ways"))));
    return;
  }
  ASSERT_THAT(facts, Contains(Key("ucx.ways")));
  EXPECT_THAT(facts.at("ucx.ways"), ContainsRegex("self/[^ ]* sysv/[^ ]* [^\n]*[.][.]32768[.][.]<rndv>"));
  EXPECT_THAT(facts.at("ucx.ways"), ContainsRegex("\nsysv/[^ ]* [^\n]*<egr/short>[^\n]*[.][.]32768[.][.]<rndv>"));
}

TEST_P(RunFacts, TellWhatWasSentByTcpToWhichAddress) {
  const auto facts = facts_of({.program = "point_to_point",
                               .ranks = 2,
                               .environment = is_mpich() ? "UCX_TLS=self,tcp " : "OMPI_MCA_btl=self,tcp "});
  ASSERT_THAT(facts, Contains(Key("tcp")));
  EXPECT_THAT(facts.at("tcp"), ContainsRegex("^connections=[1-9][0-9]* segments=[1-9][0-9]* again=[0-9]+ min_rtt_us="));
  ASSERT_THAT(facts, Contains(Key("tcp.peer.0")));
  EXPECT_THAT(facts.at("tcp.peer.0"), ContainsRegex("^from=[0-9.:a-f]+ to=[0-9.:a-f]+ connections=[1-9]"));
}

TEST_P(RunFacts, HoldTheVariablesOfTheLibrariesBelowMpiButNoSecrets) {
  const auto facts =
      facts_of({.program = "waitany",
                .environment = "FI_PROVIDER=tcp PSM3_NIC=x MPICH_MPIIO_STATS=1 ROMIO_PRINT_HINTS=0 FI_AUTH_KEY=s "});
  for (const char* name : {"env.FI_PROVIDER", "env.PSM3_NIC", "env.MPICH_MPIIO_STATS", "env.ROMIO_PRINT_HINTS"})
    EXPECT_THAT(facts, Contains(Key(name)));
  EXPECT_THAT(facts, Not(Contains(Key("env.FI_AUTH_KEY"))));
}

TEST_P(RunFacts, HoldTheHintsOfTheFileThatRomioReads) {
  const std::filesystem::path hints = std::filesystem::temp_directory_path() / ("hints." + std::to_string(getpid()));
  std::ofstream(hints) << "# of the site\n\nromio_cb_write enable\ncb_nodes 2\n";
  const auto facts = facts_of({.program = "waitany", .environment = "ROMIO_HINTS=" + hints.string() + " "});
  std::filesystem::remove(hints);
  ASSERT_THAT(facts, Contains(Key("file.romio_hints")));
  EXPECT_EQ(facts.at("file.romio_hints"), "romio_cb_write enable\ncb_nodes 2");
}

TEST_P(RunFacts, HoldTheMountedFileSystemsOnceWithoutThoseOfTheKernel) {
  const auto found = record("waitany", 1);
  ASSERT_THAT(found, SizeIs(1));
  ASSERT_THAT(found[0]->mounts, SizeIs(1)) << "told again although nothing had changed";
  EXPECT_THAT(found[0]->mounts[0], AllOf(HasSubstr(" / / "), Not(HasSubstr(" /proc ")), Not(HasSubstr(" /sys/"))));
}

TEST_P(RunFacts, AProgramThatUsesTheToolsInterfaceItselfIsNotDisturbed) {
  for (const std::string when : {"early", "late"}) {
    if (when == "early" && !is_mpich()) continue;  // Open MPI 4.1.4 crashes at that by itself
    Job job{.flavour = GetParam(), .program = "tools", .arguments = {when}, .traced = false};
    const Outcome plain = run(job);
    job.traced = true;
    const Outcome traced = run(job);
    EXPECT_EQ(traced.status, 0) << traced.errors;
    EXPECT_EQ(traced.output, plain.output) << when;
    EXPECT_THAT(plain.output, HasSubstr("during 1"));
    std::filesystem::remove_all(plain.work);
    std::filesystem::remove_all(traced.work);
  }
}

INSTANTIATE_TEST_SUITE_P(BothMpis, RunFacts, kBothMpis, name_of_mpi);

}  // namespace
}  // namespace plumbline::spool::test
