#include <gtest/gtest.h>

#include "event_script.hpp"

namespace plumbline::replay {
namespace {

using archive::EventKind;
using archive::IoMode;
using archive::IoParadigm;

namespace names = archive::names;

TEST(CompileIo, ACollectiveWriteKeepsItsViewAndThePosixCallsInside) {
  EventScript script;
  const std::uint32_t file = script.file_handle("/data/x", IoParadigm::kMpiIo, 0);
  const std::uint32_t descriptor = script.file_handle("/data/x", IoParadigm::kPosix);
  script.enter("MPI_File_open", 0).enter("open", 1).io(EventKind::kIoCreateHandle, 2, descriptor).leave(3);
  script.io(EventKind::kIoCreateHandle, 4, file).leave(5);
  script.enter("MPI_File_write_all", 10).io(EventKind::kIoOperationBegin, 10, file, 4096, 1);
  script.with(names::kLayout, std::string("vector(4,2,8)")).with(names::kViewPosition, std::uint64_t{64});
  script.with(names::kAbsoluteOffset, std::uint64_t{512});
  script.enter("pwrite", 11).io(EventKind::kIoOperationBegin, 12, descriptor, 100, 2);
  script.with(names::kAbsoluteOffset, std::uint64_t{1000});
  script.io(EventKind::kIoOperationComplete, 13, descriptor, 90, 2).leave(14);
  script.enter("fsync", 15).leave(16);
  script.io(EventKind::kIoOperationComplete, 17, file, 4000, 1).leave(18);
  const Program program = script.compile();
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(rank.operations.size(), 2U);
  EXPECT_EQ(rank.operations[0].kind, OpKind::kIoOpen);
  EXPECT_EQ(rank.operations[0].flags, kIoIsMpi | kIoIsCollective);
  const Operation& write = rank.operations[1];
  EXPECT_EQ(write.kind, OpKind::kIoWrite);
  EXPECT_EQ(write.flags, kIoIsMpi | kIoIsCollective);
  EXPECT_EQ(write.bytes, 4000U);
  EXPECT_EQ(program.file(write.comm), "/data/x");
  const IoAccess& access = rank.accesses[write.extra];
  EXPECT_EQ(access.offset, 512U);
  EXPECT_EQ(access.view_position, 64U);
  EXPECT_EQ(program.layout(access.layout), "vector(4,2,8)");
  EXPECT_EQ(access.comm, 0U);
  ASSERT_EQ(rank.inner_of(0).size(), 1U);
  EXPECT_EQ(rank.inner_of(0)[0].kind, InnerKind::kOpen);
  ASSERT_EQ(rank.inner_of(1).size(), 2U);
  const InnerItem& inner = rank.inner_of(1)[0];
  const InnerAccess& inner_access = rank.access_of(inner);
  EXPECT_EQ(inner.kind, InnerKind::kWrite);
  EXPECT_EQ(inner_access.offset, 1000U);
  EXPECT_EQ(inner_access.bytes, 90U);
  EXPECT_EQ(inner.times.begin, Time{} + microseconds(11));
  EXPECT_EQ(inner.times.end, Time{} + microseconds(14));
  EXPECT_EQ(rank.inner_of(1)[1].kind, InnerKind::kOther);
}

TEST(CompileIo, AccessesBearTheHintsThatAreInForceThen) {
  EventScript script;
  const std::uint32_t a = script.file_handle("/data/a", IoParadigm::kMpiIo, 0);
  const std::uint32_t b = script.file_handle("/data/b", IoParadigm::kMpiIo, 0);
  const auto open = [&](std::uint32_t file, std::int64_t at) {
    script.enter("MPI_File_open", at).io(EventKind::kIoCreateHandle, at + 1, file);
  };
  const auto write = [&](std::uint32_t file, std::int64_t at) {
    script.enter("MPI_File_write_all", at).io(EventKind::kIoOperationBegin, at, file, 8, 1);
    script.io(EventKind::kIoOperationComplete, at + 1, file, 8, 1).leave(at + 2);
  };
  open(a, 0);
  script.with(names::kHints, std::string("cb_nodes=1")).leave(2);
  write(a, 10);
  script.enter("MPI_File_set_view", 20).leave(21).with(names::kHints, std::string("cb_nodes=2"));
  write(a, 30);
  open(b, 40);
  script.leave(42);
  write(b, 50);
  write(a, 60);
  script.enter("MPI_File_set_atomicity", 70).leave(71);
  const Program program = script.compile();
  const RankProgram& rank = program.rank(0);
  std::vector<std::string_view> found;
  for (const Operation& op : rank.operations)
    if (op.kind == OpKind::kIoWrite) found.push_back(program.hints(rank.accesses[op.extra].hints));
  EXPECT_EQ(found, (std::vector<std::string_view>{"cb_nodes=1", "cb_nodes=2", "", "cb_nodes=2"}));
  EXPECT_EQ(script.tally().atomicity_set, 1U);
}

TEST(CompileIo, ADescriptorsPositionIsFollowed) {
  EventScript script;
  const std::uint32_t descriptor = script.file_handle("/data/x", IoParadigm::kPosix);
  std::uint64_t id = 1;
  std::int64_t us = 10;
  const auto access = [&](const char* call, std::uint64_t bytes, std::optional<std::uint64_t> offset) {
    script.enter(call, us).io(EventKind::kIoOperationBegin, us + 1, descriptor, bytes, id);
    if (offset) script.with(names::kOffset, *offset);
    script.io(EventKind::kIoOperationComplete, us + 2, descriptor, bytes, id++).leave(us + 3);
    us += 10;
  };
  script.enter("open", 0).io(EventKind::kIoCreateHandle, 1, descriptor).leave(2);
  access("write", 100, std::nullopt);
  access("pwrite", 50, 7);
  access("write", 10, std::nullopt);
  script.enter("lseek", us).io(EventKind::kIoSeek, us + 1, descriptor);
  script.last().offset = 4000;
  script.leave(us + 2);
  us += 10;
  access("write", 1, std::nullopt);
  script.enter("close", us).io(EventKind::kIoDestroyHandle, us, descriptor).leave(us);
  const Program program = script.compile();
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(rank.operations.size(), 7U);
  const auto offset = [&](std::size_t i) { return rank.accesses[rank.operations[i].extra].offset; };
  EXPECT_EQ(offset(1), 0U);
  EXPECT_EQ(offset(2), 7U);
  EXPECT_EQ(offset(3), 100U);
  EXPECT_EQ(rank.operations[4].kind, OpKind::kIoSeek);
  EXPECT_EQ(offset(5), 4000U);
  EXPECT_EQ(rank.operations[6].kind, OpKind::kIoClose);
  EXPECT_EQ(rank.operations[6].flags & kIoIsMpi, 0);
}

TEST(CompileIo, TheOffsetOfScorePIsNotAbsoluteForMpiIo) {
  EventScript script;
  const std::uint32_t file = script.file_handle("/data/x", IoParadigm::kMpiIo, 0);
  script.enter("MPI_File_write_at", 10).io(EventKind::kIoOperationBegin, 10, file, 64, 1);
  script.with(names::kOffset, std::uint64_t{3}).io(EventKind::kIoOperationComplete, 11, file, 64, 1).leave(12);
  const Program program = script.compile();
  const RankProgram& rank = program.rank(0);
  EXPECT_EQ(rank.accesses[rank.operations[0].extra].offset, kUnknownOffset);
  EXPECT_EQ(script.tally().accesses_without_offset, 1U);
}

TEST(CompileIo, AnAsynchronousPosixOperationIsNonBlocking) {
  EventScript script;
  const std::uint32_t descriptor = script.file_handle("/data/x", IoParadigm::kPosix);
  script.enter("aio_write", 10).io(EventKind::kIoOperationBegin, 10, descriptor, 64, 1);
  script.last().io_flags = archive::kIoNonBlocking;
  script.io(EventKind::kIoOperationIssued, 12, descriptor, 0, 1).leave(12);
  script.enter("aio_return", 13).io(EventKind::kIoOperationComplete, 14, descriptor, 60, 1).leave(15);
  const Program program = script.compile();
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(rank.operations.size(), 2U);
  EXPECT_EQ(rank.operations[0].kind, OpKind::kIoWrite);
  EXPECT_EQ(rank.operations[0].flags, kNonBlocking);
  EXPECT_EQ(rank.operations[0].bytes, 60U);
  EXPECT_EQ(rank.operations[1].kind, OpKind::kWait);
}

TEST(CompileIo, AnAsynchronousFlushIsNotModelled) {
  EventScript script;
  const std::uint32_t descriptor = script.file_handle("/data/x", IoParadigm::kPosix);
  script.enter("aio_fsync", 10).io(EventKind::kIoOperationBegin, 10, descriptor, 0, 1, IoMode::kFlush);
  script.last().io_flags = archive::kIoNonBlocking;
  script.io(EventKind::kIoOperationIssued, 12, descriptor, 0, 1).leave(12);
  script.enter("aio_return", 13).io(EventKind::kIoOperationComplete, 14, descriptor, 0, 1).leave(15);
  const Program program = script.compile();
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(rank.operations.size(), 2U);
  EXPECT_EQ(rank.operations[0].kind, OpKind::kUnmodelled);
  EXPECT_TRUE(rank.operations[0].flags & kNotJudged);
  EXPECT_NE(rank.operations[1].kind, OpKind::kWait);
  EXPECT_EQ(script.tally().unknown_io, 0U);
}

TEST(CompileIo, WhatGoesThroughTheBufferOfAStreamIsNoOperationOfTheSystem) {
  EventScript script;
  const std::uint32_t stream = script.file_handle("/data/x", IoParadigm::kOther);
  script.enter("fwrite", 10).io(EventKind::kIoOperationBegin, 10, stream, 64, 1);
  script.io(EventKind::kIoOperationComplete, 12, stream, 64, 1).leave(12);
  const Program program = script.compile();
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(rank.operations.size(), 1U);
  EXPECT_EQ(rank.operations[0].kind, OpKind::kUnmodelled);
  EXPECT_EQ(script.tally().unknown_io, 0U);
}

TEST(CompileIo, AnAccessThatALaterCallCompletesIsNonBlocking) {
  EventScript script;
  const std::uint32_t file = script.file_handle("/data/x", IoParadigm::kMpiIo, 0);
  script.enter("MPI_File_iread_at", 10).io(EventKind::kIoOperationBegin, 10, file, 64, 1, IoMode::kRead).leave(12);
  script.enter("MPI_Wait", 13).io(EventKind::kIoOperationComplete, 14, file, 60, 1).leave(15);
  const Program program = script.compile();
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(rank.operations.size(), 2U);
  EXPECT_EQ(rank.operations[0].kind, OpKind::kIoRead);
  EXPECT_EQ(rank.operations[0].flags, kIoIsMpi | kNonBlocking);
  EXPECT_EQ(rank.operations[0].bytes, 60U);
  EXPECT_EQ(rank.operations[1].kind, OpKind::kWait);
  EXPECT_EQ(rank.waits_for(rank.operations[1])[0], rank.accesses[rank.operations[0].extra].request);
}

}  // namespace
}  // namespace plumbline::replay
