#pragma once
// What cells of the storage families are called and carry: written by bench/ranks/storage, read by
// hwmodels/calibrate/storage. docs/models/measuring-storage.md.

#include <string>

namespace plumbline::bench::cells {

// Families.
inline const std::string kStorageCalls = "storage_calls", kStorageSeek = "storage_seek",
                         kStorageCache = "storage_cache", kStorageMetadata = "storage_metadata";

// Words. kCall is one of those below, or of the storage series in measurements.hpp.
inline const std::string kCall = "call", kDirectory = "directory", kMountPoint = "mount_point",
                         kFileSystem = "file_system", kServer = "server", kModel = "model";
inline const std::string kDevice = "device";  // how a call reaches it:
inline const std::string kDirect = "direct",  // O_DIRECT
    kSynced = "synced",                       // O_DSYNC
    kDropped = "dropped";                     // read from pages that were dropped before
inline const std::string kMedium = "medium";  // what the kernel takes the device for:
inline const std::string kRotating = "rotating", kSolid = "solid", kMemory = "memory", kNoBlockDevice = "none";
inline const std::string kStripesBy = "stripes_by";  // who told: kLustre, kBeegfs, kGluster
inline const std::string kLustre = "lustre", kBeegfs = "beegfs", kGluster = "glusterfs";
inline const std::string kWhere = "where", kOwn = "own", kShared = "shared";  // whose directory
inline const std::string kNode = "node";                                      // host that a seek or cache cell is of

// Calls, beside kCachedWrite and its like, and kClose.
inline const std::string kOpenExisting = "open", kCreate = "create", kStat = "stat", kUnlink = "unlink";
inline const std::string kFillWrite = "fill-write",  // one chunk after another of a growing file: in this order
    kFillSync = "fill-sync",                         // the sync behind them
    kReadAgain = "read-again", kReadDropped = "read-dropped";

// Numbers.
inline const std::string kClients = "clients", kServers = "servers", kStripe = "stripe", kStripeCount = "stripe_count",
                         kBlock = "block", kQueue = "queue_requests";
// Farthest from where the last access ended, bytes; least is half of it. 0: where it ended.
inline const std::string kDistance = "distance";
inline const std::string kThreads = "threads", kAccesses = "accesses";  // of one repetition, of all threads together
inline const std::string kDirtyBefore = "dirty_before", kResident = "resident";
inline const std::string kMemoryAvailable = "memory_available", kToldLimit = "told_dirty_limit",
                         kToldBackground = "told_dirty_background";

}  // namespace plumbline::bench::cells
