#include "bench/ranks/runtime/catalogue.hpp"

namespace plumbline::bench {
namespace {

std::vector<const Family*> all_families() {
  std::vector<const Family*> all;
  for (const std::span<const Family> part : {
           point_to_point_families(),
           burst_families(),
           collective_families(),
           nonblocking_families(),
           neighbourhood_families(),
           topology_families(),
           one_sided_families(),
           file_access_families(),
           metadata_families(),
           local_families(),
           network_families(),
           storage_families(),
           broadcast_scheme_families(),
       })
    for (const Family& family : part) all.push_back(&family);
  return all;
}

}  // namespace

std::span<const Family* const> families() {
  static const std::vector<const Family*> all = all_families();
  return all;
}

const Family* find_family(std::string_view name) {
  for (const Family* family : families())
    if (family->name == name) return family;
  return nullptr;
}

}  // namespace plumbline::bench
