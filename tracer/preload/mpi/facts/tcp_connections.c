/* What the kernel knows of this process's TCP connections that are open when MPI_Finalize is called, by the address of
 * the other end: segments sent, of these sent again, the shortest round trip (TCP_INFO, tcp(7)). Of many ends those to
 * which most was sent again are told. Connections that were closed before are not counted. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/mpi/facts/run_facts.h"

enum { kMostPeers = 1024, kMostTold = 64, kAddress = 16 };

/* Of struct tcp_info in linux/tcp.h, whose older versions end earlier: where fields of 4 bytes begin. */
enum { kTotalRetrans = 100, kSegsOut = 136, kMinRtt = 148, kInfoBytes = 152 };

struct peer {
  unsigned char from[kAddress], to[kAddress]; /* of IPv6; IPv4 is mapped into it */
  uint64_t connections, segments, again;
  uint32_t min_rtt_us; /* UINT32_MAX: not known */
};

struct peers {
  struct peer all, each[kMostPeers];
  unsigned count;
  int has_segments; /* the kernel counts them: Linux 4.2 */
};

static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff}; /* how an address of IPv4 begins in one of IPv6 */

/* Of this end (SYS_getsockname) or the other (SYS_getpeername); 1 where it is an address of IP. */
static int address_of(long number, int fd, unsigned char* to) {
  union {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
  } address;
  socklen_t length = sizeof address;
  memset(&address, 0, sizeof address);
  if (pl_sys_socket_name(number, fd, &address, &length) != 0) return 0;
  if (address.any.sa_family == AF_INET6) memcpy(to, &address.six.sin6_addr, kAddress);
  if (address.any.sa_family == AF_INET) {
    memcpy(to, mapped, sizeof mapped);
    memcpy(to + sizeof mapped, &address.four.sin_addr, 4);
  }
  return address.any.sa_family == AF_INET || address.any.sa_family == AF_INET6;
}

static struct peer* peer_of(struct peers* peers, const struct peer* wanted) {
  for (unsigned i = 0; i < peers->count; ++i)
    if (memcmp(&peers->each[i], wanted, 2 * kAddress) == 0) return &peers->each[i];
  if (peers->count == kMostPeers) return NULL;
  struct peer* added = &peers->each[peers->count++];
  memcpy(added, wanted, 2 * kAddress);
  added->min_rtt_us = UINT32_MAX;
  return added;
}

static void add(struct peer* to, const struct peer* one) {
  to->connections += one->connections;
  to->segments += one->segments;
  to->again += one->again;
  if (one->min_rtt_us < to->min_rtt_us) to->min_rtt_us = one->min_rtt_us;
}

static uint32_t field(const unsigned char* info, unsigned at) {
  uint32_t value;
  memcpy(&value, info + at, sizeof value);
  return value;
}

static void add_connection(struct peers* peers, int fd) {
  unsigned char info[kInfoBytes];
  socklen_t length = sizeof info;
  struct peer one = {.connections = 1, .min_rtt_us = UINT32_MAX};
  memset(info, 0, sizeof info);
  if (pl_sys_getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &length) != 0) return; /* no socket of TCP */
  if (length < kTotalRetrans + 4 || info[0] == TCP_LISTEN || info[0] == TCP_CLOSE) return;
  if (!address_of(SYS_getsockname, fd, one.from) || !address_of(SYS_getpeername, fd, one.to)) return;
  one.again = field(info, kTotalRetrans);
  if (length >= kSegsOut + 4) {
    one.segments = field(info, kSegsOut);
    peers->has_segments = 1;
  }
  if (length >= kMinRtt + 4) one.min_rtt_us = field(info, kMinRtt);
  add(&peers->all, &one);
  struct peer* known = peer_of(peers, &one);
  if (known != NULL) add(known, &one);
}

/* struct linux_dirent64: 8 bytes of inode, 8 of offset, 2 of length, 1 of type, the name. */
static void add_connections(struct peers* peers) {
  char entries[4096];
  long directory = pl_sys_open("/proc/self/fd", O_RDONLY | O_DIRECTORY, 0);
  if (directory < 0) return;
  for (long n; (n = pl_sys_getdents((int)directory, entries, sizeof entries)) > 0;)
    for (long at = 0; at < n;) {
      uint16_t length;
      memcpy(&length, entries + at + 16, sizeof length);
      const char* name = entries + at + 19;
      if (*name >= '0' && *name <= '9') add_connection(peers, atoi(name));
      at += length;
    }
  pl_sys_close((int)directory);
}

/* ---- Text */

static char* put_address(char* at, char* limit, const unsigned char* address) {
  const int is_four = memcmp(address, mapped, sizeof mapped) == 0;
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(is_four ? AF_INET : AF_INET6, is_four ? address + sizeof mapped : address, text, sizeof text);
  return pl_put_text(at, limit, text);
}

static char* put_count(char* at, char* limit, const char* name, uint64_t value) {
  return pl_put_number(pl_put_text(at, limit, name), limit, (int64_t)value);
}

static char* put_counts(char* at, char* limit, const struct peers* peers, const struct peer* one) {
  at = put_count(at, limit, "connections=", one->connections);
  if (peers->has_segments) at = put_count(at, limit, " segments=", one->segments);
  at = put_count(at, limit, " again=", one->again);
  return one->min_rtt_us == UINT32_MAX ? at : put_count(at, limit, " min_rtt_us=", one->min_rtt_us);
}

static void define_peer(struct pl_thread* t, const struct peers* peers, const struct peer* one, unsigned number) {
  char key[32], text[2 * INET6_ADDRSTRLEN + 128], *limit = text + sizeof text;
  put_count(key, key + sizeof key, "tcp.peer.", number);
  char* at = put_address(pl_put_text(text, limit, "from="), limit, one->from);
  at = put_address(pl_put_text(at, limit, " to="), limit, one->to);
  put_counts(pl_put_text(at, limit, " "), limit, peers, one);
  pl_define_meta(t, key, text);
}

/* Puts the one with most segments sent again of those from `first` on there. */
static void bring_worst(struct peers* peers, unsigned first) {
  unsigned worst = first;
  for (unsigned i = first; i < peers->count; ++i)
    if (peers->each[i].again > peers->each[worst].again) worst = i;
  const struct peer swapped = peers->each[first];
  peers->each[first] = peers->each[worst];
  peers->each[worst] = swapped;
}

static void define_all(struct pl_thread* t, struct peers* peers) {
  char text[128];
  put_counts(text, text + sizeof text, peers, &peers->all);
  pl_define_meta(t, "tcp", text);
  for (unsigned i = 0; i < peers->count && i < kMostTold; ++i) {
    bring_worst(peers, i);
    define_peer(t, peers, &peers->each[i], i);
  }
}

void pl_define_tcp_connections(struct pl_thread* t) {
  struct peers* peers = pl_map(sizeof *peers);
  if (peers == NULL) return;
  peers->all.min_rtt_us = UINT32_MAX;
  add_connections(peers);
  if (peers->all.connections > 0) define_all(t, peers);
  pl_unmap(peers, sizeof *peers);
}
