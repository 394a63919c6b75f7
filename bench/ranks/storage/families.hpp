#pragma once
// Families that measure storage. What they measure and why so: docs/measuring.md, "What storage is measured by".

#include <span>

#include "bench/ranks/family.hpp"

namespace plumbline::bench {

extern const Family kStorageCallsFamily, kStorageSeekFamily, kStorageCacheFamily, kStorageMetadataFamily;

// All of the above, for bench/ranks/families.cpp.
std::span<const Family* const> storage_families();

}  // namespace plumbline::bench
