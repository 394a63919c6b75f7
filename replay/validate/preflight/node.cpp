#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "replay/validate/preflight/parts.hpp"

namespace plumbline::replay::validate {
namespace {

// Open MPI 4.1 makes a segment of 4 MiB for each rank (btl_vader_segment_size); MPICH 4.0 on UCX was seen to take 4.2
// MB for each of 2 and of 4 ranks. Twice that, as programs have windows in shared memory too.
constexpr std::uint64_t kSharedMemoryOfRank = 8U << 20;
constexpr std::uint64_t kSessionOfRank = 1U << 20;  // a fifth of it was seen

std::string mebibytes(std::uint64_t bytes) { return fmt::format("{:.4g}", static_cast<double>(bytes) / (1 << 20)); }

bool is_on_the_network(std::string_view type) {
  constexpr std::string_view kTypes[] = {"nfs",          "nfs4",           "lustre",   "gpfs",    "beegfs",
                                         "ceph",         "cifs",           "smb3",     "afs",     "glusterfs",
                                         "fuse.gluster", "fuse.glusterfs", "orangefs", "pvfs2",   "9p",
                                         "fuse.sshfs",   "panfs",          "wekafs",   "virtiofs"};
  return std::ranges::find(kTypes, type) != std::end(kTypes);
}

void judge_room(const NodeRanks& node, Judgement& into) {
  const node::RankIdentity& first = *node.ranks.front();
  const std::uint64_t needed = kSharedMemoryOfRank * node.ranks.size();
  if (first.shm_bytes != 0 && first.shm_free_bytes >= needed) return;
  Diagnosis& diagnosis = add_finding(
      into, "node.shm.size",
      first.shm_bytes == 0 ? fmt::format("{} has no /dev/shm", node.host)
                           : fmt::format("/dev/shm of {} has {} MiB free; {} ranks need up to {} MiB", node.host,
                                         mebibytes(first.shm_free_bytes), node.ranks.size(), mebibytes(needed)),
      "/dev/shm", {node.host},
      {{"size", mebibytes(first.shm_bytes), "MiB"}, {"free", mebibytes(first.shm_free_bytes), "MiB"}});
  diagnosis.remedy.lines = {"mount -o remount,size=50% /dev/shm", "docker run --shm-size=SIZE"};
}

void judge_one_for_all(const NodeRanks& node, Judgement& into) {
  std::set<std::uint64_t> devices;
  std::vector<Datum> rows;
  for (const node::RankIdentity* rank : node.ranks)
    if (devices.insert(rank->shm_device).second)
      rows.push_back({fmt::format("device that rank {} sees", rank->world_rank), std::to_string(rank->shm_device), ""});
  if (devices.size() < 2) return;
  add_finding(
      into, "node.shm.size",
      fmt::format("Ranks on {} see {} different /dev/shm, and share no memory by it", node.host, devices.size()),
      "/dev/shm", {node.host}, rows)
      .remedy.lines = {"docker run --ipc=host"};
}

}  // namespace

void judge_shared_memory(const PreFlightInput& input, Judgement& into) {
  for (const NodeRanks& node : by_node(input.ranks)) {
    if (node.ranks.size() < 2) continue;  // it has nobody to share with
    judge_room(node, into);
    judge_one_for_all(node, into);
  }
}

void judge_session(const PreFlightInput& input, Judgement& into) {
  std::vector<std::string> slow;
  std::vector<Datum> rows;
  for (const NodeRanks& node : by_node(input.ranks)) {
    const node::RankIdentity& first = *node.ranks.front();
    if (first.session_directory.empty()) continue;
    const bool full = first.session_bytes != 0 && first.session_free_bytes < kSessionOfRank * node.ranks.size();
    if (full || !first.session_writable) {
      Diagnosis& diagnosis =
          add_finding(into, "node.session.filesystem",
                      fmt::format("The session directory {} on {} {}", first.session_directory, node.host,
                                  full ? "is on a file system that is full" : "cannot be written"),
                      first.session_directory, {node.host},
                      {{"free", mebibytes(first.session_free_bytes), "MiB"}, {"file system", first.session_type, ""}});
      diagnosis.fatal = true;
      diagnosis.remedy.lines = {"export TMPDIR=/tmp"};
      diagnosis.remedy.openmpi = {"OMPI_MCA_orte_tmpdir_base=/tmp"};
    } else if (is_on_the_network(first.session_type)) {
      slow.push_back(node.host);
      rows.push_back({node.host + ": " + first.session_directory, first.session_type, ""});
    }
  }
  if (!slow.empty())
    into.observations.push_back({"node.session.filesystem",
                                 "The library keeps its session on a file system of the network",
                                 input.ranks.front().session_directory, slow, rows});
}

}  // namespace plumbline::replay::validate
