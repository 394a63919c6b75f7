// MPI-IO and POSIX calls, from spools to archives.

#include <fcntl.h>
#include <gmock/gmock.h>

#include "tests/tracer/assemble_fixture.hpp"

namespace plumbline::record {
namespace {

using archive::Definitions;
using test::Assemble;
using test::pair;
using test::SpoolBuilder;
using testing::ElementsAre;

TEST_F(Assemble, AFileThatIsOpenWhenRecordingGoesOnIsTheSameAndStandsAnywhere) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/a");
  spool.define_text(PL_DEF_FILE, pair(2, 0), "/data/b");
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'000, 2'100, {pair(1, O_WRONLY), 5});
  spool.call("(open at start)", PL_LAYOUT_POSIX_OPEN, 3'000, 3'000, {pair(1, 0), 5});
  spool.call("(open at start)", PL_LAYOUT_POSIX_OPEN, 3'100, 3'100, {pair(2, 0), 6});
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 4'000, 4'100, {pair(5, PL_ACCESS_WRITE), ~0ULL, 10, 10});
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 5'000, 5'100, {pair(6, PL_ACCESS_WRITE), ~0ULL, 10, 10});
  run({spool});
  std::vector<std::string> inner;
  for (const std::string& line : events(0))
    if (!line.starts_with("enter") && !line.starts_with("leave")) inner.push_back(line);
  EXPECT_THAT(inner, ElementsAre("open h0 @100", "open h1 @1100", "write h0 10B", "done h0 10B", "write h1 10B",
                                 "done h1 10B"));
}

TEST_F(Assemble, AFileOpenedWhileRecordingWasOffHasItsNameAndView) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/out");
  spool.define(PL_DEF_DATATYPE, {pair(1, PL_TYPE_NAMED), 4, 0, 4, pair(0, 0), pair(0, 0)});
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 2'000, 2'100, {pair(0, 0)});
  spool.define(PL_DEF_MPI_FILE, {pair(1, 1 | 8), pair(PL_COMM_WORLD, 1)}, 2'500, 2'510);
  spool.define(PL_DEF_VIEW, {pair(1, 0), 100, pair(1, 1)}, 2'600, 2'610);
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 3'000, 3'100, {pair(1, 1)});
  spool.call("MPI_File_write_at", PL_LAYOUT_FILE_ACCESS, 4'000, 4'100,
             {pair(1, PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT), 2, 8, 8, 0});
  run({spool});
  EXPECT_EQ(events(0).at(7), "write h0 8B LAYOUT=disp=100 extent=4 size=4: 4@0 VIEW_POSITION=8 ABSOLUTE_OFFSET=108");
  EXPECT_EQ(definitions().strings[definitions().io_files[0].path], "/data/out");
}

TEST_F(Assemble, PosixCallsOfAnMpiCallLieOnTheLocationInside) {
  SpoolBuilder spool(0, 1);
  const std::string path = "/data/out";
  spool.define_text(PL_DEF_FILE, pair(1, 0), path);
  // 8-byte etype; filetype: 2 x 16 bytes, 64 apart, extent 128.
  spool.define(PL_DEF_DATATYPE, {pair(1, PL_TYPE_NAMED), 8, 0, 8, pair(0, 0), pair(0, 0)});
  spool.define(PL_DEF_DATATYPE, {pair(2, PL_TYPE_VECTOR), 32, 0, 80, pair(3, 0), pair(1, 0), 2, 2, 8, pair(1, 0)});
  spool.define(PL_DEF_DATATYPE, {pair(3, PL_TYPE_RESIZED), 32, 0, 128, pair(0, 2), pair(1, 0), 0, 128, pair(2, 0)});
  spool.call("MPI_File_open", PL_LAYOUT_FILE_OPEN, 2'000, 3'000, {pair(PL_COMM_WORLD, 1 | 8), pair(1, 0), pair(1, 0)});
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'100, 2'200, {pair(1, O_RDWR | O_CREAT), 5});
  spool.define_text(PL_DEF_HINTS, pair(1, 0), "cb_nodes=1\n");
  spool.define_text(PL_DEF_HINTS, pair(1, 1), "cb_nodes=1\nx=2\n");
  spool.call("MPI_File_set_view", PL_LAYOUT_FILE_VIEW, 4'000, 4'100, {pair(1, 0), 1000, pair(1, 3)});
  spool.define_text(PL_DEF_HINTS, pair(1, 1), "cb_nodes=2\n");
  // 24 bytes after 5 etypes: data byte 40 is byte 8 of the second tile.
  spool.call("MPI_File_write_at_all", PL_LAYOUT_FILE_ACCESS, 5'000, 6'000,
             {pair(1, PL_ACCESS_WRITE | PL_ACCESS_COLLECTIVE | PL_ACCESS_EXPLICIT), 5, 24, 24, 0});
  spool.call("pwrite64", PL_LAYOUT_POSIX_ACCESS, 5'100, 5'200, {pair(5, PL_ACCESS_WRITE), 1136, 8, 8});
  spool.call("MPI_File_close", PL_LAYOUT_FILE, 7'000, 8'000, {pair(1, 0)});
  spool.call("close", PL_LAYOUT_POSIX_FD, 7'100, 7'200, {pair(5, 0), 0});
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(
      events(0),
      ElementsAre("enter MPI_File_open @0", "open h0 @1000 HINTS=cb_nodes=1\nx=2\n HINTS_ASKED=cb_nodes=1\n",
                  "leave MPI_File_open @1000 INNER_RECORDS=1", "enter MPI_File_set_view @2000",
                  "leave MPI_File_set_view @2100 HINTS=cb_nodes=2\n", "enter MPI_File_write_at_all @3000",
                  "write h0 24B LAYOUT=disp=1000 extent=128 size=32: 2x16@0/64 VIEW_POSITION=40 ABSOLUTE_OFFSET=1136",
                  "done h0 24B", "leave MPI_File_write_at_all @4000 INNER_RECORDS=1", "enter MPI_File_close @5000",
                  "close h0", "leave MPI_File_close @6000 INNER_RECORDS=1"));
  EXPECT_THAT(
      events(1),
      ElementsAre("enter MPI_File_open @0 CALL=0", "enter open @100", "open h1 @200", "leave open @200",
                  "leave MPI_File_open @1000", "enter MPI_File_write_at_all @3000 CALL=2", "enter pwrite64 @3100",
                  "write h1 8B ABSOLUTE_OFFSET=1136", "done h1 8B", "leave pwrite64 @3200",
                  "leave MPI_File_write_at_all @4000", "enter MPI_File_close @5000 CALL=3", "enter close @5100",
                  "close h1", "leave close @5200", "leave MPI_File_close @6000"));
  const Definitions& d = definitions();
  EXPECT_EQ(d.io_handles[1].parent, 0U);
  EXPECT_EQ(d.io_handles[0].comm, 0U);
  EXPECT_EQ(d.io_handles[0].paradigm, archive::IoParadigm::kMpiIo);
  EXPECT_EQ(d.strings[d.io_files[d.io_handles[1].file].path], path);
  EXPECT_EQ(summary.io_bytes, 24U);  // what the program asked for, not its inner copy
  EXPECT_EQ(summary.operations, 4U);
}

TEST_F(Assemble, ThePositionOfADescriptorIsFollowed) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/log");
  spool.call("open64", PL_LAYOUT_POSIX_OPEN, 2'000, 2'100, {pair(1, O_WRONLY), 5});
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 3'000, 3'100, {pair(5, PL_ACCESS_WRITE), ~0ULL, 10, 10});
  spool.call("dup", PL_LAYOUT_POSIX_FD, 3'500, 3'600, {pair(5, 0), 6});
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 4'000, 4'100, {pair(6, PL_ACCESS_WRITE), ~0ULL, 10, 4});
  spool.call("lseek", PL_LAYOUT_POSIX_SEEK, 5'000, 5'100, {pair(5, 0), 100, 100});
  spool.call("read", PL_LAYOUT_POSIX_ACCESS, 6'000, 6'100, {pair(6, 0), ~0ULL, 10, static_cast<std::uint64_t>(-9)});
  spool.call("close", PL_LAYOUT_POSIX_FD, 7'000, 7'100, {pair(5, 0), 0});
  spool.call("fsync", PL_LAYOUT_POSIX_FD, 8'000, 8'100, {pair(6, 0), 0});
  run({spool});
  EXPECT_THAT(inner_events(0),
              ElementsAre("open h0 @100", "write h0 10B ABSOLUTE_OFFSET=0", "done h0 10B",
                          "write h0 10B ABSOLUTE_OFFSET=10", "done h0 4B", "seek h0 to 100",
                          "read h0 10B ABSOLUTE_OFFSET=100", "done h0 0B", "flush h0 0B", "done h0 0B"));
}

TEST_F(Assemble, ACopyIsAReadOfTheOneFileAndAWriteOfTheOther) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/from");
  spool.define_text(PL_DEF_FILE, pair(2, 0), "/data/to");
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'000, 2'100, {pair(1, O_RDONLY), 5});
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'200, 2'300, {pair(2, O_WRONLY), 6});
  spool.call("copy_file_range", PL_LAYOUT_POSIX_COPY, 3'000, 3'100, {pair(5, 6), 8, ~0ULL, 100, 60});
  spool.call("sendfile", PL_LAYOUT_POSIX_COPY, 4'000, 4'100, {pair(5, -1), ~0ULL, ~0ULL, 100, 50});  // to a socket
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 5'000, 5'100, {pair(6, PL_ACCESS_WRITE), ~0ULL, 10, 10});
  spool.call("read", PL_LAYOUT_POSIX_ACCESS, 6'000, 6'100, {pair(5, 0), ~0ULL, 10, 10});
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(
      inner_events(0),
      ElementsAre("open h0 @100", "open h1 @300", "read h0 100B ABSOLUTE_OFFSET=8", "write h1 100B ABSOLUTE_OFFSET=0",
                  "done h0 60B", "done h1 60B", "read h0 100B ABSOLUTE_OFFSET=0", "done h0 50B",
                  "write h1 10B ABSOLUTE_OFFSET=60", "done h1 10B", "read h0 10B ABSOLUTE_OFFSET=50", "done h0 10B"));
  EXPECT_EQ(summary.io_bytes, 190U);
}

TEST_F(Assemble, AsynchronousOperationsCompleteWhereTheProgramLearnsOfIt) {
  SpoolBuilder spool(0, 1);
  const std::uint64_t first = PL_FIRST_AIO;
  const std::int64_t write = PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT | PL_ACCESS_NONBLOCKING;
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/later");
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'000, 2'100, {pair(1, O_RDWR), 5});
  spool.call("aio_write", PL_LAYOUT_POSIX_AIO, 3'000, 3'100, {pair(5, write), 50, 1000, first, 0});
  spool.call("aio_fsync", PL_LAYOUT_POSIX_AIO, 3'200, 3'300,
             {pair(5, PL_ACCESS_SYNC | PL_ACCESS_NONBLOCKING), 0, 0, first + 1, static_cast<std::uint64_t>(-11)});
  spool.call("aio_suspend", PL_LAYOUT_POSIX_AIO_WAIT, 3'400, 3'500, {pair(1, 0), 0});
  spool.call("aio_error", PL_LAYOUT_POSIX_AIO_END, 4'000, 4'100, {first, 900});
  spool.call("lio_listio", PL_LAYOUT_POSIX_AIO_LIST, 5'000, 5'100,
             {pair(2, 0), 0, pair(5, write), 0, 10, first + 2, pair(5, PL_ACCESS_NONBLOCKING), 20, 30, first + 3});
  spool.call("aio_return", PL_LAYOUT_POSIX_AIO_END, 6'000, 6'100, {first + 3, 30});
  spool.call("aio_return", PL_LAYOUT_POSIX_AIO_END, 7'000, 7'100, {first + 2, static_cast<std::uint64_t>(-5)});
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(
      events(0),
      ElementsAre("enter open @0", "open h0 @100", "leave open @100", "enter aio_write @1000",
                  "write h0 1000B ABSOLUTE_OFFSET=50", "issued h0", "leave aio_write @1100", "enter aio_fsync @1200",
                  "flush h0 0B", "done h0 0B", "leave aio_fsync @1300", "enter aio_suspend @1400",
                  "leave aio_suspend @1500", "enter aio_error @2000", "done h0 900B", "leave aio_error @2100",
                  "enter lio_listio @3000", "write h0 10B ABSOLUTE_OFFSET=0", "read h0 30B ABSOLUTE_OFFSET=20",
                  "issued h0", "issued h0", "leave lio_listio @3100", "enter aio_return @4000", "done h0 30B",
                  "leave aio_return @4100", "enter aio_return @5000", "done h0 0B", "leave aio_return @5100"));
  EXPECT_EQ(summary.io_bytes, 930U);
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, AStreamHasAHandleOfItsOwnAboveThatOfItsDescriptor) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/stream");
  spool.call("fopen", PL_LAYOUT_POSIX_STREAM_OPEN, 2'000, 2'100, {pair(1, O_RDWR), 5});
  spool.call("writev", PL_LAYOUT_POSIX_ACCESS, 2'200, 2'300, {pair(5, PL_ACCESS_WRITE), ~0ULL, 7, 7});  // as C++ does
  spool.call("fwrite", PL_LAYOUT_POSIX_STREAM_ACCESS, 3'000, 3'100, {pair(5, PL_ACCESS_WRITE), ~0ULL, 800, 800});
  spool.call("fflush", PL_LAYOUT_POSIX_STREAM, 4'000, 4'100, {pair(5, 0), 807, 7, 0});
  spool.call("fseek", PL_LAYOUT_POSIX_STREAM_SEEK, 5'000, 5'100, {pair(5, 0), 16, 16});
  spool.call("fread", PL_LAYOUT_POSIX_STREAM_ACCESS, 6'000, 6'100, {pair(5, 0), ~0ULL, 100, 90});
  spool.call("fclose", PL_LAYOUT_POSIX_STREAM, 7'000, 7'100, {pair(5, 0), 0, ~0ULL, 0});
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(inner_events(0),
              ElementsAre("open h0 @100", "write h1 7B ABSOLUTE_OFFSET=0", "done h1 7B", "write h0 800B",
                          "done h0 800B", "seek h0 to 16", "read h0 100B", "done h0 90B", "close h1", "close h0"));
  EXPECT_THAT(events(0), testing::Contains("enter fflush @2000 PATH=/data/stream ABSOLUTE_OFFSET=7 LENGTH=807"));
  EXPECT_THAT(events(0), testing::Contains("enter fclose @5000 PATH=/data/stream"));
  const Definitions& d = definitions();
  EXPECT_EQ(d.io_handles[0].paradigm, archive::IoParadigm::kOther);
  EXPECT_EQ(d.io_handles[1].paradigm, archive::IoParadigm::kPosix);
  EXPECT_EQ(d.io_handles[1].parent, 0U);
  EXPECT_EQ(d.strings[d.io_files[d.io_handles[0].file].path], "/data/stream");
  EXPECT_EQ(summary.io_bytes, 897U);
}

TEST_F(Assemble, CallsThatOnlyNameAFileCarryItsPath) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/a");
  spool.define_text(PL_DEF_FILE, pair(2, 0), "/data/b");
  spool.call("rename", PL_LAYOUT_POSIX_NAME, 2'000, 2'100, {pair(1, 2), 0});
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 3'000, 3'100, {pair(2, O_RDWR), 5});
  spool.call("fallocate", PL_LAYOUT_POSIX_RANGE, 4'000, 4'100, {pair(5, 0), 100, 200, 0});
  spool.call("sync_file_range", PL_LAYOUT_POSIX_RANGE, 5'000, 5'100, {pair(5, 2), 0, 300, 0});
  spool.call("mmap", PL_LAYOUT_POSIX_MAP, 6'000, 6'100, {pair(2, 3), 0, 4096, 0x7f0000000000});
  run({spool});
  EXPECT_THAT(
      events(0),
      ElementsAre("enter rename @0 PATH=/data/a SECOND_PATH=/data/b", "leave rename @100", "enter open @1000",
                  "open h0 @1100", "leave open @1100",
                  "enter fallocate @2000 PATH=/data/b ABSOLUTE_OFFSET=100 LENGTH=200", "leave fallocate @2100",
                  "enter sync_file_range @3000 PATH=/data/b ABSOLUTE_OFFSET=0 LENGTH=300", "flush h0 0B", "done h0 0B",
                  "leave sync_file_range @3100",
                  "enter mmap @4000 PATH=/data/b ABSOLUTE_OFFSET=0 LENGTH=4096 PROTECTION=rw-", "leave mmap @4100"));
}

TEST_F(Assemble, LocksStandOnTheirEnter) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/a");
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'000, 2'100, {pair(1, O_RDWR), 5});
  spool.call("fcntl (lock)", PL_LAYOUT_POSIX_RANGE, 3'000, 3'100,
             {pair(5, PL_FILE_LOCK_WRITE | PL_FILE_LOCK_WAITS), 10, 20, 0});
  spool.call("fcntl (unlock)", PL_LAYOUT_POSIX_RANGE, 4'000, 4'100, {pair(5, 0), 10, 20, 0});
  spool.call("fcntl (test)", PL_LAYOUT_POSIX_RANGE, 5'000, 5'100,
             {pair(5, PL_FILE_LOCK_READ | PL_FILE_LOCK_OF_OPEN_FILE), 0, 0, 0});
  run({spool});
  EXPECT_THAT(
      events(0),
      ElementsAre("enter open @0", "open h0 @100", "leave open @100",
                  "enter fcntl (lock) @1000 PATH=/data/a ABSOLUTE_OFFSET=10 LENGTH=20 FILE_LOCK=write,waits",
                  "leave fcntl (lock) @1100", "enter fcntl (unlock) @2000 PATH=/data/a ABSOLUTE_OFFSET=10 LENGTH=20",
                  "leave fcntl (unlock) @2100",
                  "enter fcntl (test) @3000 PATH=/data/a ABSOLUTE_OFFSET=0 LENGTH=0 FILE_LOCK=read,open file",
                  "leave fcntl (test) @3100"));
}
TEST_F(Assemble, ClosingARangeClosesWhatIsInIt) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/a");
  for (const std::uint64_t fd : {4, 5, 6})
    spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'000 + 100 * fd, 2'050 + 100 * fd, {pair(1, O_RDONLY), fd});
  spool.call("fcntl", PL_LAYOUT_POSIX_FD, 3'000, 3'100, {pair(6, 0), 9});
  spool.call("close_range", PL_LAYOUT_POSIX_CLOSE_RANGE, 4'000, 4'100, {pair(5, 6), 0});
  spool.call("closefrom", PL_LAYOUT_POSIX_CLOSE_RANGE, 5'000, 5'100, {pair(7, -1), 0});
  run({spool});
  EXPECT_THAT(inner_events(0), ElementsAre("open h0 @50", "open h1 @150", "open h2 @250", "close h1", "close h2"));
}

}  // namespace
}  // namespace plumbline::record
