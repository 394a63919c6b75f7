#include "bench/ranks/storage/families.hpp"

#include <array>

namespace plumbline::bench {

std::span<const Family* const> storage_families() {
  static constexpr std::array<const Family*, 4> kAll = {&kStorageCallsFamily, &kStorageSeekFamily, &kStorageCacheFamily,
                                                        &kStorageMetadataFamily};
  return kAll;
}

}  // namespace plumbline::bench
