#pragma once
// Families that measure storage. What they measure and why so: docs/operations-measured.md, "What storage is measured by".

#include "bench/ranks/family.hpp"

namespace plumbline::bench {

extern const Family kStorageCallsFamily, kStorageSeekFamily, kStorageCacheFamily, kStorageMetadataFamily;

}  // namespace plumbline::bench
