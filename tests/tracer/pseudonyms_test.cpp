#include "tracer/record/definitions/pseudonyms.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace plumbline::record {
namespace {

TEST(Pseudonyms, APathKeepsItsDepthItsExtensionAndWhatItShares) {
  Pseudonyms p;
  EXPECT_EQ(p.path("/scratch/smith/run 7/out.h5"), "/scratch/n1/n2/n3.h5");
  EXPECT_EQ(p.path("/scratch/smith/run 7/log"), "/scratch/n1/n2/n4");
  EXPECT_EQ(p.path("/scratch/smith/out.nc"), "/scratch/n1/n3.nc");
  EXPECT_EQ(p.path("/dev/shm/part.0012"), "/dev/shm/n5.0012");
  EXPECT_EQ(p.path("./../.profile"), "./../.n6");
  EXPECT_EQ(p.path("file.secret"), "n7") << "an extension has up to four letters";
  EXPECT_EQ(p.path(""), "");
}

TEST(Pseudonyms, OfATextNumbersWellKnownWordsAndWhatStandsBetweenStay) {
  Pseudonyms p;
  EXPECT_EQ(p.text("./app -n 100 --in=/home/smith/a.nc fast 64KiB 0x1f"),
            "./n1 -n 100 --n2=/home/n3/a.nc n4 64KiB 0x1f");
  EXPECT_EQ(p.text("tcp,self,eth0"), "tcp,self,n5");
  EXPECT_EQ(p.text("node12:4"), "n6:4");
  EXPECT_EQ(p.text("main (solver.c:12)"), "main (n7.c:12)");
  EXPECT_EQ(p.text("libsolver.so+0x1c"), "n8.so+0x1c");
  EXPECT_EQ(p.text("10.1.2.3:/export 4.1.4"), "n9:/n10 4.1.4") << "an address is a host";
  EXPECT_EQ(p.text("M\xc3\xbcller"), "n11");
  EXPECT_EQ(p.text("\xff/"), "\xff/") << "a single byte tells nothing";
}

TEST(Pseudonyms, SettingsKeepKeysThatLibrariesKnow) {
  Pseudonyms p;
  EXPECT_EQ(p.settings("cb_nodes=4\nromio_cb_write=enable\nmine=deep\ncb_config_list=n12:1\n"),
            "cb_nodes=4\nromio_cb_write=enable\nn1=n2\ncb_config_list=n3:1\n");
  EXPECT_EQ(p.settings("striping_unit=1048576"), "striping_unit=1048576");
  EXPECT_EQ(p.settings(""), "");
}

TEST(Pseudonyms, OfTheLibraryOnlyItsVersionIsLeft) {
  Pseudonyms p;
  pl_file_header header{};
  std::strcpy(header.library, "Open MPI v4.1.4, package: Open MPI smith@build Distribution");
  std::strcpy(header.host, "node12.example.org");
  std::strcpy(header.program, "/home/smith/app in.nc");
  const pl_file_header shown = anonymized(header, p);
  EXPECT_STREQ(shown.library, "Open MPI v4.1.4");
  EXPECT_STREQ(shown.host, "n1.org");
  EXPECT_STREQ(shown.program, "/home/n2/n3 n4.nc");
}

TEST(Pseudonyms, ByWhatAVariableWasSetStaysButForTheNamesInAPath) {
  Pseudonyms p;
  ProcessFacts facts;
  facts.meta = {{"cvar_source.btl", "environment"},
                {"cvar_source.io", "command line"},
                {"cvar_source.pml", "file /home/smith/.openmpi/params.conf"}};
  anonymize(facts, p);
  EXPECT_EQ(facts.meta.at("cvar_source.btl"), "environment");
  EXPECT_EQ(facts.meta.at("cvar_source.io"), "command line");
  EXPECT_EQ(facts.meta.at("cvar_source.pml"), "file /home/n1/.n2/n3.conf");
}

TEST(Pseudonyms, AddressesOfNodesAreLeftOut) {
  Pseudonyms p;
  ProcessFacts facts;
  facts.meta = {{"tcp", "connections=1 segments=9 again=0"},
                {"tcp.peer.0", "from=10.1.2.3 to=10.1.2.4 connections=1 segments=9 again=0"}};
  anonymize(facts, p);
  ASSERT_EQ(facts.meta.size(), 1U);
  EXPECT_EQ(facts.meta.begin()->first, "tcp");
}

TEST(Pseudonyms, FileSystemsAreStillFoundByTheirPaths) {
  Pseudonyms p;
  ProcessFacts facts;
  facts.mounts.add("36 35 98:0 / /data/smith rw,noatime - nfs4 filer:/export/smith rw,vers=4.1,addr=10.1.2.3");
  facts.paths[1] = "/data/smith/run/out.h5";
  facts.windows[1].name = "halo of smith";
  anonymize(facts, p);
  EXPECT_EQ(facts.paths[1], "/n1/n2/n3/n4.h5");
  EXPECT_EQ(facts.windows[1].name, "n5 n6 n2");
  const Mount* mount = facts.mounts.of(facts.paths[1]);
  ASSERT_NE(mount, nullptr);
  EXPECT_EQ(mount->point, "/n1/n2");
  EXPECT_EQ(mount->type, "nfs4");
  EXPECT_EQ(mount->source, "n7:/n8/n2");
  EXPECT_EQ(mount->options, "rw,noatime,vers=4.1,n9=n10");
}

}  // namespace
}  // namespace plumbline::record
