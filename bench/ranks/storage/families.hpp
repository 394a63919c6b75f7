#pragma once
// Families that measure storage. What they measure and why so: docs/models/measuring-storage.md.

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

extern const Family kStorageCallsFamily, kStorageSeekFamily, kStorageCacheFamily, kStorageMetadataFamily;

}  // namespace plumbline::bench
