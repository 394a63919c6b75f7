#pragma once
// Datatypes of a traced process, taken apart into layouts.

#include <cstdint>
#include <map>
#include <vector>

#include "tracer/archive/layout/layout.hpp"
#include "tracer/spool/format/payload.hpp"

namespace plumbline::record {

class Datatypes {
 public:
  // Payload of a PL_DEF_DATATYPE record.
  void define(spool::Words payload);

  // What the type selects. Opaque where it cannot be taken apart; nothing when it was never defined.
  const archive::Layout* layout(std::uint32_t type);

 private:
  struct Definition {
    std::uint32_t combiner = 0;
    std::uint64_t size = 0;
    std::int64_t lower_bound = 0, extent = 0;
    std::vector<std::int64_t> integers, addresses;
    std::vector<std::uint32_t> types;
  };

  archive::Layout flatten(const Definition& definition, int depth);
  const archive::Layout* layout(std::uint32_t type, int depth);

  std::map<std::uint32_t, Definition> definitions_;
  std::map<std::uint32_t, archive::Layout> layouts_;
};

}  // namespace plumbline::record
