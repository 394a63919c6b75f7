/* The payloads of records: for every kind the words that it begins with, field by field, in one place. Part of
 * format.h.
 *
 * PL_FIELDS_.. of a shape lists its words in order: PAIR is a word of two numbers of 32 bits, the first one in the low
 * bits, WORD a word of one. From it come the struct of the shape (struct pl_.._payload, below) and the function that
 * reads it (payload.hpp). `none` is 0. What follows the struct (lists, texts) is said beside it.
 *
 * Fields are known before the call unless a comment says "after". A result of a POSIX call is what it returned, or
 * -errno. */
#ifndef PLUMBLINE_TRACER_SPOOL_PAYLOADS_H
#define PLUMBLINE_TRACER_SPOOL_PAYLOADS_H

#include <stdint.h>

/* clang-format off */

/* ---- Messages. Peers and tags as posted are PL_ANY_SOURCE, PL_PROC_NULL, PL_ANY_TAG or as the program has them. */

/* request 0: blocking. */
#define PL_FIELDS_SEND(PAIR, WORD) \
  PAIR(int32_t, dest, int32_t, tag) \
  WORD(uint64_t, bytes) \
  PAIR(uint32_t, comm, uint32_t, request)

/* bytes: of the buffer, after a blocking call those received. matched_.., after: of a blocking call, else the word is
 * not there; -1 after an error, but for MPI_ERR_TRUNCATE, which has taken the message. */
#define PL_FIELDS_RECV(PAIR, WORD) \
  PAIR(int32_t, source, int32_t, tag) \
  WORD(uint64_t, bytes) \
  PAIR(uint32_t, comm, uint32_t, request) \
  PAIR(int32_t, matched_source, int32_t, matched_tag)

/* bytes, matched_..: as of RECV. */
#define PL_FIELDS_SENDRECV(PAIR, WORD) \
  PAIR(int32_t, dest, int32_t, send_tag) \
  WORD(uint64_t, sent) \
  PAIR(uint32_t, comm, uint32_t, none) \
  PAIR(int32_t, source, int32_t, tag) \
  WORD(uint64_t, bytes) \
  PAIR(int32_t, matched_source, int32_t, matched_tag)

/* A send, then a receive: `request` is the one that is waited for; with it both are complete. */
#define PL_FIELDS_ISENDRECV(PAIR, WORD) \
  PAIR(int32_t, dest, int32_t, send_tag) \
  WORD(uint64_t, sent) \
  PAIR(uint32_t, send_comm, uint32_t, send_request) \
  PAIR(int32_t, source, int32_t, tag) \
  WORD(uint64_t, bytes) \
  PAIR(uint32_t, comm, uint32_t, request)

/* bytes, matched_.., found, after: of what was found. polls: folded, see the end of format.h. */
#define PL_FIELDS_PROBE(PAIR, WORD) \
  PAIR(int32_t, source, int32_t, tag) \
  WORD(uint64_t, bytes) \
  PAIR(uint32_t, comm, uint32_t, none) \
  PAIR(int32_t, matched_source, int32_t, matched_tag) \
  PAIR(uint32_t, found, uint32_t, polls)

/* ---- Requests */

/* Waits, tests. Then the ids of n requests, two to a word, 0: MPI_REQUEST_NULL or inactive; then for each a struct
 * pl_completion, after. MPI_Request_free, MPI_Cancel: one request, not completed. ..any and ..some that completed
 * something list the completed ones only; until then, all that they were given. */
#define PL_FIELDS_WAIT(PAIR, WORD) \
  PAIR(uint32_t, n, uint32_t, none) \
  PAIR(uint32_t, completed, uint32_t, polls)

/* Then n times STARTED. */
#define PL_FIELDS_START(PAIR, WORD) \
  PAIR(uint32_t, n, uint32_t, none)

/* persistent: of PL_DEF_PERSISTENT; both 0: partitioned or unknown. */
#define PL_FIELDS_STARTED(PAIR, WORD) \
  PAIR(uint32_t, persistent, uint32_t, request)

/* ---- Collectives and communicators */

/* root -1: none, -2: MPI_PROC_NULL, -3: MPI_ROOT. sent: what this rank contributes from its buffer in all (root of
 * Bcast: bytes; Scatter root: all of it; Alltoall: n * block); received: what arrives in its receive buffer. In-place
 * counts as if it were not. The last two words are there of v-collectives and of non-blocking ones, then
 * n_sent + n_received words: bytes to, from each rank of comm; n_sent, n_received: 0 or the number of peers (the remote
 * group of an intercommunicator). Reduce_scatter has n_sent, each rank's block. */
#define PL_FIELDS_COLLECTIVE(PAIR, WORD) \
  PAIR(uint32_t, comm, int32_t, root) \
  WORD(uint64_t, sent) \
  WORD(uint64_t, received) \
  PAIR(uint32_t, request, uint32_t, none) \
  PAIR(uint32_t, n_sent, uint32_t, n_received)

/* Then a word each: bytes of the blocks to and from those of PL_DEF_NEIGHBOURS; nothing moves where that is
 * MPI_PROC_NULL. request 0: blocking. */
#define PL_FIELDS_NEIGHBOUR(PAIR, WORD) \
  PAIR(uint32_t, comm, uint32_t, request) \
  PAIR(uint32_t, n_sent, uint32_t, n_received)

/* comm PL_COMM_NULL: made without one. request: of MPI_Comm_idup. made, after: PL_COMM_NULL: MPI_COMM_NULL, or a
 * free. */
#define PL_FIELDS_COMM(PAIR, WORD) \
  PAIR(uint32_t, comm, uint32_t, request) \
  PAIR(uint32_t, made, uint32_t, none)

/* on: recording is on after the call; it may have been off before. */
#define PL_FIELDS_PCONTROL(PAIR, WORD) \
  PAIR(int32_t, level, uint32_t, on)

/* ---- One-sided communication */

/* kind: enum pl_win. window, after; 0: failed. */
#define PL_FIELDS_WIN(PAIR, WORD) \
  PAIR(uint32_t, comm, uint32_t, kind) \
  WORD(uint64_t, bytes) \
  WORD(uint64_t, unit) \
  PAIR(uint32_t, window, uint32_t, none)

/* Fence, complete, wait, lock, unlock, flush, sync, free, .. rank: in the communicator of the window, -1: all, or none.
 * assertion: enum pl_assertion; lock: enum pl_lock_type. */
#define PL_FIELDS_WIN_SYNC(PAIR, WORD) \
  PAIR(uint32_t, window, int32_t, rank) \
  PAIR(uint32_t, assertion, uint32_t, lock)

/* Post, start. Then n world ranks of the group, two to a word; -1: of another MPI_COMM_WORLD. */
#define PL_FIELDS_WIN_GROUP(PAIR, WORD) \
  PAIR(uint32_t, window, uint32_t, assertion) \
  PAIR(uint32_t, n, uint32_t, none)

/* over, after: the exposure is over. */
#define PL_FIELDS_WIN_TEST(PAIR, WORD) \
  PAIR(uint32_t, window, uint32_t, none) \
  PAIR(uint32_t, over, uint32_t, polls)

/* bytes: 0 of a detach. */
#define PL_FIELDS_WIN_ATTACH(PAIR, WORD) \
  PAIR(uint32_t, window, uint32_t, none) \
  WORD(uint64_t, address) \
  WORD(uint64_t, bytes)

/* op: enum pl_op; displacement: as posted; request 0: none; .._type: ids of PL_DEF_DATATYPE of derived ones, else 0. The
 * last two words are there of those that fetch. Nothing but target, displacement and window where the target is
 * PL_PROC_NULL. */
#define PL_FIELDS_RMA(PAIR, WORD) \
  PAIR(int32_t, target, uint32_t, op) \
  WORD(int64_t, displacement) \
  WORD(uint64_t, origin_bytes) \
  WORD(uint64_t, target_bytes) \
  PAIR(uint32_t, window, uint32_t, request) \
  PAIR(uint32_t, origin_type, uint32_t, target_type) \
  WORD(uint64_t, result_bytes) \
  PAIR(uint32_t, result_type, uint32_t, no_type)

/* ---- MPI-IO. file: the process's number for the handle, 0: unknown. */

/* amode: MPI's own numbers; path: of PL_DEF_FILE. file, failed, after. */
#define PL_FIELDS_FILE_OPEN(PAIR, WORD) \
  PAIR(uint32_t, comm, uint32_t, amode) \
  PAIR(uint32_t, path, uint32_t, none) \
  PAIR(uint32_t, file, uint32_t, failed)

/* Close, sync and the like. */
#define PL_FIELDS_FILE(PAIR, WORD) \
  PAIR(uint32_t, file, uint32_t, none)

/* etype, filetype: of PL_DEF_DATATYPE. */
#define PL_FIELDS_FILE_VIEW(PAIR, WORD) \
  PAIR(uint32_t, file, uint32_t, none) \
  WORD(int64_t, displacement) \
  PAIR(uint32_t, etype, uint32_t, filetype)

/* whence: 0 set, 1 cur, 2 end. In etypes; position, after. */
#define PL_FIELDS_FILE_SEEK(PAIR, WORD) \
  PAIR(uint32_t, file, uint32_t, whence) \
  WORD(int64_t, offset) \
  WORD(uint64_t, position)

/* flags: enum pl_access. offset: in etypes; for file-pointer calls the pointer before the call, UINT64_MAX for shared
 * ones. done, after: bytes; of non-blocking ones with the completion. */
#define PL_FIELDS_FILE_ACCESS(PAIR, WORD) \
  PAIR(uint32_t, file, uint32_t, flags) \
  WORD(uint64_t, offset) \
  WORD(uint64_t, asked) \
  WORD(uint64_t, done) \
  PAIR(uint32_t, request, uint32_t, none)

/* ---- POSIX calls. path, second_path: of PL_DEF_FILE. result, fd of an opening, position, done: after. */

/* flags: of open. Function "(open at start)": was open when MPI_Init returned. */
#define PL_FIELDS_POSIX_OPEN(PAIR, WORD) \
  PAIR(uint32_t, path, uint32_t, flags) \
  WORD(int64_t, fd)

/* close, fsync, dup (result: the new descriptor), .. */
#define PL_FIELDS_POSIX_FD(PAIR, WORD) \
  PAIR(int32_t, fd, uint32_t, none) \
  WORD(int64_t, result)

/* flags: enum pl_access. offset -1: at the position of the descriptor. */
#define PL_FIELDS_POSIX_ACCESS(PAIR, WORD) \
  PAIR(int32_t, fd, uint32_t, flags) \
  WORD(int64_t, offset) \
  WORD(uint64_t, asked) \
  WORD(int64_t, done)

#define PL_FIELDS_POSIX_SEEK(PAIR, WORD) \
  PAIR(int32_t, fd, uint32_t, whence) \
  WORD(int64_t, offset) \
  WORD(int64_t, position)

/* from, to: descriptors, -1: not followed; offsets: as of POSIX_ACCESS. sendfile, copy_file_range, splice. */
#define PL_FIELDS_POSIX_COPY(PAIR, WORD) \
  PAIR(int32_t, from, int32_t, to) \
  WORD(int64_t, from_offset) \
  WORD(int64_t, to_offset) \
  WORD(uint64_t, asked) \
  WORD(int64_t, done)

/* mode: or advice or flags of the call. fallocate, ftruncate (from 0), posix_fadvise, sync_file_range, ..; fcntl (lock),
 * (unlock), (test): enum pl_file_lock, length 0: to the end, wherever that will be. */
#define PL_FIELDS_POSIX_RANGE(PAIR, WORD) \
  PAIR(int32_t, fd, uint32_t, mode) \
  WORD(uint64_t, offset) \
  WORD(uint64_t, length) \
  WORD(int64_t, result)

#define PL_FIELDS_POSIX_CLOSE_RANGE(PAIR, WORD) \
  PAIR(uint32_t, first, uint32_t, last) \
  WORD(int64_t, result)

/* rename, unlink, stat, .. second_path 0: none, or not followed. */
#define PL_FIELDS_POSIX_NAME(PAIR, WORD) \
  PAIR(uint32_t, path, uint32_t, second_path) \
  WORD(int64_t, result)

/* flags: protection of mmap, flags of msync. result: address, 0 or -errno. */
#define PL_FIELDS_POSIX_MAP(PAIR, WORD) \
  PAIR(uint32_t, path, uint32_t, flags) \
  WORD(uint64_t, offset) \
  WORD(uint64_t, length) \
  WORD(int64_t, result)

/* flags: enum pl_access. request: a number of this operation, from PL_FIRST_AIO on. */
#define PL_FIELDS_AIO_OPERATION(PAIR, WORD) \
  PAIR(int32_t, fd, uint32_t, flags) \
  WORD(int64_t, offset) \
  WORD(uint64_t, asked) \
  PAIR(uint32_t, request, uint32_t, none)

/* aio_read, aio_write, aio_fsync. */
#define PL_FIELDS_POSIX_AIO(PAIR, WORD) \
  PL_FIELDS_AIO_OPERATION(PAIR, WORD) \
  WORD(int64_t, result)

/* lio_listio. waits: it returns when all are done. Then n times AIO_OPERATION. */
#define PL_FIELDS_POSIX_AIO_LIST(PAIR, WORD) \
  PAIR(uint32_t, n, uint32_t, waits) \
  WORD(int64_t, result)

/* The program has learnt of the end of the operation. done: bytes, PL_UNKNOWN_BYTES, or its -errno. */
#define PL_FIELDS_POSIX_AIO_END(PAIR, WORD) \
  PAIR(uint32_t, request, uint32_t, none) \
  WORD(int64_t, done)

/* aio_suspend. n: operations waited for. */
#define PL_FIELDS_POSIX_AIO_WAIT(PAIR, WORD) \
  PAIR(uint32_t, n, uint32_t, none) \
  WORD(int64_t, result)

/* fclose, fflush, setvbuf. mode: of setvbuf. length: bytes in the buffer that are still to be written, or the size given
 * to setvbuf; offset: theirs in the file, -1: unknown. */
#define PL_FIELDS_POSIX_STREAM(PAIR, WORD) \
  PAIR(int32_t, fd, uint32_t, mode) \
  WORD(uint64_t, length) \
  WORD(int64_t, offset) \
  WORD(int64_t, result)

/* ---- What the library does inside of its calls. These lie among the records of the thread, by their beginnings; a
 * message may be complete long after the call has ended in which it was posted. */

/* peer: world rank; bytes_flags: bytes, 48 bits | enum pl_inner << 48. One that was sent, or a receive: begin: it was
 * posted; end: the library learnt that it is complete. A receive has the bytes of its buffer and what it was posted for
 * before, what came after it; PL_INNER_ANY_SOURCE and _TAG stay. PL_BEGUN: never complete, or PL_LAYOUT_INNER_END tells
 * of it. number: of this message in this process, from 1 on. Functions "(inner send)", "(inner receive)". */
#define PL_FIELDS_INNER_MESSAGE(PAIR, WORD) \
  PAIR(int32_t, peer, int32_t, tag) \
  WORD(uint64_t, bytes_flags) \
  PAIR(uint32_t, context, uint32_t, number)

/* The message of that number as it is now; begin = end: it was complete. Where the record of the message is out of
 * reach: of another thread, or in a segment that is full. */
#define PL_FIELDS_INNER_END(PAIR, WORD) \
  PAIR(uint32_t, number, uint32_t, none) \
  PAIR(int32_t, peer, int32_t, tag) \
  WORD(uint64_t, bytes_flags)

/* A call of MPI by a library of MPI (ROMIO) inside of another. function: that it is the PMPI_ form of; comm 0: unknown or
 * none. */
#define PL_FIELDS_INNER_CALL(PAIR, WORD) \
  PAIR(uint32_t, function, uint32_t, comm)

/* ---- Definitions. A text goes to the end of the record, padded with zeros. */

/* layout: enum pl_layout. Then its name. */
#define PL_FIELDS_DEF_FUNCTION(PAIR, WORD) \
  PAIR(uint32_t, function, uint32_t, layout)

/* address: to which the call returns. */
#define PL_FIELDS_DEF_SITE(PAIR, WORD) \
  PAIR(uint32_t, site, uint32_t, none) \
  WORD(uint64_t, address)

/* sequence: running number of communicators with exactly these members on this rank. Then world ranks, two to a word:
 * the local group, then the remote group of an intercommunicator; -1: of another MPI_COMM_WORLD. */
#define PL_FIELDS_DEF_COMM(PAIR, WORD) \
  PAIR(uint32_t, comm, uint32_t, parent) \
  PAIR(uint32_t, size, uint32_t, own_rank) \
  PAIR(uint32_t, remote_size, uint32_t, sequence)

/* Of a communicator, a file, a window: its number, then the text. */
#define PL_FIELDS_DEF_NAME(PAIR, WORD) \
  PAIR(uint32_t, id, uint32_t, none)

/* combiner: enum pl_combiner. Then integers (i64 each), addresses (i64 each), types (two to a word): as
 * MPI_Type_get_contents gives them, with order 0 C, 1 Fortran; distribution 0 none, 1 block, 2 cyclic; default argument
 * -1. Equal trees have one id. */
#define PL_FIELDS_DEF_DATATYPE(PAIR, WORD) \
  PAIR(uint32_t, type, uint32_t, combiner) \
  WORD(uint64_t, size) \
  WORD(int64_t, lower_bound) \
  WORD(int64_t, extent) \
  PAIR(uint32_t, integers, uint32_t, addresses) \
  PAIR(uint32_t, types, uint32_t, none)

/* Of an MPI file. in_force: else asked for. Then "key=value\n...". */
#define PL_FIELDS_DEF_HINTS(PAIR, WORD) \
  PAIR(uint32_t, file, uint32_t, in_force)

/* ns that this thread has waited for a CPU since it began (schedstat), read after a long gap: begin .. end of the head is
 * that gap. The first one of a thread is the base line, its gap is empty. */
#define PL_FIELDS_DEF_RUN_DELAY(PAIR, WORD) \
  WORD(uint64_t, waited_ns)

/* function: MPI_.._init. Then what a record of that layout would have as payload if the operation were started by a
 * non-blocking call, request 0. */
#define PL_FIELDS_DEF_PERSISTENT(PAIR, WORD) \
  PAIR(uint32_t, persistent, uint32_t, layout) \
  PAIR(uint32_t, function, uint32_t, none)

/* Then ranks in comm, two to a word: n_to that are sent to, then n_from. */
#define PL_FIELDS_DEF_NEIGHBOURS(PAIR, WORD) \
  PAIR(uint32_t, comm, uint32_t, none) \
  PAIR(uint32_t, n_to, uint32_t, n_from)

/* Opened while recording was off. */
#define PL_FIELDS_DEF_MPI_FILE(PAIR, WORD) \
  PAIR(uint32_t, file, uint32_t, amode) \
  PAIR(uint32_t, comm, uint32_t, path)

/* kind: enum pl_win; bytes: of this rank's memory; unit: of displacements, in bytes. sequence: running number of the
 * windows made on that communicator; their making is collective, so it is the same on all its ranks. */
#define PL_FIELDS_DEF_WIN(PAIR, WORD) \
  PAIR(uint32_t, window, uint32_t, comm) \
  PAIR(uint32_t, kind, uint32_t, sequence) \
  WORD(uint64_t, bytes) \
  WORD(uint64_t, unit)

/* At head.begin recording was switched by a limit of the user's, on all threads. */
#define PL_FIELDS_DEF_SWITCH(PAIR, WORD) \
  PAIR(uint32_t, on, uint32_t, none)

/* Was open when this segment began; with PL_KEEP_LAST. */
#define PL_FIELDS_DEF_OPEN_FILE(PAIR, WORD) \
  PAIR(int32_t, fd, uint32_t, path)

/* This process has sent to the world rank `receiver` by that context, as that rank in it. Tells what
 * PL_INNER_RANK_IN_CONTEXT means on the other side. */
#define PL_FIELDS_DEF_INNER_PEER(PAIR, WORD) \
  PAIR(uint32_t, context, uint32_t, own_rank) \
  PAIR(uint32_t, receiver, uint32_t, none)

/* ---- The tables */

/* Layouts, in the order of their numbers: new ones are added to the end. The shape of the payload, and how many of its
 * words every record has. A layout of 0 (PL_LAYOUT_NONE): the call is only timed. */
#define PL_LAYOUTS(LAYOUT) \
  LAYOUT(SEND, send, 3) \
  LAYOUT(RECV, recv, 3) \
  LAYOUT(SENDRECV, sendrecv, 6) \
  LAYOUT(WAIT, wait, 2) \
  LAYOUT(PROBE, probe, 5) \
  LAYOUT(COLLECTIVE, collective, 3) \
  LAYOUT(COMM, comm, 2) \
  LAYOUT(FILE_OPEN, file_open, 3) \
  LAYOUT(FILE, file, 1) \
  LAYOUT(FILE_VIEW, file_view, 3) \
  LAYOUT(FILE_SEEK, file_seek, 3) \
  LAYOUT(FILE_ACCESS, file_access, 5) \
  LAYOUT(POSIX_OPEN, posix_open, 2) \
  LAYOUT(POSIX_FD, posix_fd, 2) \
  LAYOUT(POSIX_ACCESS, posix_access, 4) \
  LAYOUT(POSIX_SEEK, posix_seek, 3) \
  LAYOUT(POSIX_COPY, posix_copy, 5) \
  LAYOUT(POSIX_RANGE, posix_range, 4) \
  LAYOUT(POSIX_CLOSE_RANGE, posix_close_range, 2) \
  LAYOUT(POSIX_NAME, posix_name, 2) \
  LAYOUT(POSIX_MAP, posix_map, 4) \
  LAYOUT(POSIX_AIO, posix_aio, 5) \
  LAYOUT(POSIX_AIO_LIST, posix_aio_list, 2) \
  LAYOUT(POSIX_AIO_END, posix_aio_end, 2) \
  LAYOUT(POSIX_AIO_WAIT, posix_aio_wait, 2) \
  LAYOUT(POSIX_STREAM_OPEN, posix_open, 2)       /* a stream of stdio on that descriptor */ \
  LAYOUT(POSIX_STREAM, posix_stream, 4) \
  LAYOUT(POSIX_STREAM_ACCESS, posix_access, 4)   /* the offset is not known */ \
  LAYOUT(POSIX_STREAM_SEEK, posix_seek, 3) \
  LAYOUT(ISENDRECV, isendrecv, 6) \
  LAYOUT(START, start, 1) \
  LAYOUT(NEIGHBOUR, neighbour, 2) \
  LAYOUT(PCONTROL, pcontrol, 1) \
  LAYOUT(WIN, win, 4) \
  LAYOUT(WIN_SYNC, win_sync, 2) \
  LAYOUT(WIN_GROUP, win_group, 2) \
  LAYOUT(WIN_TEST, win_test, 2) \
  LAYOUT(WIN_ATTACH, win_attach, 3) \
  LAYOUT(RMA, rma, 6) \
  LAYOUT(INNER_MESSAGE, inner_message, 3) \
  LAYOUT(INNER_END, inner_end, 3) \
  LAYOUT(INNER_CALL, inner_call, 1)

/* Shapes by the fields that make them. PL_DEF_VIEW has file_view, PL_DEF_CLOCK struct pl_clock_reading; PL_DEF_MODULES,
 * _META and _MOUNTS are a text. */
#define PL_PAYLOADS(PAYLOAD) \
  PAYLOAD(send, PL_FIELDS_SEND) \
  PAYLOAD(recv, PL_FIELDS_RECV) \
  PAYLOAD(sendrecv, PL_FIELDS_SENDRECV) \
  PAYLOAD(isendrecv, PL_FIELDS_ISENDRECV) \
  PAYLOAD(probe, PL_FIELDS_PROBE) \
  PAYLOAD(wait, PL_FIELDS_WAIT) \
  PAYLOAD(start, PL_FIELDS_START) \
  PAYLOAD(started, PL_FIELDS_STARTED) \
  PAYLOAD(collective, PL_FIELDS_COLLECTIVE) \
  PAYLOAD(neighbour, PL_FIELDS_NEIGHBOUR) \
  PAYLOAD(comm, PL_FIELDS_COMM) \
  PAYLOAD(pcontrol, PL_FIELDS_PCONTROL) \
  PAYLOAD(win, PL_FIELDS_WIN) \
  PAYLOAD(win_sync, PL_FIELDS_WIN_SYNC) \
  PAYLOAD(win_group, PL_FIELDS_WIN_GROUP) \
  PAYLOAD(win_test, PL_FIELDS_WIN_TEST) \
  PAYLOAD(win_attach, PL_FIELDS_WIN_ATTACH) \
  PAYLOAD(rma, PL_FIELDS_RMA) \
  PAYLOAD(file_open, PL_FIELDS_FILE_OPEN) \
  PAYLOAD(file, PL_FIELDS_FILE) \
  PAYLOAD(file_view, PL_FIELDS_FILE_VIEW) \
  PAYLOAD(file_seek, PL_FIELDS_FILE_SEEK) \
  PAYLOAD(file_access, PL_FIELDS_FILE_ACCESS) \
  PAYLOAD(posix_open, PL_FIELDS_POSIX_OPEN) \
  PAYLOAD(posix_fd, PL_FIELDS_POSIX_FD) \
  PAYLOAD(posix_access, PL_FIELDS_POSIX_ACCESS) \
  PAYLOAD(posix_seek, PL_FIELDS_POSIX_SEEK) \
  PAYLOAD(posix_copy, PL_FIELDS_POSIX_COPY) \
  PAYLOAD(posix_range, PL_FIELDS_POSIX_RANGE) \
  PAYLOAD(posix_close_range, PL_FIELDS_POSIX_CLOSE_RANGE) \
  PAYLOAD(posix_name, PL_FIELDS_POSIX_NAME) \
  PAYLOAD(posix_map, PL_FIELDS_POSIX_MAP) \
  PAYLOAD(aio_operation, PL_FIELDS_AIO_OPERATION) \
  PAYLOAD(posix_aio, PL_FIELDS_POSIX_AIO) \
  PAYLOAD(posix_aio_list, PL_FIELDS_POSIX_AIO_LIST) \
  PAYLOAD(posix_aio_end, PL_FIELDS_POSIX_AIO_END) \
  PAYLOAD(posix_aio_wait, PL_FIELDS_POSIX_AIO_WAIT) \
  PAYLOAD(posix_stream, PL_FIELDS_POSIX_STREAM) \
  PAYLOAD(inner_message, PL_FIELDS_INNER_MESSAGE) \
  PAYLOAD(inner_end, PL_FIELDS_INNER_END) \
  PAYLOAD(inner_call, PL_FIELDS_INNER_CALL) \
  PAYLOAD(def_function, PL_FIELDS_DEF_FUNCTION) \
  PAYLOAD(def_site, PL_FIELDS_DEF_SITE) \
  PAYLOAD(def_comm, PL_FIELDS_DEF_COMM) \
  PAYLOAD(def_name, PL_FIELDS_DEF_NAME) \
  PAYLOAD(def_datatype, PL_FIELDS_DEF_DATATYPE) \
  PAYLOAD(def_hints, PL_FIELDS_DEF_HINTS) \
  PAYLOAD(def_run_delay, PL_FIELDS_DEF_RUN_DELAY) \
  PAYLOAD(def_persistent, PL_FIELDS_DEF_PERSISTENT) \
  PAYLOAD(def_neighbours, PL_FIELDS_DEF_NEIGHBOURS) \
  PAYLOAD(def_mpi_file, PL_FIELDS_DEF_MPI_FILE) \
  PAYLOAD(def_win, PL_FIELDS_DEF_WIN) \
  PAYLOAD(def_switch, PL_FIELDS_DEF_SWITCH) \
  PAYLOAD(def_open_file, PL_FIELDS_DEF_OPEN_FILE) \
  PAYLOAD(def_inner_peer, PL_FIELDS_DEF_INNER_PEER)

/* clang-format on */

#define PL_LAYOUT_NUMBER(kind, shape, words) PL_LAYOUT_##kind,
enum pl_layout { PL_LAYOUT_NONE = 0, PL_LAYOUTS(PL_LAYOUT_NUMBER) PL_LAYOUT_COUNT };
#undef PL_LAYOUT_NUMBER

/* struct pl_send_payload, .. In C they may lie upon the words of a record, which are written and read as words too. */
#ifdef __cplusplus
#define PL_UPON_WORDS
#else
#define PL_UPON_WORDS __attribute__((may_alias, aligned(8)))
#endif
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PL_PAIR_MEMBERS(low_type, low, high_type, high) \
  low_type low;                                         \
  high_type high;
#else
#define PL_PAIR_MEMBERS(low_type, low, high_type, high) \
  high_type high;                                       \
  low_type low;
#endif
#define PL_WORD_MEMBER(type, name) type name;
#define PL_PAYLOAD_STRUCT(shape, FIELDS)      \
  struct PL_UPON_WORDS pl_##shape##_payload { \
    FIELDS(PL_PAIR_MEMBERS, PL_WORD_MEMBER)   \
  };
PL_PAYLOADS(PL_PAYLOAD_STRUCT)
#undef PL_PAYLOAD_STRUCT
#undef PL_WORD_MEMBER
#undef PL_PAIR_MEMBERS
#undef PL_UPON_WORDS

/* Words of a struct. */
#define PL_WORDS_OF(type) (sizeof(type) / sizeof(uint64_t))

#endif
