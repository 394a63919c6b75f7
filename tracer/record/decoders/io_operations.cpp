#include "tracer/record/decoders/io_operations.hpp"

#include <fcntl.h>

namespace plumbline::record {

using archive::Event;
using archive::EventKind;

Event operation_of(DecodingState& t, OpenCall& call, std::uint64_t bytes) {
  if (call.matching == 0) call.matching = t.next_matching++;
  Event event;
  event.kind = EventKind::kIoOperationBegin;
  event.io_handle = call.handle;
  event.bytes = bytes;
  event.request = call.matching;
  return event;
}

void complete_operation(DecodingState& t, std::uint32_t handle, std::uint64_t matching, std::uint64_t bytes,
                        Time time) {
  Event event;
  event.kind = EventKind::kIoOperationComplete;
  event.io_handle = handle;
  event.request = matching;
  event.bytes = bytes;
  t.out.emit(event, time);
}

std::uint32_t enclosing_mpi_handle(const DecodingState& t) {
  for (std::size_t i = t.calls.size(); i != 0; --i)
    if (t.calls[i - 1].mpi_file != 0) return t.calls[i - 1].handle;
  return archive::kUndefined;
}

namespace {

constexpr std::int64_t mode_bits(std::int64_t access, std::int64_t creation, std::int64_t status) {
  return access | creation << archive::kIoCreationShift | status << archive::kIoStatusShift;
}
constexpr std::int64_t kCreate = 1, kTruncate = 2, kDirectory = 4, kExclusive = 8, kUnique = 1 << 10;
constexpr std::int64_t kAppend = 2, kSync = 1 << 4, kDirect = 1 << 6, kDeleteOnClose = 1 << 8;

}  // namespace

// MPI_MODE_*: the same numbers in Open MPI and MPICH.
std::int64_t mode_of_mpi(std::uint32_t amode) {
  const std::int64_t access = (amode & 8) != 0 ? 2 : (amode & 4) != 0 ? 1 : 0;
  const std::int64_t creation =
      ((amode & 1) != 0 ? kCreate : 0) | ((amode & 64) != 0 ? kExclusive : 0) | ((amode & 32) != 0 ? kUnique : 0);
  const std::int64_t status = ((amode & 128) != 0 ? kAppend : 0) | ((amode & 16) != 0 ? kDeleteOnClose : 0);
  return mode_bits(access, creation, status);
}

std::int64_t mode_of_posix(std::uint32_t flags) {
  const auto has = [&](int flag) {
    return (flags & static_cast<std::uint32_t>(flag)) == static_cast<std::uint32_t>(flag);
  };
  const std::int64_t access = has(O_RDWR) ? 2 : has(O_WRONLY) ? 1 : 0;
  const std::int64_t creation = (has(O_CREAT) ? kCreate : 0) | (has(O_TRUNC) ? kTruncate : 0) |
                                (has(O_DIRECTORY) ? kDirectory : 0) | (has(O_EXCL) ? kExclusive : 0);
  const std::int64_t status = (has(O_APPEND) ? kAppend : 0) | (has(O_SYNC) ? kSync : 0) | (has(O_DIRECT) ? kDirect : 0);
  return mode_bits(access, creation, status);
}

}  // namespace plumbline::record
