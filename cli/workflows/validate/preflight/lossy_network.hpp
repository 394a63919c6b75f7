#pragma once
// Segments that TCP lost while runs of the suite went on: between which nodes, and what it cost.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/workflows/validate/session/session.hpp"
#include "replay/validate/witness/lossy_pairs.hpp"
#include "tracer/archive/model.hpp"

namespace plumbline::cli::validate {

// What ranks of each node sent to those of others by TCP. A node that no rank names by its address is told by the
// address. Nothing where the kernel does not count segments.
std::vector<replay::validate::TcpTraffic> traffic_of(const archive::Definitions& definitions);

// What segments sent again cost a run at most, in seconds: 200 ms each (TCP_RTO_MIN of Linux, include/net/tcp.h: the
// time-out of what nothing follows), and no more than the run lost.
double cost_of_segments(double again, double lost_s);

// What one run tells.
struct RunLoss {
  const SuiteResult* run = nullptr;
  std::vector<replay::validate::TcpTraffic> traffic;  // by the sockets of ranks
  std::map<std::string, double> sent, again;          // segments, by node, file systems' too
  double lost_s = 0;                                  // of the run: what it took beyond what is expected
};
struct LossyNetwork {
  replay::validate::Diagnosis diagnosis;
  std::vector<const SuiteResult*> explained;  // the runs of which it may have cost half of what they lost, or more
};

// Of runs with one MPI: the node or pair that sockets name over all runs, and in most of those that lost anything, two
// at least, where it cost anything. One run alone may have lost what a burst of messages lost in a full buffer; and so
// may several that lost only what was sent to one node and nothing that it sent. A run in which all exchange most with
// that node says nothing of it.
std::optional<LossyNetwork> lossy_network(const std::vector<RunLoss>& runs);

// Whether time that segments cost may look like it: what was timed of links, files, ranks and calls, and not what is
// certain.
bool may_be_of_lost_segments(const replay::validate::Diagnosis& suspected);

// By MPI. A run whose archive cannot be read is left out: that is told where it is replayed.
std::vector<LossyNetwork> lossy_networks(const Session& session);

}  // namespace plumbline::cli::validate
