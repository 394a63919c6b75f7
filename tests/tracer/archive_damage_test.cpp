// Archives that are not what they should be: one Error that says where, what, and what to do.

#include <gmock/gmock.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/error.hpp"
#include "tests/tracer/archive_support.hpp"

namespace plumbline::archive {
namespace {

using test::TemporaryDirectory;
using testing::HasSubstr;

class DamagedArchive : public testing::Test {
 protected:
  // A whole archive: two ranks, four events each.
  DamagedArchive() {
    Definitions& d = archive_.definitions;
    d.regions.push_back({d.strings.intern("MPI_Send"), Role::kPointToPoint, Paradigm::kMpi});
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      d.location_groups.push_back({d.strings.intern("process"), kUndefined, {}});
      d.locations.push_back({rank, d.strings.intern("Master thread"), rank, 0, rank});
      archive_.events.emplace_back();
      for (int i = 0; i < 4; ++i) {
        test::OwnedEvent owned;
        owned.event.kind = i % 2 == 0 ? EventKind::kEnter : EventKind::kLeave;
        owned.event.region = 0;
        owned.event.time = Time{i * 1000};
        archive_.events.back().push_back(owned);
      }
    }
  }

  std::filesystem::path file(const char* name) const { return directory_.path() / "obs" / name; }

  void write() { test::write_archive(archive_, directory_.path() / "obs"); }

  void cut(const char* name, std::uintmax_t bytes) { std::filesystem::resize_file(file(name), bytes); }

  std::string complaint(const std::filesystem::path& path) {
    try {
      Reader reader(path);
      for (std::uint32_t i = 0; i < reader.definitions().locations.size(); ++i) reader.read(i, [](const Event&) {});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
      EXPECT_FALSE(error.problems().front().hint.empty()) << error.what();
      return error.what();
    }
    return "nothing is wrong";
  }
  std::string complaint() { return complaint(directory_.path() / "obs"); }

  TemporaryDirectory directory_;
  test::Archive archive_;
};

TEST_F(DamagedArchive, AWholeOneIsRead) {
  write();
  EXPECT_EQ(complaint(), "nothing is wrong");
}

TEST_F(DamagedArchive, AMissingOneIsNamed) {
  EXPECT_THAT(complaint("/nowhere/obs"), HasSubstr("/nowhere/obs: there is no such archive"));
}

TEST_F(DamagedArchive, ADirectoryMustHoldExactlyOneAnchor) {
  EXPECT_THAT(complaint(directory_.path()), HasSubstr("no OTF2 archive in this directory"));
  std::ofstream(directory_.path() / "a.otf2") << "x";
  std::ofstream(directory_.path() / "b.otf2") << "x";
  EXPECT_THAT(complaint(directory_.path()), HasSubstr("there are 2 OTF2 archives"));
}

TEST_F(DamagedArchive, AnotherFileIsNotAnAnchor) {
  std::ofstream(directory_.path() / "text.otf2") << "";
  EXPECT_THAT(complaint(directory_.path() / "text.otf2"), HasSubstr("is empty"));
  std::ofstream(directory_.path() / "text.otf2") << "hello, world";
  EXPECT_THAT(complaint(directory_.path() / "text.otf2"), HasSubstr("does not begin like a file of OTF2"));
  std::ofstream(directory_.path() / "text.otf2") << "\3BOTF1";
  EXPECT_THAT(complaint(directory_.path() / "text.otf2"), HasSubstr("not the anchor file"));
}

TEST_F(DamagedArchive, AnAnchorThatIsCutOffIsRefusedAtEveryLength) {
  write();
  for (std::uintmax_t size = std::filesystem::file_size(file("traces.otf2")) - 2; size-- > 0;) {
    cut("traces.otf2", size);
    EXPECT_THAT(complaint(), HasSubstr("traces.otf2")) << size;
  }
}

TEST_F(DamagedArchive, MissingDefinitionsAreNamed) {
  write();
  std::filesystem::remove(file("traces.def"));
  EXPECT_THAT(complaint(), HasSubstr("traces.def: the file of the definitions cannot be opened"));
}

TEST_F(DamagedArchive, DefinitionsThatAreCutOffAreRefusedAtEveryLength) {
  write();
  for (std::uintmax_t size = std::filesystem::file_size(file("traces.def")) - 2; size-- > 0;) {
    cut("traces.def", size);
    EXPECT_NE(complaint(), "nothing is wrong") << size;
  }
}

TEST_F(DamagedArchive, MissingEventsAreNamed) {
  write();
  std::filesystem::remove(file("traces/1.evt"));
  EXPECT_THAT(complaint(), HasSubstr("traces/1.evt: the file of the events cannot be opened"));
}

TEST_F(DamagedArchive, EventsThatAreCutOffAreRefusedWithRankAndNumber) {
  write();
  cut("traces/1.evt", std::filesystem::file_size(file("traces/1.evt")) - 14);
  EXPECT_THAT(complaint(), HasSubstr("traces.otf2: rank 1, event 3:"));
}

// Of so many events, as far as they are in the archive already, again and again.
void repeat(std::vector<test::OwnedEvent>& events, std::size_t count) {
  for (std::size_t i = events.size(); i < count; ++i) {
    events.push_back(events[i % 4]);
    events.back().event.time = Time{static_cast<std::int64_t>(i) * 1000};
  }
}

// Cut while it is open: what was read of the whole one is what libotf2's next chunks may find in memory, with two
// chunks the very rest.
TEST_F(DamagedArchive, EventsThatAreCutOffBehindAChunkAreRefusedWhereverThatIs) {
  constexpr std::uintmax_t kChunk = 256 * 1024;
  for (const std::size_t chunks : {2, 3}) {
    repeat(archive_.events[1], chunks * 20'000);
    std::filesystem::remove_all(directory_.path() / "obs");
    write();
    const std::filesystem::path events = file("traces/1.evt"), whole = directory_.path() / "whole";
    const std::uintmax_t size = std::filesystem::file_size(events);
    ASSERT_EQ((size + kChunk - 1) / kChunk, chunks);
    std::filesystem::copy_file(events, whole, std::filesystem::copy_options::overwrite_existing);
    for (std::uintmax_t bytes = kChunk; bytes < size; bytes += kChunk / 4) {
      std::filesystem::copy_file(whole, events, std::filesystem::copy_options::overwrite_existing);
      Reader reader(directory_.path() / "obs");
      for (int i = 0; i < 2; ++i) reader.read(1, [](const Event&) {});
      std::filesystem::resize_file(events, bytes);
      EXPECT_THROW(reader.read(1, [](const Event&) {}), Error) << "cut after " << bytes << " bytes";
    }
  }
}

TEST_F(DamagedArchive, MissingLocalDefinitionsAreNoFault) {
  write();
  std::filesystem::remove(file("traces/1.def"));
  EXPECT_EQ(complaint(), "nothing is wrong");
}

TEST_F(DamagedArchive, AnEventThatRefersToNothingIsNamed) {
  archive_.events[1][2].event.region = 77;
  write();
  EXPECT_THAT(complaint(), HasSubstr("rank 1, event 2: it refers to region 77, which is not defined"));
}

TEST_F(DamagedArchive, AllDefinitionsThatReferToNothingAreNamedAtOnce) {
  Definitions& d = archive_.definitions;
  d.io_handles.push_back({d.strings.intern("h"), 9, IoParadigm::kPosix, kUndefined, kUndefined});
  d.comms.push_back({d.strings.intern("c"), {0, 5}, {}, kUndefined, false});
  write();
  try {
    Reader reader(directory_.path() / "obs");
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 2U);
    EXPECT_EQ(error.problems()[0].what, "communicator 0 has member 5, but there are 2 ranks");
    EXPECT_EQ(error.problems()[1].what, "I/O handle 0 refers to file 9, which is not defined");
  }
}

TEST_F(DamagedArchive, ADefinitionThatIsItsOwnAncestorIsNamed) {
  Definitions& d = archive_.definitions;
  d.io_handles.push_back({d.strings.intern("h"), kUndefined, IoParadigm::kPosix, kUndefined, 1});
  d.io_handles.push_back({d.strings.intern("h"), kUndefined, IoParadigm::kPosix, kUndefined, 0});
  write();
  EXPECT_THAT(complaint(), HasSubstr("I/O handle 0 is its own ancestor"));
}

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
const OTF2_FlushCallbacks kFlush = {flush, nullptr};

// As EZTrace 2.0 does it: a reference before its definition is read, a second definition of one number is not.
TEST_F(DamagedArchive, ADefinitionMayComeLateButNotTwice) {
  for (const int copies : {1, 2}) {
    const std::string path = (directory_.path() / ("raw" + std::to_string(copies))).string();
    OTF2_Archive* raw = OTF2_Archive_Open(path.c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 22,
                                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_Archive_SetSerialCollectiveCallbacks(raw);
    OTF2_Archive_SetFlushCallbacks(raw, &kFlush, nullptr);
    OTF2_GlobalDefWriter* writer = OTF2_Archive_GetGlobalDefWriter(raw);
    OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000, 0, 10, OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 5, 5, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (int i = 0; i < copies; ++i) OTF2_GlobalDefWriter_WriteString(writer, 5, "node");
    OTF2_Archive_CloseGlobalDefWriter(raw, writer);
    OTF2_Archive_Close(raw);
    EXPECT_THAT(complaint(path), HasSubstr(copies == 1 ? "nothing is wrong" : "string 5 is defined twice"));
  }
}

TEST_F(DamagedArchive, WhatTheVisitorThrowsComesThrough) {
  write();
  Reader reader(directory_.path() / "obs");
  EXPECT_THROW(reader.read(0, [](const Event&) { throw std::runtime_error("mine"); }), std::runtime_error);
  int seen = 0;
  reader.read(0, [&](const Event&) { ++seen; });
  EXPECT_EQ(seen, 4);  // and the reader goes on
}

}  // namespace
}  // namespace plumbline::archive
