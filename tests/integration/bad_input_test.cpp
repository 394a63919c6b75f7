// Bad input: one located message that says what to do, exit status 3, nothing half-written.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

class BadInput : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_command("cp -r " + kSource + "/tests/golden/scorep-ping-pong obs", directory_.path()).status, 0);
    write_platform("good.xml", one_node_platform());
  }

  void write_platform(const std::string& name, const std::string& xml) { std::ofstream(directory_ / name) << xml; }

  // The one-node platform with `from` replaced by `to`.
  void write_broken(const std::string& from, const std::string& to) {
    std::string xml = one_node_platform();
    const auto at = xml.find(from);
    ASSERT_NE(at, std::string::npos);
    write_platform("bad.xml", xml.replace(at, from.size(), to));
  }

  CommandResult plumbline(const std::string& arguments) {
    return run_command(kPlumbline + " " + arguments, directory_.path());
  }

  void expect_refused(const CommandResult& result, const std::string& where, const std::string& what) {
    EXPECT_EQ(result.status, 3) << text_of(result);
    EXPECT_NE(result.err.find(where), std::string::npos) << text_of(result);
    EXPECT_NE(result.err.find(what), std::string::npos) << text_of(result);
    EXPECT_FALSE(std::filesystem::exists(directory_ / "exp"));
  }

  TemporaryDirectory directory_;
};

TEST_F(BadInput, MissingArchive) { expect_refused(plumbline("replay nothing -p good.xml -o exp"), "nothing", "no"); }

TEST_F(BadInput, TruncatedArchive) {
  for (const char* file : {"traces.otf2", "traces.def", "traces/0.evt"}) {
    TemporaryDirectory fresh;
    ASSERT_EQ(run_command("cp -r " + (directory_ / "obs").string() + " obs", fresh.path()).status, 0);
    std::filesystem::copy_file(directory_ / "good.xml", fresh / "good.xml");
    std::filesystem::resize_file(fresh / ("obs/" + std::string(file)), 60);
    const CommandResult result = run_command(kPlumbline + " replay obs -p good.xml -o exp", fresh.path());
    EXPECT_EQ(result.status, 3) << file << "\n" << text_of(result);
    EXPECT_NE(result.err.find("obs"), std::string::npos) << file << "\n" << text_of(result);
    EXPECT_FALSE(std::filesystem::exists(fresh / "exp"));
  }
}

TEST_F(BadInput, PlatformWithAnUnknownElement) {
  write_broken("<filesystem ", "<filesystm name=\"x\"/><filesystem ");
  expect_refused(plumbline("replay obs -p bad.xml -o exp"), "bad.xml:7", "filesystm");
}

TEST_F(BadInput, PlatformWithAMissingUnit) {
  write_broken("memory-rate=\"5GB/s\"", "memory-rate=\"5\"");
  expect_refused(plumbline("replay obs -p bad.xml -o exp"), "bad.xml:2", "memory-rate");
}

TEST_F(BadInput, PlatformWithANegativeRate) {
  write_broken("rate=\"2GB/s\"", "rate=\"-2GB/s\"");
  expect_refused(plumbline("replay obs -p bad.xml -o exp"), "bad.xml:9", "rate");
}

TEST_F(BadInput, AllFaultsOfAPlatformAreShownTogether) {
  std::string xml = one_node_platform();
  xml.replace(xml.find("5GB/s"), 5, "5");
  xml.replace(xml.find("2GB/s"), 5, "0B/s");
  write_platform("bad.xml", xml);
  const CommandResult result = plumbline("replay obs -p bad.xml -o exp");
  expect_refused(result, "bad.xml:2", "memory-rate");
  expect_refused(result, "bad.xml:9", "rate");
}

TEST_F(BadInput, PlatformThatIsNoXml) {
  write_platform("bad.xml", "<platform version=");
  expect_refused(plumbline("replay obs -p bad.xml -o exp"), "bad.xml", "XML");
}

TEST_F(BadInput, AnExistingOutputIsNotOverwrittenWithoutForce) {
  ASSERT_EQ(plumbline("replay obs -p good.xml -o exp").status, 0);
  const CommandResult again = plumbline("replay obs -p good.xml -o exp");
  EXPECT_EQ(again.status, 3) << text_of(again);
  EXPECT_NE(again.err.find("--force"), std::string::npos) << text_of(again);
  EXPECT_EQ(plumbline("replay obs -p good.xml -o exp --force").status, 0);
}

TEST_F(BadInput, ForceReplacesNothingThatIsNoArchive) {
  std::filesystem::create_directories(directory_ / "precious");
  std::ofstream(directory_ / "precious/data") << "years of work";
  const CommandResult result = plumbline("replay obs -p good.xml -o precious --force");
  EXPECT_EQ(result.status, 3) << text_of(result);
  EXPECT_TRUE(std::filesystem::exists(directory_ / "precious/data"));
}

TEST_F(BadInput, ForceNeverReplacesAnInput) {
  for (const char* arguments :
       {"replay obs -p good.xml -o obs --force", "replay obs/traces.otf2 -p good.xml -o ./obs/ --force",
        "compare obs obs --json obs/traces.otf2 --force"}) {
    const CommandResult result = plumbline(arguments);
    EXPECT_EQ(result.status, 3) << arguments << "\n" << text_of(result);
    EXPECT_NE(result.err.find("input"), std::string::npos) << text_of(result);
  }
  EXPECT_EQ(plumbline("replay obs -p good.xml").status, 0) << "the archive is whole";
}

TEST_F(BadInput, ComparingRunsOfDifferentProgramsIsNotPossible) {
  ASSERT_EQ(run_command("cp -r " + kSource + "/tests/golden/scorep-10-ranks other", directory_.path()).status, 0);
  const CommandResult result = plumbline("compare obs other");
  EXPECT_EQ(result.status, 4) << text_of(result);
}

TEST_F(BadInput, WrongUseSaysHowToGetHelp) {
  for (const char* arguments : {"", "replai", "replay", "replay obs", "record -o x", "compare obs"}) {
    const CommandResult result = plumbline(arguments);
    EXPECT_EQ(result.status, 2) << arguments << "\n" << text_of(result);
    EXPECT_NE(result.err.find("--help"), std::string::npos) << arguments << "\n" << text_of(result);
  }
}

TEST_F(BadInput, NumbersThatAreNoneAreWrongUse) {
  for (const char* number : {"-1", "12345678901234567890123", "1.5", "0x10", "seven", "18446744073709551616"}) {
    const CommandResult result = plumbline(std::string("replay obs -p good.xml --seed=") + number);
    EXPECT_EQ(result.status, 2) << number << "\n" << text_of(result);
    EXPECT_NE(result.err.find("--seed"), std::string::npos) << number << "\n" << text_of(result);
  }
  for (const char* arguments :
       {"replay obs -p good.xml --samples=-5", "compare obs obs --top=-1", "compare obs obs --threshold=nan",
        "calibrate --quick --seconds=nan -o x.xml", "record --sample-interval nan -o x -- true"})
    EXPECT_EQ(plumbline(arguments).status, 2) << arguments;
  EXPECT_EQ(plumbline("replay obs -p good.xml --seed=18446744073709551615").status, 0);
}

TEST_F(BadInput, WhatNeverEndsOrIsNoFileIsToldAndNotRead) {
  ASSERT_EQ(run_command("mkfifo pipe", directory_.path()).status, 0);
  for (const char* arguments :
       {"bench /dev/zero", "info /dev/zero", "info pipe", "replay /dev/zero -p good.xml", "replay obs -p /dev/zero",
        "compare /dev/zero obs", "compare obs pipe", "replay obs -p pipe", "calibrate pipe -o x.xml", "bench show pipe",
        "calibrate /dev/zero -o x.xml", "bench show /dev/zero"}) {
    const CommandResult result = run_command(kPlumbline + " " + arguments, directory_.path(), 20);
    EXPECT_EQ(result.status, 3) << arguments << "\n" << text_of(result);
    EXPECT_NE(result.err.find(std::string(arguments).find("pipe") == std::string::npos ? "/dev/zero" : "pipe"),
              std::string::npos)
        << arguments << "\n"
        << text_of(result);
  }
}

TEST_F(BadInput, OutputThatDoesNotArriveIsNoSuccess) {
  ASSERT_EQ(plumbline("replay obs -p good.xml -o exp").status, 0);
  for (const char* arguments :
       {"info obs", "info good.xml", "info obs --operations", "replay obs -p good.xml", "replay obs -p good.xml --json",
        "compare obs exp", "compare obs exp --json -", "--help"}) {
    const CommandResult result = plumbline(std::string(arguments) + " > /dev/full");
    EXPECT_EQ(result.status, 3) << arguments << "\n" << text_of(result);
    EXPECT_NE(result.err.find("standard output cannot be written: No space left"), std::string::npos)
        << arguments << "\n"
        << text_of(result);
  }
}

TEST_F(BadInput, HelpTeachesEveryVerb) {
  const CommandResult all = plumbline("--help");
  EXPECT_EQ(all.status, 0);
  for (const char* verb : {"record", "assemble", "calibrate", "replay", "compare", "view", "info"}) {
    EXPECT_NE(all.out.find(verb), std::string::npos);
    const CommandResult one = plumbline(std::string(verb) + " --help");
    EXPECT_EQ(one.status, 0);
    EXPECT_NE(one.out.find("plumbline " + std::string(verb)), std::string::npos) << "an example line\n" << one.out;
  }
}

}  // namespace
}  // namespace plumbline::test
