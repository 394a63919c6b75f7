#include "tracer/record/decoders/call_attributes.hpp"

namespace plumbline::record {

void attach_comm(DecodingState& t, std::uint32_t id) {
  if (id == PL_COMM_NULL) return;
  if (const std::uint32_t comm = t.process.comm(id); comm != archive::kUndefined) t.out.attach(t.ids.comm, comm);
}

void attach_mpi_file(DecodingState& t, std::uint32_t file) {
  const auto fact = t.process.facts().mpi_files.find(file);
  if (fact == t.process.facts().mpi_files.end()) return;
  t.out.attach_text(t.ids.path, t.process.path(fact->second.path));
  if (fact->second.comm != 0) attach_comm(t, fact->second.comm);
}

void attach_offset(DecodingState& t, std::int64_t offset) {
  if (offset < 0) return;
  t.out.attach(t.ids.absolute_offset, static_cast<std::uint64_t>(offset));
  t.out.attach(t.ids.offset, static_cast<std::uint64_t>(offset));
}

void inner_call_attributes(DecodingState& t, const OpenCall& call) {
  if (const std::uint32_t comm = call.as<pl_inner_call_payload>().comm; comm != 0) attach_comm(t, comm);
}

}  // namespace plumbline::record
