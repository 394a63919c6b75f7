#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "tests/support/seed.hpp"
#include "tests/tracer/archive_support.hpp"

namespace plumbline::archive {
namespace {

using test::TemporaryDirectory;

const std::filesystem::path kGolden = PLUMBLINE_GOLDEN;

std::map<EventKind, int> count_kinds(Reader& reader) {
  std::map<EventKind, int> counts;
  for (std::uint32_t i = 0; i < reader.definitions().locations.size(); ++i)
    reader.read(i, [&](const Event& event) { ++counts[event.kind]; });
  return counts;
}

struct Printed {
  int status = 0;
  std::string text;
};

Printed otf2_print(const std::filesystem::path& archive, const std::string& options = "") {
  std::FILE* pipe = popen(("otf2-print " + options + " '" + archive.string() + "' 2>&1").c_str(), "r");
  Printed printed;
  std::array<char, 65536> part{};
  for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) != 0;)
    printed.text.append(part.data(), n);
  printed.status = pclose(pipe);
  return printed;
}

TEST(Archive, WhatIsWrittenIsRead) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 20; ++round) {
    const TemporaryDirectory directory;
    const test::Archive archive = test::random_archive(random, 300);
    test::write_archive(archive, directory.path() / "obs");
    Reader reader(directory.path() / "obs");
    ASSERT_EQ(test::describe_all(reader.definitions()), test::describe_all(archive.definitions));
    for (std::uint32_t i = 0; i < archive.events.size(); ++i) {
      std::vector<std::string> written;
      for (const test::OwnedEvent& event : archive.events[i])
        written.push_back(test::describe(event, archive.definitions));
      ASSERT_EQ(test::describe_location(reader, i), written);
      EXPECT_EQ(reader.definitions().locations[i].events, written.size());
    }
    EXPECT_TRUE(reader.skipped().empty());
  }
}

TEST(Archive, Otf2PrintReadsWhatIsWritten) {
  std::mt19937_64 random(5);
  const TemporaryDirectory directory;
  test::Archive archive = test::random_archive(random, 200);
  test::write_archive(archive, directory.path() / "obs");
  for (const char* options : {"", "-G", "-A", "-I"}) {
    const Printed printed = otf2_print(directory.path() / "obs/traces.otf2", options);
    EXPECT_EQ(printed.status, 0) << printed.text;
    EXPECT_FALSE(printed.text.empty());
    if (std::string(options) == "-G") {  // all references are good
      EXPECT_EQ(printed.text.find("INVALID"), std::string::npos) << printed.text;
      EXPECT_EQ(printed.text.find("out of order"), std::string::npos) << printed.text;
    }
  }
}

// Other readers complain where there is none. All are as libotf2 makes the first.
TEST(Archive, EveryLocationHasItsFileOfLocalDefinitions) {
  const TemporaryDirectory directory;
  Definitions d;
  for (const std::uint64_t id : {7, 0, 9}) d.locations.push_back({id, d.strings.intern("a thread"), kUndefined, 0, {}});
  Writer(directory.path() / "obs", Overwrite::kNo).finish(d);
  for (const char* file : {"7.def", "0.def", "9.def"})
    EXPECT_EQ(std::filesystem::file_size(directory.path() / "obs/traces" / file), 20U) << file;
  const Printed printed = otf2_print(directory.path() / "obs/traces.otf2", "");
  EXPECT_EQ(printed.text.find("[OTF2]"), std::string::npos) << printed.text;
  EXPECT_EQ(Reader(directory.path() / "obs").definitions().locations.size(), 3U);
}

TEST(Archive, ManyEventsOfOneLocationAreFlushedOnTheWay) {
  const TemporaryDirectory directory;
  Definitions d;
  d.locations.push_back({0, d.strings.intern("Master thread"), kUndefined, 0, 0});
  d.regions.push_back({d.strings.intern("MPI_Send"), Role::kPointToPoint, Paradigm::kMpi});
  const std::int64_t count = 1'000'000;
  {
    Writer writer(directory.path() / "obs", Overwrite::kNo);
    writer.begin_location(0);
    Event event;
    event.region = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      event.kind = i % 2 == 0 ? EventKind::kEnter : EventKind::kLeave;
      event.time = Time{i * 1000};
      writer.write(event);
    }
    writer.end_location();
    d.length = picoseconds(count * 1000);
    writer.finish(d);
  }
  Reader reader(directory.path() / "obs");
  std::int64_t next = 0;
  reader.read(0, [&](const Event& event) { EXPECT_EQ(event.time.ps, 1000 * next++); });
  EXPECT_EQ(next, count);  // nothing but these: no records of the flushing itself
}

TEST(Archive, AnUnfinishedArchiveLeavesNothingBehind) {
  const TemporaryDirectory directory;
  {
    Writer writer(directory.path() / "obs", Overwrite::kNo);
    writer.begin_location(0);
    writer.end_location();
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(Archive, AnExistingOneIsNotOverwrittenUnlessAsked) {
  const TemporaryDirectory directory;
  Writer(directory.path() / "obs", Overwrite::kNo).finish(Definitions{});
  std::ofstream(directory.path() / "obs/plumbline.program") << "cache";
  EXPECT_THROW(Writer(directory.path() / "obs", Overwrite::kNo), Error);
  Writer(directory.path() / "obs", Overwrite::kYes).finish(Definitions{});
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "obs/plumbline.program"));
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "obs/traces.otf2"));
}

TEST(Archive, ADirectoryThatHoldsAnythingElseIsNeverReplaced) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.path() / "obs");
  std::ofstream(directory.path() / "obs/precious") << "1";
  EXPECT_THROW(Writer(directory.path() / "obs", Overwrite::kYes), Error);
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "obs/precious"));
}

// Counts: README.md beside the archive.
TEST(ScorepArchive, TenRanksHaveTheEventsThatTheirOriginStates) {
  Reader reader(kGolden / "scorep-10-ranks");
  EXPECT_EQ(reader.definitions().world_size(), 10U);
  std::map<EventKind, int> counts = count_kinds(reader);
  EXPECT_EQ(counts[EventKind::kEnter], 7010);
  EXPECT_EQ(counts[EventKind::kLeave], 7010);
  for (const EventKind kind :
       {EventKind::kMpiIsend, EventKind::kMpiIsendComplete, EventKind::kMpiIrecvRequest, EventKind::kMpiIrecv})
    EXPECT_EQ(counts[kind], 1440);
  EXPECT_EQ(counts[EventKind::kMpiCollectiveBegin], 1200);
  EXPECT_EQ(counts[EventKind::kMpiCollectiveEnd], 1200);
  EXPECT_EQ(counts.size(), 8U);
  EXPECT_TRUE(reader.skipped().empty());
}

TEST(ScorepArchive, PingPongHasItsMessages) {
  Reader reader(kGolden / "scorep-ping-pong");
  const Definitions& d = reader.definitions();
  EXPECT_EQ(d.world_size(), 2U);
  EXPECT_EQ(d.creator, "Score-P 7.1");
  EXPECT_EQ(d.strings[d.system_tree[1].name], "quartz10");
  std::map<EventKind, int> counts = count_kinds(reader);
  EXPECT_EQ(counts[EventKind::kMpiSend], 16);
  EXPECT_EQ(counts[EventKind::kMpiRecv], 16);
}

// otf2-print applies clock offsets and mapping tables by OTF2's merged reader; ticks there, picoseconds here.
TEST(ScorepArchive, TimesAreThoseOfOtf2Print) {
  struct Case {
    const char* name;
    std::int64_t start, resolution;
  };
  for (const Case& c : {Case{"scorep-10-ranks", 3971700851734240, 1995386627},
                        Case{"scorep-ping-pong", 7397466976977800, 2095197216}}) {
    std::map<std::uint64_t, std::vector<std::int64_t>> printed, read;
    std::istringstream lines(otf2_print(kGolden / c.name / "traces.otf2").text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string kind;
      std::uint64_t location = 0;
      std::int64_t ticks = 0;
      if (!(words >> kind >> location >> ticks)) continue;
      const long double ps = static_cast<long double>(ticks - c.start) * 1e12L / static_cast<long double>(c.resolution);
      printed[location].push_back(static_cast<std::int64_t>(ps + 0.5L));
    }
    Reader reader(kGolden / c.name);
    for (std::uint32_t i = 0; i < reader.definitions().locations.size(); ++i)
      reader.read(i, [&](const Event& e) { read[reader.definitions().locations[i].otf2_id].push_back(e.time.ps); });
    EXPECT_EQ(read, printed) << c.name;
  }
}

TEST(ScorepArchive, WrittenAgainAndReadAgainIsTheSame) {
  for (const char* name : {"scorep-10-ranks", "scorep-ping-pong"}) {
    const TemporaryDirectory directory;
    test::copy_archive(kGolden / name, directory.path() / "copy");
    Reader original(kGolden / name), copy(directory.path() / "copy");
    EXPECT_EQ(test::describe_all(original.definitions()), test::describe_all(copy.definitions()));
    for (std::uint32_t i = 0; i < original.definitions().locations.size(); ++i)
      EXPECT_EQ(test::describe_location(original, i), test::describe_location(copy, i)) << name;
  }
}

TEST(Archive, DefinitionsMayBeCopiedAwayFromTheirReader) {
  Definitions copy;
  {
    Reader reader(kGolden / "scorep-ping-pong");
    copy = reader.definitions();
  }
  EXPECT_EQ(copy.strings[copy.comms[1].name], "MPI_COMM_WORLD");
  EXPECT_EQ(copy.strings.intern("MPI_COMM_WORLD"), copy.strings.intern("MPI_COMM_WORLD"));
}

}  // namespace
}  // namespace plumbline::archive
