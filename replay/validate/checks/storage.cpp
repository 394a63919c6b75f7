#include "replay/validate/checks/tables.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr Check kStorageChecks[]{
    {.id = "disk.write-cache-off",
     .stage = Stage::kWitness,
     .title = "Disks use their write cache as the site means it",
     .looks_at = "queue/write_cache of the disks below the directories that are measured.",
     .judged =
         "An observation where disks of one kind differ, or all write through. A diagnosis where the server or node "
         "is slower in writing.",
     .repair = "Turn the cache on where the disk or controller keeps it through a loss of power; else leave it.",
     .lines = "hdparm -W1 /dev/DISK"},
    {.id = "disk.array-degraded",
     .stage = Stage::kWitness,
     .title = "No array is degraded or being rebuilt",
     .looks_at = "/proc/mdstat, before and after.",
     .judged = "An observation where a member is missing, or a rebuild or check runs. A diagnosis where the storage is "
               "slower than its peers or the baseline.",
     .repair = "Replace the disk; let the rebuild end and validate again.",
     .lines = "mdadm --detail /dev/ARRAY"},
    {.id = "fs.nfs-options",
     .stage = Stage::kWitness,
     .title = "NFS is mounted for speed",
     .looks_at = "sync, noac, actimeo, rsize, wsize and nconnect of NFS mounts, and round trips and retransmissions in "
                 "/proc/self/mountstats.",
     .judged =
         "An observation where a mount is sync or noac, or transfers less than 1 MiB at a time. A diagnosis as of "
         "fs.mount-options where it is sync or noac, either of which makes writes wait for the server.",
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
     .judged = "An observation beyond 90 %. A diagnosis where writing there is slower than its peers or the baseline; "
               "what cannot be written at all could not run.",
     .repair = "Remove data, or move it to a file system with room."},
};

}  // namespace

std::span<const Check> storage_checks() { return kStorageChecks; }

}  // namespace plumbline::replay::validate
