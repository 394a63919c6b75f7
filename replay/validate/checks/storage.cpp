#include "replay/validate/checks/tables.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr Check kStorageChecks[]{
    {.id = "disk.write-cache-off",
     .stage = Stage::kWitness,
     .title = "Disks use their write cache as the site means it",
     .looks_at = "queue/write_cache of the disks of every node.",
     .judged = "An observation where a rotating disk writes through. It is never a finding by itself: nothing "
               "measures what it costs. Look at it where a finding names that node.",
     .repair = "Turn the cache on where the disk or controller keeps it through a loss of power; else leave it.",
     .lines = "hdparm -W1 /dev/DISK"},
    {.id = "disk.array-degraded",
     .stage = Stage::kWitness,
     .title = "No array is degraded or being rebuilt",
     .looks_at = "/proc/mdstat, in the pre-flight.",
     .judged = "An observation where a member is missing, or a rebuild or check runs. It is never a finding by "
               "itself: nothing measures what it costs. Look at it where a finding names that node.",
     .repair = "Replace the disk; let the rebuild end and validate again.",
     .lines = "mdadm --detail /dev/ARRAY"},
    {.id = "fs.nfs-options",
     .stage = Stage::kWitness,
     .title = "NFS is mounted for speed",
     .looks_at = "sync, noac, actimeo, rsize and wsize of NFS mounts, and round trips, retransmissions and "
                 "timeouts in /proc/self/mountstats.",
     .judged = "An observation where a mount is sync or noac, has actimeo=0, transfers less than 1 MiB at a "
               "time, or sent calls again. A diagnosis on the same condition as fs.mount-options where it is "
               "sync or noac, either of which makes writes wait for the server.",
     .repair = "Mount without sync and noac, unless ROMIO's locks over NFS need noac; transfer 1 MiB at a time.",
     .lines = "mount -o remount,async,ac,rsize=1048576,wsize=1048576,nconnect=4 DIRECTORY"},
    {.id = "fs.mount-options",
     .stage = Stage::kWitness,
     .title = "File systems are mounted so that writes need not wait",
     .looks_at = "sync and dirsync, and wsync of XFS, of the directories that are measured.",
     .judged =
         "An observation where a mount has one of them. A diagnosis where it is sync and the suite writes there: at "
         "most what writing, opening and closing files takes. The calibration is made on the same mount, so that "
         "nothing there is slower than expected.",
     .repair = "Take the options out of /etc/fstab, unless what is written must be on the device at once, and mount "
               "again: a remount does not take dirsync away.",
     .lines = "umount MOUNT_POINT && mount MOUNT_POINT"},
    {.id = "fs.full",
     .stage = Stage::kWitness,
     .title = "File systems have room",
     .looks_at = "Free blocks and inodes of the directories that are measured.",
     .judged = "An observation beyond 90 %. It is never a finding by itself; what cannot be written at all "
               "could not run.",
     .repair = "Remove data, or move it to a file system with room."},
};

}  // namespace

std::span<const Check> storage_checks() { return kStorageChecks; }

}  // namespace plumbline::replay::validate
