#pragma once
// Families that measure storage. What they measure and why so: docs/measuring.md, "What storage is measured by".

#include <span>

#include "bench/ranks/family.hpp"

namespace plumbline::bench {

extern const Family kStorageCallsFamily, kStorageSeekFamily, kStorageCacheFamily, kStorageMetadataFamily;

std::span<const Family> storage_families();  // all of the above

}  // namespace plumbline::bench
