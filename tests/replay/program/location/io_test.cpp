// I/O of a location.

#include "replay/program/compile/location/io.hpp"

#include <gmock/gmock.h>

#include "by_hand.hpp"

namespace plumbline::replay::compiling {
namespace {

using archive::Event;
using archive::EventKind;
using archive::IoMode;
using testing::ElementsAre;

class LocationIo : public testing::Test {
 protected:
  void open(const char* call, std::uint32_t handle, std::vector<archive::AttributeValue> attributes = {}) {
    location_.in_call(call);
    io_event(state_, Record({.kind = EventKind::kIoCreateHandle, .io_handle = handle}, std::move(attributes)));
  }
  void close(std::uint32_t handle) {
    location_.in_call("MPI_File_close");
    io_event(state_, {.kind = EventKind::kIoDestroyHandle, .io_handle = handle});
  }
  // A read or write of 100 bytes begins, as operation 11 of the file.
  const Io& begin(const char* call, std::uint32_t handle, std::vector<archive::AttributeValue> attributes = {},
                  IoMode mode = IoMode::kRead) {
    location_.in_call(call);
    io_event(
        state_,
        Record(
            {.kind = EventKind::kIoOperationBegin, .io_mode = mode, .io_handle = handle, .bytes = 100, .request = 11},
            std::move(attributes)));
    return *state_.call.io;
  }
  void end(std::uint64_t bytes) {
    io_event(state_, {.kind = EventKind::kIoOperationComplete, .io_handle = kShared, .bytes = bytes, .request = 11});
  }
  std::uint64_t offset_of_read(const char* call, std::uint64_t bytes_read) {
    const std::uint64_t offset = begin(call, kDescriptor).access.offset;
    io_event(state_,
             {.kind = EventKind::kIoOperationComplete, .io_handle = kDescriptor, .bytes = bytes_read, .request = 11});
    return offset;
  }

  LocationByHand location_;
  LocationState& state_ = location_.state;
};

TEST_F(LocationIo, AHandleThatTheArchiveDoesNotDefineIsAFault) {
  EXPECT_EQ(error_of([&] { begin("read", kHandles); }),
            "OBS: rank 0, event 0: an I/O handle that the archive does not define");
}

TEST_F(LocationIo, ADescriptorMovesByWhatWasReadAndStaysInAPread) {
  open("open", kDescriptor);
  EXPECT_EQ(offset_of_read("read", 80), 0U);
  EXPECT_EQ(offset_of_read("pread", 100), 80U);
  EXPECT_EQ(offset_of_read("read", archive::kUnknownSize), 80U);
  EXPECT_EQ(offset_of_read("read", 1), 180U) << "what was asked, where nobody tells what was done";
  location_.in_call("read");
  io_event(state_, {.kind = EventKind::kIoSeek, .io_handle = kDescriptor, .offset = 500});
  EXPECT_EQ(offset_of_read("read", 1), 500U);
}

TEST_F(LocationIo, WhereADescriptorStandsThatNobodyOpenedIsNotKnown) {
  EXPECT_EQ(offset_of_read("read", 80), kUnknownOffset);
  EXPECT_EQ(offset_of_read("read", 80), kUnknownOffset);
}

TEST_F(LocationIo, StreamsOfStdioAreNotFollowed) {
  location_.in_call("fread");
  io_event(state_, {.kind = EventKind::kIoOperationBegin, .io_handle = kStream, .bytes = 100, .request = 11});
  EXPECT_FALSE(state_.call.io);
}

TEST_F(LocationIo, AnAccessOfMpiIoIsWhereItsRecordSaysElseItIsCounted) {
  const AttributeIds& ids = location_.ids;
  const Io known =
      begin("MPI_File_read_at", kShared, {number(ids.absolute_offset, 4096), number(ids.view_position, 8)});
  EXPECT_EQ(known.access.offset, 4096U);
  EXPECT_EQ(known.access.view_position, 8U);
  EXPECT_EQ(known.access.layout, kNone);
  EXPECT_EQ(known.access.comm, kWorld);
  EXPECT_EQ(begin("MPI_File_read_at", kShared, {location_.text(ids.layout, "a view")}).access.offset, kUnknownOffset);
  EXPECT_EQ(location_.tally.accesses_without_offset, 0U);
  begin("MPI_File_read_at", kShared);
  EXPECT_EQ(location_.tally.accesses_without_offset, 1U);
  EXPECT_EQ(location_.tally.mpi_accesses, 3U);
}

TEST_F(LocationIo, AnAccessIsCollectiveByItsCallOrItsRecord) {
  EXPECT_EQ(begin("MPI_File_read_at", kShared).flags, kIoIsMpi);
  EXPECT_EQ(begin("MPI_File_write_at_all", kShared, {}, IoMode::kWrite).flags, kIoIsMpi | kIoIsCollective);
  location_.in_call("MPI_File_read_at");
  io_event(state_, {.kind = EventKind::kIoOperationBegin, .io_flags = archive::kIoCollective, .io_handle = kShared});
  EXPECT_EQ(state_.call.io->flags, kIoIsMpi | kIoIsCollective);
  EXPECT_EQ(begin("read", kDescriptor).flags, 0);
}

TEST_F(LocationIo, OpensAndSyncsOfMpiIoAreCollectiveAndSeeksAreNot) {
  open("MPI_File_open", kShared);
  EXPECT_EQ(state_.call.io->flags, kIoIsMpi | kIoIsCollective);
  EXPECT_EQ(begin("MPI_File_read_at", kShared, {}, IoMode::kFlush).flags, kIoIsMpi | kIoIsCollective);
  EXPECT_EQ(state_.call.io->bytes, 0U);
  io_event(state_, {.kind = EventKind::kIoSeek, .io_handle = kShared, .offset = 500});
  EXPECT_EQ(state_.call.io->flags, kIoIsMpi);
}

TEST_F(LocationIo, WhatIsCompletedByALaterCallEndsInAWaitThatTellsItsBytes) {
  for (int i = 0; i < 2; ++i) location_.earlier({});
  begin("MPI_File_iwrite_at", kShared, {}, IoMode::kWrite);
  const Operation write = io_operation(state_);
  location_.earlier(write);
  EXPECT_EQ(write.kind, OpKind::kIoWrite);
  EXPECT_EQ(write.flags, kIoIsMpi | kNonBlocking);
  EXPECT_EQ(write.bytes, 100U);
  location_.in_call("MPI_Wait");
  end(64);
  EXPECT_EQ(location_.builder.operation(2).bytes, 64U);
  EXPECT_THAT(state_.completed, ElementsAre(0U));
  end(64);
  EXPECT_EQ(location_.tally.unknown_io, 1U) << "it was over before";
  EXPECT_EQ(location_.finish().rank(0).accesses[write.extra].request, 0U);
}

TEST_F(LocationIo, NobodyWaitsForWhatItsOwnCallHasCompletedOrTheEndOfTheProcess) {
  begin("MPI_File_read_at", kShared);
  end(64);
  const Operation completed = io_operation(state_);
  EXPECT_EQ(completed.flags, kIoIsMpi);
  EXPECT_EQ(completed.bytes, 64U);
  begin("MPI_File_read_at", kShared);
  state_.call.unfinished = true;
  EXPECT_EQ(io_operation(state_).flags, kIoIsMpi);
  begin("read", kDescriptor);  // not asynchronous
  EXPECT_EQ(io_operation(state_).flags, 0);
  EXPECT_EQ(state_.slots.count(), 0U);
}

TEST_F(LocationIo, AnAsynchronousReadOfPosixGoesOnAndAnAsynchronousSyncIsNotModelled) {
  const auto start = [&](const char* call, IoMode mode, std::uint64_t id) {
    location_.in_call(call);
    io_event(state_, {.kind = EventKind::kIoOperationBegin,
                      .io_mode = mode,
                      .io_flags = archive::kIoNonBlocking,
                      .io_handle = kDescriptor,
                      .request = id});
    const Operation operation = io_operation(state_);
    location_.earlier(operation);
    return operation;
  };
  EXPECT_EQ(start("aio_read", IoMode::kRead, 11).flags, kNonBlocking);
  EXPECT_EQ(start("aio_fsync", IoMode::kFlush, 12).kind, OpKind::kUnmodelled);
  EXPECT_EQ(state_.reason, "flushes a file asynchronously: not modelled");
  location_.in_call("aio_suspend");
  for (const std::uint64_t id : {12, 11})
    io_event(state_, {.kind = EventKind::kIoOperationComplete, .io_handle = kDescriptor, .request = id});
  EXPECT_THAT(state_.completed, ElementsAre(0U)) << "the read";
  EXPECT_EQ(location_.tally.unknown_io, 0U);
}

TEST_F(LocationIo, HintsAreThoseOfTheOpenUntilTheyAreChanged) {
  const auto hints = [&](const char* text) { return location_.text(location_.ids.hints, text); };
  open("MPI_File_open", kShared, {hints("cb_nodes=1")});
  const std::uint16_t of_open = begin("MPI_File_read_at", kShared).access.hints;
  change_hints(state_, Record({.kind = EventKind::kLeave}, {hints("cb_nodes=2")}));
  const std::uint16_t changed = begin("MPI_File_read_at", kShared).access.hints;
  close(kShared);
  EXPECT_EQ(begin("MPI_File_read_at", kShared).access.hints, kNoHints);
  const Program program = location_.finish();
  EXPECT_EQ(program.hints(of_open), "cb_nodes=1");
  EXPECT_EQ(program.hints(changed), "cb_nodes=2");
  EXPECT_EQ(program.property("hints:data"), "cb_nodes=1");
}

TEST_F(LocationIo, OfSeveralOpenFilesNobodyKnowsWhoseHintsHaveChanged) {
  open("MPI_File_open", kShared);
  open("MPI_File_open", kSecond);
  change_hints(state_, Record({.kind = EventKind::kLeave}, {location_.text(location_.ids.hints, "cb_nodes=2")}));
  EXPECT_EQ(begin("MPI_File_read_at", kShared).access.hints, kNoHints);
}

TEST_F(LocationIo, WhatACallOfMpiDoesToADescriptorTheLibraryDid) {
  location_.in_call("MPI_File_read_at");
  io_event(state_, {.kind = EventKind::kIoOperationBegin, .io_handle = kDescriptor, .bytes = 100, .request = 11});
  EXPECT_FALSE(state_.call.io);
  ASSERT_EQ(state_.inner.count(), 1U);
  EXPECT_EQ(state_.inner.item(0).kind, InnerKind::kRead);
  EXPECT_EQ(state_.inner.item(0).access.bytes, 100U);
}

// MPI_File_open, in which the library calls open(); of that nothing is recorded but its begin and end.
TEST_F(LocationIo, ARegionInsideOfACallOnAFileIsWhatTheLibraryDidThere) {
  const auto takes_region = [&](const char* call, const char* inside) {
    location_.in_call(call);
    state_.inner.clear();
    const Event of_call{.kind = EventKind::kEnter, .region = location_.region(call)};
    Event region{.kind = EventKind::kEnter, .region = location_.region(inside)};
    state_.walker.next(of_call);
    for (const std::int64_t us : {5, 8}) {
      state_.now = at_us(us);
      state_.walker.next(region);
      nested(state_, region);
      region.kind = EventKind::kLeave;
    }
    state_.walker.next({.kind = EventKind::kLeave, .region = location_.region(call)});
    return state_.inner.count();
  };
  EXPECT_EQ(takes_region("MPI_Barrier", "open"), 0U) << "no call on a file";
  EXPECT_EQ(takes_region("MPI_File_open", "main"), 0U) << "no POSIX call";
  ASSERT_EQ(takes_region("MPI_File_open", "open"), 1U);
  EXPECT_EQ(state_.inner.item(0).kind, InnerKind::kOther);
  EXPECT_EQ(state_.inner.item(0).times.begin, at_us(5));
  EXPECT_EQ(state_.inner.item(0).times.end, at_us(8));
}

}  // namespace
}  // namespace plumbline::replay::compiling
