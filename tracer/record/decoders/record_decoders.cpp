#include "tracer/record/decoders/record_decoders.hpp"

#include <array>

#include "tracer/record/decoders/aio_events.hpp"
#include "tracer/record/decoders/call_attributes.hpp"
#include "tracer/record/decoders/collective_events.hpp"
#include "tracer/record/decoders/file_events.hpp"
#include "tracer/record/decoders/message_events.hpp"
#include "tracer/record/decoders/poll_events.hpp"
#include "tracer/record/decoders/posix_events.hpp"
#include "tracer/record/decoders/request_events.hpp"
#include "tracer/record/decoders/rma_events.hpp"
#include "tracer/record/decoders/stream_events.hpp"

namespace plumbline::record {
namespace {

using Table = std::array<RecordDecoder, PL_LAYOUT_COUNT>;

constexpr Table make_table() {
  Table t{};
  t[PL_LAYOUT_NONE] = {.attributes = timed_attributes};
  t[PL_LAYOUT_INNER_CALL] = {.attributes = inner_call_attributes};

  t[PL_LAYOUT_SEND] = {.begin = begin_send};
  t[PL_LAYOUT_RECV] = {.unfinished = unfinished_receive, .begin = begin_receive, .end = end_receive};
  t[PL_LAYOUT_SENDRECV] = {.unfinished = unfinished_sendrecv, .begin = begin_send, .end = end_sendrecv};
  t[PL_LAYOUT_ISENDRECV] = {.begin = begin_isendrecv};
  t[PL_LAYOUT_PROBE] = {.attributes = probe_attributes, .end = end_probe};

  t[PL_LAYOUT_START] = {.begin = begin_start};
  t[PL_LAYOUT_WAIT] = {.attributes = wait_attributes, .end = end_wait};

  t[PL_LAYOUT_COLLECTIVE] = {.unfinished = unfinished_collective, .begin = begin_collective, .end = end_collective};
  t[PL_LAYOUT_NEIGHBOUR] = {.attributes = neighbour_attributes, .begin = begin_neighbour};
  t[PL_LAYOUT_COMM] = {.unfinished = unfinished_comm, .begin = begin_comm, .end = end_comm};

  t[PL_LAYOUT_WIN] = {.begin = begin_window, .end = end_window};
  t[PL_LAYOUT_WIN_SYNC] = {.attributes = window_sync_attributes, .begin = begin_window_sync, .end = end_window_sync};
  t[PL_LAYOUT_WIN_GROUP] = {.attributes = window_group_attributes, .end = end_window_group};
  t[PL_LAYOUT_WIN_TEST] = {.attributes = window_test_attributes, .end = end_window_test};
  t[PL_LAYOUT_WIN_ATTACH] = {.attributes = window_attach_attributes};
  t[PL_LAYOUT_RMA] = {.begin = begin_one_sided};

  t[PL_LAYOUT_FILE_OPEN] = {.unfinished = unfinished_file_open, .begin = begin_file_open, .end = end_file_open};
  t[PL_LAYOUT_FILE] = {.unfinished = unfinished_file, .begin = begin_file, .end = end_file};
  t[PL_LAYOUT_FILE_VIEW] = {.unfinished = unfinished_file, .begin = begin_file, .end = end_file_view};
  t[PL_LAYOUT_FILE_SEEK] = {.unfinished = unfinished_file, .begin = begin_file, .end = end_file_seek};
  t[PL_LAYOUT_FILE_ACCESS] = {.begin = begin_file_access, .end = end_file_access};

  t[PL_LAYOUT_POSIX_OPEN] = {.unfinished = unfinished_open, .end = end_open};
  t[PL_LAYOUT_POSIX_FD] = {
      .attributes = descriptor_attributes, .unfinished = unfinished_fd, .begin = begin_fd, .end = end_fd};
  t[PL_LAYOUT_POSIX_ACCESS] = {.begin = begin_access, .end = end_access};
  t[PL_LAYOUT_POSIX_SEEK] = {.unfinished = unfinished_seek, .end = end_seek};
  t[PL_LAYOUT_POSIX_COPY] = {.begin = begin_copy, .end = end_copy};
  t[PL_LAYOUT_POSIX_RANGE] = {.attributes = range_attributes, .begin = begin_range, .end = end_range};
  t[PL_LAYOUT_POSIX_CLOSE_RANGE] = {.end = end_close_range};
  t[PL_LAYOUT_POSIX_NAME] = {.attributes = name_attributes};
  t[PL_LAYOUT_POSIX_MAP] = {.attributes = map_attributes};

  t[PL_LAYOUT_POSIX_AIO] = {.begin = begin_aio, .end = end_aio};
  t[PL_LAYOUT_POSIX_AIO_LIST] = {.begin = begin_aio_list, .end = end_aio_list};
  t[PL_LAYOUT_POSIX_AIO_END] = {.end = end_aio_operation};

  t[PL_LAYOUT_POSIX_STREAM_OPEN] = {.unfinished = unfinished_open, .end = end_stream_open};
  t[PL_LAYOUT_POSIX_STREAM] = {.attributes = stream_attributes, .end = end_stream};
  t[PL_LAYOUT_POSIX_STREAM_ACCESS] = {.begin = begin_stream_access, .end = end_stream_access};
  t[PL_LAYOUT_POSIX_STREAM_SEEK] = {.end = end_stream_seek};
  return t;
}

constexpr Table kDecoders = make_table();

}  // namespace

// Layouts that are not known are of a damaged spool, or of a later version.
const RecordDecoder& decoder_of(std::uint32_t layout) {
  return kDecoders[layout < kDecoders.size() ? layout : std::uint32_t{PL_LAYOUT_NONE}];
}

}  // namespace plumbline::record
