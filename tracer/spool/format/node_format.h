/* Copies of files of /proc and /sys that the tracer makes of a node: HOST.PID.node beside the spool of the process that
 * made them, one of each node. In C, for the tracer.
 *
 * The file is a row of readings, one from the beginning of the run and one from its end. A reading is a row of entries,
 * each a line, and where the line names bytes, so many of them and a newline:
 *
 *   reading WHEN REALTIME_NS       "begin" or "end"; the first entry
 *   file BYTES PATH                the content follows
 *   link BYTES PATH                what the symbolic link says follows
 *   names BYTES PATH               of a directory; the names in it follow, each with a newline
 *   none ERRNO PATH                it is there and cannot be read
 *   long 0 PATH                    it is longer than a copy may be
 *   done STOPPED NS                enum pl_node_stop, how long it took; the last entry
 *
 * Numbers are decimal, of bytes with leading zeros. A reading without its last entry was broken off: by the death of
 * the process, or by a full disk. */
#ifndef PLUMBLINE_TRACER_SPOOL_NODE_FORMAT_H
#define PLUMBLINE_TRACER_SPOOL_NODE_FORMAT_H

#define PL_NODE_SUFFIX ".node"

enum pl_node_stop { PL_NODE_ALL = 0, PL_NODE_OUT_OF_TIME = 1, PL_NODE_OUT_OF_ROOM = 2 };

enum {
  PL_NODE_MOST_FILE = 64 * 1024,     /* bytes of a file; of a longer one there is no copy */
  PL_NODE_MOST = 1024 * 1024,        /* bytes of a reading */
  PL_NODE_MOST_NS = 20 * 1000 * 1000 /* no file is begun after that */
};

#endif
