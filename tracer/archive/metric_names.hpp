#pragma once
// Names of the metrics of a node in observed archives. Those of an interface or a disk follow its name and a colon:
// "eth0: bytes received". Meaning: docs/reference/trace-format-nodes.md.

namespace plumbline::archive::names {

inline constexpr char kTcpSent[] = "TCP segments sent";
inline constexpr char kTcpRetransmitted[] = "TCP segments retransmitted";
inline constexpr char kTcpTimeouts[] = "TCP retransmission time-outs";
inline constexpr char kTcpLostRetransmits[] = "TCP retransmits lost";
inline constexpr char kTcpSynRetransmits[] = "TCP connection requests retransmitted";
inline constexpr char kTcpListenDrops[] = "TCP connection requests dropped";
inline constexpr char kTcpBacklogDrops[] = "TCP segments dropped, backlog full";
inline constexpr char kTcpReceiveDrops[] = "TCP segments dropped, receive buffer full";
inline constexpr char kUdpErrors[] = "UDP datagrams not delivered";
inline constexpr char kUdpReceiveDrops[] = "UDP datagrams dropped, receive buffer full";
inline constexpr char kUdpSendDrops[] = "UDP datagrams dropped, send buffer full";
inline constexpr char kIpReceiveDiscards[] = "IP packets received and discarded";
inline constexpr char kIpSendDiscards[] = "IP packets to send discarded";
inline constexpr char kBytesReceived[] = "bytes received";
inline constexpr char kPacketsReceived[] = "packets received";
inline constexpr char kReceiveErrors[] = "receive errors";
inline constexpr char kReceiveDrops[] = "received packets dropped";
inline constexpr char kBytesSent[] = "bytes sent";
inline constexpr char kPacketsSent[] = "packets sent";
inline constexpr char kSendErrors[] = "send errors";
inline constexpr char kSendDrops[] = "packets to send dropped";
inline constexpr char kDiskReads[] = "reads";
inline constexpr char kDiskBytesRead[] = "bytes read";
inline constexpr char kDiskWrites[] = "writes";
inline constexpr char kDiskBytesWritten[] = "bytes written";
inline constexpr char kDiskBusy[] = "time busy";
inline constexpr char kSteal[] = "processor time stolen";
inline constexpr char kNodeRunDelay[] = "time waited for a processor";
inline constexpr char kDirty[] = "page cache not yet written";
inline constexpr char kWriteback[] = "page cache being written";

// Of a component of the platform, in expected archives.
inline constexpr char kUseBusy[] = "time busy";
inline constexpr char kUseBytes[] = "bytes served";
inline constexpr char kUseWaiting[] = "packets waiting";

// Of a file server, its cache and its device there; also kUseBusy, kDiskBytesRead, kDiskBytesWritten.
inline constexpr char kServerHeld[] = "time interface held";
inline constexpr char kServerRequests[] = "requests";
inline constexpr char kServerWaiting[] = "requests waiting";
inline constexpr char kCacheUsed[] = "memory used";
inline constexpr char kCacheHits[] = "bytes hit";
inline constexpr char kCacheRefused[] = "packets refused";
inline constexpr char kCacheWaiting[] = "jobs waiting";
inline constexpr char kCacheParked[] = "packets parked";
inline constexpr char kDeviceAccesses[] = "accesses";
inline constexpr char kDeviceSeeks[] = "seeks";
inline constexpr char kDeviceWaiting[] = "accesses waiting";

}  // namespace plumbline::archive::names
