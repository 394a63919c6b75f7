// Programs without MPI: recorded alone, and beside an MPI program that they serve.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "tests/integration/support.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::test {
namespace {

using archive::Event;
using archive::EventKind;
using testing::HasSubstr;

struct Interval {
  Time begin, end;
};

class WithoutMpi : public testing::Test {
 protected:
  CommandResult shell(const std::string& command) { return run_command(command, directory_.path()); }
  CommandResult record(const std::string& command) {
    return shell(kPlumbline + " record --server -o obs -- " + command);
  }

  // How often processes of a program called a function, by the program's name.
  std::map<std::string, int> calls(const std::string& function) {
    archive::Reader reader(directory_ / "obs");
    const archive::Definitions& d = reader.definitions();
    std::map<std::string, int> found;
    for (std::uint32_t i = 0; i < d.locations.size(); ++i) {
      const std::string& process = d.strings[d.location_groups[d.locations[i].group].name];
      reader.read(i, [&](const Event& event) {
        if (event.kind == EventKind::kEnter && d.strings[d.regions[event.region].name] == function)
          ++found[process.substr(0, process.find(' '))];
      });
    }
    return found;
  }

  TemporaryDirectory directory_;
};

TEST_F(WithoutMpi, EveryProcessOfAPipelineIsThereUnderItsName) {
  std::ofstream(directory_ / "a") << "some text\n";
  const CommandResult done = record("sh -c 'cat a | cat > b; dd if=a of=c 2>/dev/null'");
  ASSERT_EQ(done.status, 0) << text_of(done);
  EXPECT_THAT(done.err, HasSubstr("processes without MPI"));
  EXPECT_EQ(calls("write")["cat"], 1) << "into b, which was open when it started; the other one writes to a pipe";
  EXPECT_GE(calls("read")["cat"], 1);
  EXPECT_EQ(calls("write")["dd"], 1);
  const CommandResult info = shell(kPlumbline + " info obs");
  EXPECT_EQ(info.status, 0) << text_of(info);
  EXPECT_THAT(info.out, HasSubstr("without MPI: dd (pid "));
}

TEST_F(WithoutMpi, AForkedChildIsAProcessOfItsOwn) {
  std::ofstream(directory_ / "program.py") << "import os\n"
                                              "f = os.open('parent', os.O_CREAT | os.O_WRONLY)\n"
                                              "os.write(f, b'1')\n"
                                              "child = os.fork()\n"
                                              "os.write(f, b'2')\n"
                                              "if child == 0:\n"
                                              "    g = os.open('child', os.O_CREAT | os.O_WRONLY)\n"
                                              "    os.pwrite(g, b'3', 7)\n"
                                              "    os._exit(0)\n"
                                              "os.wait()\n";
  const CommandResult done = record("/usr/bin/python3 -I program.py");
  ASSERT_EQ(done.status, 0) << text_of(done);
  EXPECT_THAT(done.err, HasSubstr("2 processes without MPI"));
  archive::Reader reader(directory_ / "obs");
  const archive::Definitions& d = reader.definitions();
  std::map<std::string, int> writes;  // by file
  for (std::uint32_t i = 0; i < d.locations.size(); ++i)
    reader.read(i, [&](const Event& event) {
      if (event.kind != EventKind::kIoOperationBegin || event.io_mode != archive::IoMode::kWrite) return;
      const std::uint32_t file = d.io_handles[event.io_handle].file;
      ++writes[std::filesystem::path(d.strings[d.io_files[file].path]).filename()];
    });
  EXPECT_EQ(writes["parent"], 3) << "the child inherited it";
  EXPECT_EQ(writes["child"], 1);
}

TEST_F(WithoutMpi, ADaemonIsRecordedUntilTheRecordingIsToldToEnd) {
  const std::string server = std::string(BUILD_DIRECTORY) + "/bin/traced/openmpi/file_server";
  if (!std::filesystem::exists(server)) GTEST_SKIP() << server << " was not built";
  std::filesystem::create_directory(directory_ / "data");
  const CommandResult done = shell(kPlumbline + " record --server -o obs -- " + server +
                                   " port data daemon & recording=$!\n"
                                   "while [ ! -e port ]; do sleep 0.05; done\n"
                                   "kill -TERM $recording; wait $recording");
  EXPECT_EQ(done.status, 0) << text_of(done);
  EXPECT_EQ(calls("rename")["file_server"], 1) << "the daemon's, of the file with its port";
}

TEST_F(WithoutMpi, TheStatusOfTheProgramComesThrough) {
  EXPECT_EQ(record("sh -c 'echo x > y; exit 7'").status, 7);
  EXPECT_EQ(shell(kPlumbline + " record --server -- true").status, 2) << "neither -o nor --gather";
}

class Served : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
  }
  std::string program(const std::string& name) const {
    return std::string(BUILD_DIRECTORY) + "/bin/traced/" + GetParam().name + "/" + name;
  }
  TemporaryDirectory directory_;
};
INSTANTIATE_TEST_SUITE_P(Mpi, Served, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

// Of each rank, by the number of bytes: from the first barrier's end to the second one's beginning.
std::map<std::uint64_t, Interval> requests(archive::Reader& reader, std::uint32_t location, std::uint32_t rank) {
  const archive::Definitions& d = reader.definitions();
  std::map<std::uint64_t, Interval> found;
  std::uint64_t barriers = 0;
  Time left;
  reader.read(location, [&](const Event& event) {
    if (event.kind != EventKind::kEnter && event.kind != EventKind::kLeave) return;
    if (d.strings[d.regions[event.region].name] != "MPI_Barrier") return;
    if (event.kind == EventKind::kLeave) left = event.time;
    if (event.kind == EventKind::kEnter && barriers++ % 2 == 1)
      found[1000 * (rank + 1) + barriers / 2 - 1] = {left, event.time};
  });
  return found;
}

TEST_P(Served, WhatTheServerWritesLiesInsideTheRequestThatItIsFor) {
  std::filesystem::create_directory(directory_ / "data");
  std::filesystem::create_directory(directory_ / "served");
  const CommandResult done =
      run_command(kPlumbline + " record --server --gather served -- " + program("file_server") +
                      " port data & server=$!\n" + "while [ ! -e port ]; do sleep 0.05; done\n" + kPlumbline +
                      " record --spool app -o alone -- " + GetParam().run(2, program("file_client")) +
                      " $(cat port) 10 && wait $server && " + kPlumbline + " assemble --join served app -o joined",
                  directory_.path());
  ASSERT_EQ(done.status, 0) << text_of(done);
  EXPECT_THAT(done.err, HasSubstr("2 ranks, 1 process without MPI"));
  EXPECT_EQ(done.err.find("real time"), std::string::npos) << "one node, one clock";

  archive::Reader reader(directory_ / "joined");
  const archive::Definitions& d = reader.definitions();
  EXPECT_EQ(d.world_size(), 2u);
  std::map<std::uint64_t, Interval> asked, written;
  for (std::uint32_t i = 0; i < d.locations.size(); ++i) {
    if (d.locations[i].rank) asked.merge(requests(reader, i, *d.locations[i].rank));
    if (!d.location_groups[d.locations[i].group].properties.contains(archive::names::kPropertyRole)) continue;
    std::uint64_t bytes = 0;
    Time begin;
    reader.read(i, [&](const Event& event) {
      if (event.kind == EventKind::kIoOperationBegin) bytes = event.bytes, begin = event.time;
      if (event.kind == EventKind::kIoOperationComplete && bytes >= 1000) written[bytes] = {begin, event.time};
    });
  }
  ASSERT_EQ(asked.size(), 20u);
  for (const auto& [bytes, request] : asked) {
    SCOPED_TRACE(bytes);
    ASSERT_TRUE(written.contains(bytes));
    EXPECT_LT(request.begin, written[bytes].begin);
    EXPECT_LT(written[bytes].end, request.end);
  }

  const CommandResult info = run_command(kPlumbline + " info joined", directory_.path());
  EXPECT_THAT(info.out, HasSubstr("program of 2 ranks")) << text_of(info);
  EXPECT_THAT(info.out, HasSubstr("without MPI: file_server (pid "));
}

TEST_P(Served, TheReplayJudgesTheRanksAndLeavesTheServerAlone) {
  std::filesystem::create_directory(directory_ / "data");
  std::filesystem::create_directory(directory_ / "served");
  std::ofstream(directory_ / "platform.xml") << one_node_platform();
  const CommandResult done = run_command(
      kPlumbline + " record --server --gather served -- " + program("file_server") + " port data & server=$!\n" +
          "while [ ! -e port ]; do sleep 0.05; done\n" + kPlumbline + " record --spool app -o alone -- " +
          GetParam().run(2, program("file_client")) + " $(cat port) 3 && wait $server && " + kPlumbline +
          " assemble --join served app -o joined && " + kPlumbline +
          " replay joined -p platform.xml -o expected && otf2-print expected/traces.otf2 > /dev/null",
      directory_.path());
  ASSERT_EQ(done.status, 0) << text_of(done);
  archive::Reader observed(directory_ / "joined"), expected(directory_ / "expected");
  EXPECT_EQ(observed.definitions().world_size(), expected.definitions().world_size());
}

}  // namespace
}  // namespace plumbline::test
