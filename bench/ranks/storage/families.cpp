#include "bench/ranks/storage/families.hpp"

#include <array>

#include "bench/ranks/runtime/catalogue.hpp"

namespace plumbline::bench {

std::span<const Family> storage_families() {
  static const std::array<Family, 4> all = {kStorageCallsFamily, kStorageSeekFamily, kStorageCacheFamily,
                                            kStorageMetadataFamily};
  return all;
}

}  // namespace plumbline::bench
