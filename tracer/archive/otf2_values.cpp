#include "tracer/archive/otf2_values.hpp"

#include <array>
#include <utility>

namespace plumbline::archive {
namespace {

// Indexed by CollectiveOp. OTF2 has no "other": ALLOCATE, which no MPI call of ours uses, stands for it.
constexpr std::array<OTF2_CollectiveOp, 22> kOps = {OTF2_COLLECTIVE_OP_BARRIER,
                                                    OTF2_COLLECTIVE_OP_BCAST,
                                                    OTF2_COLLECTIVE_OP_GATHER,
                                                    OTF2_COLLECTIVE_OP_GATHERV,
                                                    OTF2_COLLECTIVE_OP_SCATTER,
                                                    OTF2_COLLECTIVE_OP_SCATTERV,
                                                    OTF2_COLLECTIVE_OP_ALLGATHER,
                                                    OTF2_COLLECTIVE_OP_ALLGATHERV,
                                                    OTF2_COLLECTIVE_OP_ALLTOALL,
                                                    OTF2_COLLECTIVE_OP_ALLTOALLV,
                                                    OTF2_COLLECTIVE_OP_ALLTOALLW,
                                                    OTF2_COLLECTIVE_OP_ALLREDUCE,
                                                    OTF2_COLLECTIVE_OP_REDUCE,
                                                    OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
                                                    OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
                                                    OTF2_COLLECTIVE_OP_SCAN,
                                                    OTF2_COLLECTIVE_OP_EXSCAN,
                                                    OTF2_COLLECTIVE_OP_CREATE_HANDLE,
                                                    OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
                                                    OTF2_COLLECTIVE_OP_ALLOCATE,
                                                    OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE,
                                                    OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE};

OTF2_RegionRole collective_role(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, OTF2_RegionRole>, 9> kRoles = {{
      {"arrier", OTF2_REGION_ROLE_BARRIER},
      {"cast", OTF2_REGION_ROLE_COLL_ONE2ALL},
      {"llgather", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"lltoall", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"llreduce", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"educe_scatter", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"catter", OTF2_REGION_ROLE_COLL_ONE2ALL},
      {"ather", OTF2_REGION_ROLE_COLL_ALL2ONE},
      {"educe", OTF2_REGION_ROLE_COLL_ALL2ONE},
  }};
  for (const auto& [part, role] : kRoles)
    if (name.find(part) != std::string_view::npos) return role;
  return OTF2_REGION_ROLE_COLL_OTHER;
}

}  // namespace

OTF2_CollectiveOp to_otf2(CollectiveOp op) { return kOps[static_cast<std::size_t>(op)]; }

CollectiveOp collective_from_otf2(OTF2_CollectiveOp op) {
  for (std::size_t i = 0; i < kOps.size(); ++i)
    if (kOps[i] == op) return static_cast<CollectiveOp>(i);
  return CollectiveOp::kOther;
}

OTF2_Type to_otf2(AttributeType type) {
  switch (type) {
    case AttributeType::kUint64:
      return OTF2_TYPE_UINT64;
    case AttributeType::kInt64:
      return OTF2_TYPE_INT64;
    case AttributeType::kDouble:
      return OTF2_TYPE_DOUBLE;
    case AttributeType::kString:
      return OTF2_TYPE_STRING;
  }
  return OTF2_TYPE_UINT64;
}

AttributeType attribute_type_from_otf2(OTF2_Type type) {
  switch (type) {
    case OTF2_TYPE_INT8:
    case OTF2_TYPE_INT16:
    case OTF2_TYPE_INT32:
    case OTF2_TYPE_INT64:
      return AttributeType::kInt64;
    case OTF2_TYPE_FLOAT:
    case OTF2_TYPE_DOUBLE:
      return AttributeType::kDouble;
    case OTF2_TYPE_STRING:
      return AttributeType::kString;
    default:
      return AttributeType::kUint64;  // unsigned numbers, and references to definitions by the number in the file
  }
}

OTF2_LocationType to_otf2(LocationType type) {
  switch (type) {
    case LocationType::kCpuThread:
      return OTF2_LOCATION_TYPE_CPU_THREAD;
    case LocationType::kMetric:
      return OTF2_LOCATION_TYPE_METRIC;
    case LocationType::kOther:
      break;
  }
  return OTF2_LOCATION_TYPE_UNKNOWN;
}

LocationType location_type_from_otf2(OTF2_LocationType type) {
  if (type == OTF2_LOCATION_TYPE_CPU_THREAD) return LocationType::kCpuThread;
  return type == OTF2_LOCATION_TYPE_METRIC ? LocationType::kMetric : LocationType::kOther;
}

bool value_from_otf2(OTF2_Type stored, const OTF2_AttributeValue& value, AttributeType type, AttributeValue& result) {
  if (stored == OTF2_TYPE_UINT64 && type == AttributeType::kUint64) {  // most of them
    result.u64 = value.uint64;
    return true;
  }
  if (attribute_type_from_otf2(stored) != type) return false;
  switch (stored) {
    case OTF2_TYPE_UINT8:
      result.u64 = value.uint8;
      break;
    case OTF2_TYPE_UINT16:
      result.u64 = value.uint16;
      break;
    case OTF2_TYPE_INT8:
      result.i64 = std::int64_t{value.int8};
      break;
    case OTF2_TYPE_INT16:
      result.i64 = value.int16;
      break;
    case OTF2_TYPE_INT32:
      result.i64 = value.int32;
      break;
    case OTF2_TYPE_INT64:
      result.i64 = value.int64;
      break;
    case OTF2_TYPE_FLOAT:
      result.f64 = value.float32;
      break;
    case OTF2_TYPE_DOUBLE:
      result.f64 = value.float64;
      break;
    case OTF2_TYPE_UINT64:
    case OTF2_TYPE_LOCATION:
      result.u64 = value.uint64;
      break;
    default:  // 32-bit numbers and references
      result.u64 = value.uint32;
      break;
  }
  return true;
}

OTF2_RegionRole to_otf2(Role role, std::string_view region_name) {
  switch (role) {
    case Role::kFunction:
      return OTF2_REGION_ROLE_FUNCTION;
    case Role::kPointToPoint:
      return OTF2_REGION_ROLE_POINT2POINT;
    case Role::kCollective:
      return collective_role(region_name);
    case Role::kFileIo:
      return OTF2_REGION_ROLE_FILE_IO;
    case Role::kFileIoMetadata:
      return OTF2_REGION_ROLE_FILE_IO_METADATA;
    case Role::kOneSided:
      return OTF2_REGION_ROLE_RMA;
    case Role::kOther:
      break;
  }
  return OTF2_REGION_ROLE_UNKNOWN;
}

Role role_from_otf2(OTF2_RegionRole role) {
  switch (role) {
    case OTF2_REGION_ROLE_FUNCTION:
      return Role::kFunction;
    case OTF2_REGION_ROLE_POINT2POINT:
      return Role::kPointToPoint;
    case OTF2_REGION_ROLE_BARRIER:
    case OTF2_REGION_ROLE_COLL_ONE2ALL:
    case OTF2_REGION_ROLE_COLL_ALL2ONE:
    case OTF2_REGION_ROLE_COLL_ALL2ALL:
    case OTF2_REGION_ROLE_COLL_OTHER:
      return Role::kCollective;
    case OTF2_REGION_ROLE_FILE_IO:
      return Role::kFileIo;
    case OTF2_REGION_ROLE_FILE_IO_METADATA:
      return Role::kFileIoMetadata;
    case OTF2_REGION_ROLE_RMA:
      return Role::kOneSided;
    default:
      return Role::kOther;
  }
}

OTF2_Paradigm to_otf2(Paradigm paradigm) {
  switch (paradigm) {
    case Paradigm::kUser:
      return OTF2_PARADIGM_USER;
    case Paradigm::kMpi:
      return OTF2_PARADIGM_MPI;
    case Paradigm::kPosixIo:
      return OTF2_PARADIGM_UNKNOWN;  // OTF2 has none for I/O; the role says that it is
    case Paradigm::kOther:
      break;
  }
  return OTF2_PARADIGM_NONE;
}

Paradigm paradigm_from_otf2(OTF2_Paradigm paradigm, Role role) {
  if (paradigm == OTF2_PARADIGM_MPI) return Paradigm::kMpi;
  if (paradigm == OTF2_PARADIGM_USER || paradigm == OTF2_PARADIGM_COMPILER) return Paradigm::kUser;
  const bool is_io = role == Role::kFileIo || role == Role::kFileIoMetadata;
  return is_io && paradigm == OTF2_PARADIGM_UNKNOWN ? Paradigm::kPosixIo : Paradigm::kOther;
}

}  // namespace plumbline::archive
