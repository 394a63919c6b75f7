// What is said of recordings that are not whole: switched off, limited, stopped.

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "tests/tracer/assemble_fixture.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::record {
namespace {

using test::Assemble;
using test::kSent;
using test::pair;
using test::Payload;
using test::SpoolBuilder;
using testing::ElementsAre;

TEST_F(Assemble, AStretchThatWasNotRecordedIsMarkedOnEveryThread) {
  SpoolBuilder spool(0, 2);
  const Payload barrier{pair(PL_COMM_WORLD, -1), 0, 0};
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 2'000, 2'100, {pair(7, 1)});
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 3'000, 3'100, {pair(0, 0)});
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 5'000, 5'100, {pair(1, 1)});
  // What was posted meanwhile: nothing to complain of.
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 6'000, 6'100, {pair(1, 0), pair(1, 0), pair(4, 0), kSent, pair(-1, -1)});
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 7'000, 7'100, {pair(0, 0)});
  spool.thread(1);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'500, 3'500, barrier);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 5'500, 5'600, barrier);
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Pcontrol @0", "leave MPI_Pcontrol @100", "enter MPI_Pcontrol @1000",
                                     "leave MPI_Pcontrol @1100", "off @1100", "on @3000", "enter MPI_Pcontrol @3000",
                                     "leave MPI_Pcontrol @3100", "enter MPI_Wait @4000", "leave MPI_Wait @4100",
                                     "enter MPI_Pcontrol @5000", "leave MPI_Pcontrol @5100", "off @5100"));
  std::vector<std::string> marks;
  for (const std::string& line : events(2))
    if (line.starts_with("o") && !line.starts_with("op")) marks.push_back(line);
  EXPECT_THAT(marks, ElementsAre("off @1500", "on @3000", "off @5100"));  // a call that went on ends first
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, WhereTheLastCallsWereKeptWhatTheyReferToIsKnown) {
  SpoolBuilder spool(0, 1);
  spool.keep_last(3);
  spool.header.initialized.ticks = 1'500;
  spool.header.dropped_calls = 42;
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/out");
  spool.define_text(PL_DEF_FILE, pair(2, 0), "/data/log");
  spool.define(PL_DEF_DATATYPE, {pair(1, PL_TYPE_NAMED), 4, 0, 4, pair(0, 0), pair(0, 0)});
  spool.define(PL_DEF_MPI_FILE, {pair(1, 1 | 8), pair(PL_COMM_WORLD, 1)}, 2'500, 2'510);
  spool.define_text(PL_DEF_HINTS, pair(1, 1), "cb_nodes=1\n");
  spool.define(PL_DEF_VIEW, {pair(1, 0), 100, pair(1, 1)}, 2'600, 2'610);
  spool.define(PL_DEF_OPEN_FILE, {pair(5, 2)}, 3'900, 3'901);
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 4'000, 4'100, {pair(1, 0), pair(1, 0), pair(4, 0), kSent, pair(-1, -1)});
  spool.call("MPI_File_write_at", PL_LAYOUT_FILE_ACCESS, 5'000, 5'100,
             {pair(1, PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT), 2, 8, 8, 0});
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 6'000, 6'100, {pair(5, PL_ACCESS_WRITE), ~0ULL, 10, 10});
  spool.call("MPI_File_set_view", PL_LAYOUT_FILE_VIEW, 7'000, 7'100, {pair(1, 0), 200, pair(1, 1)});
  spool.define(PL_DEF_VIEW, {pair(1, 0), 200, pair(1, 1)}, 7'110, 7'120);
  spool.define_text(PL_DEF_HINTS, pair(1, 1), "cb_nodes=2\n");
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(
      events(0),
      ElementsAre("off @0", "on @0", "enter MPI_Wait @0", "leave MPI_Wait @100", "enter MPI_File_write_at @1000",
                  "write h0 8B LAYOUT=disp=100 extent=4 size=4: 4@0 VIEW_POSITION=8 ABSOLUTE_OFFSET=108", "done h0 8B",
                  "leave MPI_File_write_at @1100", "enter write @2000", "write h1 10B", "done h1 10B",
                  "leave write @2100", "enter MPI_File_set_view @3000",
                  "leave MPI_File_set_view @3100 HINTS=cb_nodes=2\n"));
  EXPECT_EQ(definitions().strings[definitions().io_files[1].path], "/data/log");
  const auto& p = definitions().location_groups[0].properties;
  EXPECT_EQ(p.at(archive::names::kPropertyDroppedCalls), "42");
  EXPECT_EQ(p.at(archive::names::kPropertyDroppedBytes), "3145728");
  EXPECT_EQ(p.at(archive::names::kPropertyDroppedTime), "2500000");
  EXPECT_THAT(summary.remarks, ElementsAre("rank 0: 42 older calls gave way to newer ones, 3 MiB in the first 2.5 us "
                                           "after MPI_Init (--keep last)"));
}

TEST_F(Assemble, WhatIsLaterThanTheWindowIsLeftOut) {
  SpoolBuilder spool(0, 1);
  const Payload barrier{pair(PL_COMM_WORLD, -1), 0, 0};
  spool.header.window_end = 6'000;
  spool.define_text(PL_DEF_META, 0, "");
  spool.call("MPI_Init", PL_LAYOUT_NONE, 2'000, 3'000, {});
  spool.define(PL_DEF_SWITCH, {pair(0, 0)}, 3'100, 3'101);
  spool.define(PL_DEF_SWITCH, {pair(1, 0)}, 4'100, 4'101);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 5'000, 5'500, barrier);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 5'900, 6'100, barrier);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 6'200, 6'300, barrier);
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 6'400, 6'500, {pair(1, 1)});
  run({spool});
  std::vector<std::string> lines = events(0);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("op") || line.starts_with("coll"); });
  EXPECT_THAT(lines, ElementsAre("enter MPI_Init @0", "leave MPI_Init @1000", "off @1100", "on @2100",
                                 "enter MPI_Barrier @3000", "leave MPI_Barrier @3500", "enter MPI_Barrier @3900",
                                 "leave MPI_Barrier @4100", "off @4100"));
}

TEST_F(Assemble, ARecordingThatStoppedIsOffAtItsEnd) {
  SpoolBuilder spool(0, 1);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  spool.header.end = PL_END_STOPPED;
  std::strcpy(spool.header.stop_reason, "the limit of its size is reached (--max-size)");
  spool.header.last.ticks = 3'500;
  const AssembleSummary summary = run({spool});
  EXPECT_EQ(events(0).back(), "off @1500");
  EXPECT_THAT(summary.remarks, ElementsAre("rank 0: recording stopped: the limit of its size is reached (--max-size)"));
}

TEST_F(Assemble, ARankThatWasLeftOutIsEmptyAndNotMissing) {
  SpoolBuilder spool(0, 3), out(1, 3), also(2, 3);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  for (SpoolBuilder* left : {&out, &also}) {
    left->call("MPI_Init", PL_LAYOUT_NONE, 500, 600, {});
    left->header.end = PL_END_LEFT_OUT;
  }
  const AssembleSummary summary = run({spool, out, also});
  EXPECT_THAT(summary.remarks, ElementsAre("2 of 3 ranks were left out by --ranks: 1-2"));
  EXPECT_EQ(summary.ranks, 1U);
  EXPECT_EQ(events(0)[0], "enter MPI_Barrier @0") << "the first that was wanted";
  EXPECT_THAT(events(1), ElementsAre());
  EXPECT_EQ(definitions().location_groups[1].properties.at(archive::names::kPropertyEnd), archive::names::kEndLeftOut);
  EXPECT_THROW(assemble({also.write(directory_.path())}, directory_.path() / "no", Overwrite::kNo), Error);
}

}  // namespace
}  // namespace plumbline::record
