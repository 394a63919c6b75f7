/* Samples of a node: what its sampler leaves behind beside the spools, `<host>.<pid>.samples`. Little-endian, 8-byte
 * aligned, only ever appended to.
 *
 * A file is a header and then records up to its end: a head and `words` words of payload. All records of one round
 * are written by one write(); the file is valid up to its last whole record after any kind of death, and whole when
 * that is PL_SAMPLE_END. Values are as the kernel has them, in the kernel's units, so that a counter that wraps can
 * be told; a value that this kernel does not have is PL_NO_VALUE. New values are appended to a list, never inserted:
 * an older file has fewer. */
#ifndef PLUMBLINE_TRACER_SPOOL_SAMPLES_FORMAT_H
#define PLUMBLINE_TRACER_SPOOL_SAMPLES_FORMAT_H

#include "tracer/spool/format/format.h"

#define PL_SAMPLES_MAGIC "PLUMBSMP"
#define PL_SAMPLES_VERSION 2u
#define PL_NO_VALUE UINT64_MAX

struct pl_samples_header {
  char magic[8];
  uint32_t version, header_bytes;
  uint32_t clock;   /* enum pl_clock, of all ticks below */
  uint32_t user_hz; /* units of processor time per second */
  uint32_t pid, reserved;
  uint64_t interval_ns;
  uint64_t network_namespace; /* inode number; 0: unknown */
  int64_t time_namespace_ns;  /* as in struct pl_file_header */
  struct pl_clock_reading first;
  char boot_id[40]; /* same boot_id and time_namespace_ns: same clocks */
  char host[256];
};

struct pl_sample_record {
  uint16_t kind; /* enum pl_sample_kind. Never 0 */
  uint16_t series;
  uint32_t words; /* of payload */
  uint64_t payload[];
};

enum pl_sample_kind {
  PL_SAMPLE_SERIES = 1, /* [enum pl_sampled] then its name, zero-padded; numbers count from 0 */
  PL_SAMPLE_VALUES,     /* [ticks] then the values of its enum pl_sampled */
  PL_SAMPLE_CLOCK,      /* struct pl_clock_reading; [rounds so far] [ns of processor time that they took] */
  PL_SAMPLE_END,        /* nothing: the program ended before the sampler did */
};

/* Counters since the start of the node, but where it says "now". */
enum pl_sampled {
  PL_SAMPLED_NETWORK = 1, /* /proc/net/snmp, /proc/net/netstat: Tcp OutSegs, RetransSegs; TcpExt TCPTimeouts,
                             TCPLostRetransmit, TCPSynRetrans, ListenDrops, TCPBacklogDrop, TCPRcvQDrop; Udp InErrors,
                             RcvbufErrors, SndbufErrors; Ip InDiscards, OutDiscards */
  PL_SAMPLED_INTERFACE,   /* /proc/net/dev: received bytes, packets, errs, drop; transmitted likewise */
  PL_SAMPLED_DISK,        /* /proc/diskstats: reads, sectors read, writes, sectors written, ms with I/O in flight */
  PL_SAMPLED_PROCESSORS,  /* /proc/stat, all together: steal, in 1/user_hz s */
  PL_SAMPLED_RUN_DELAY,   /* /proc/schedstat, sum over the processors: ns that tasks waited for one */
  PL_SAMPLED_MEMORY,      /* /proc/meminfo, now: Dirty, Writeback, in KiB */
};

#endif
