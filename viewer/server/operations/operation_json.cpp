#include <string_view>

#include "replay/program/program.hpp"
#include "viewer/index/runs/columns.hpp"
#include "viewer/index/runs/marks.hpp"
#include "viewer/index/runs/parts.hpp"
#include "viewer/server/endpoints.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::ordered_json;
using replay::Operation;
using replay::Program;

// Index into the program's communicators of what the operation works on; kNone: on none.
std::uint32_t comm_of(const Program& program, const replay::RankProgram& rank, const Operation& operation) {
  std::uint32_t comm = operation.comm;
  if (replay::is_io(operation.kind)) {
    const bool has_access = operation.extra < rank.accesses.size();
    comm = has_access ? rank.accesses[operation.extra].comm : replay::kNone;
  } else if (replay::is_one_sided(operation.kind)) {
    comm = comm < program.windows().size() ? program.windows()[comm].comm : replay::kNone;
  }
  return comm < program.comms() ? comm : replay::kNone;
}

// The rank in the world of the other end, or of the root; null: there is none.
Json peer_of(const Program& program, std::uint32_t rank, std::uint32_t comm, const Operation& operation) {
  if (operation.peer < 0 || comm == replay::kNone || replay::is_io(operation.kind)) return nullptr;
  const std::span<const std::uint32_t> peers = replay::peers_of(program.comm(comm), rank);
  const auto peer = static_cast<std::size_t>(operation.peer);
  return peer < peers.size() ? Json(peers[peer]) : Json(nullptr);
}

Json comm_size_of(const Program& program, std::uint32_t comm) {
  if (comm == replay::kNone) return nullptr;
  const replay::CommView view = program.comm(comm);
  return view.members.size() + view.remote_members.size();
}

Json file_of(const Program& program, const Operation& operation) {
  if (!replay::is_io(operation.kind) || operation.comm >= program.files()) return nullptr;
  return program.file(operation.comm);
}

void put_what(Json& json, const Program& program, std::uint32_t rank, std::uint32_t index) {
  const replay::RankProgram& part = program.rank(rank);
  const Operation& operation = part.operations[index];
  const std::uint32_t comm = comm_of(program, part, operation);
  json["rank"] = rank;
  json["operation"] = index;
  json["call"] = program.call(operation.call);
  json["kind"] = static_cast<unsigned>(kind_of(program, operation));
  json["site"] = program.site(operation.site);
  json["bytes"] = operation.bytes;
  json["peer"] = peer_of(program, rank, comm, operation);
  json["tag"] = replay::has_peer(operation.kind) ? Json(operation.tag) : Json(nullptr);
  json["comm_size"] = comm_size_of(program, comm);
  json["file"] = file_of(program, operation);
}

void put_parts(Json& json, const Runs& runs, std::uint32_t rank, std::uint32_t operation, const Parts& parts) {
  const auto put = [&json](const char* name, Duration duration) { json[name] = duration.ps; };
  put("begin_ps", parts.begin - span_of(runs.observed).begin);
  put("observed_ps", parts.observed);
  json["judged"] = parts.judged;
  Duration free_begin;
  if (runs.is_compared()) free_begin = runs.expected->ranks[rank].free[operation].begin - reference_zero(runs);
  put("free_begin_ps", free_begin);
  put("free_ps", parts.free);
  put("lower_ps", parts.lower);
  put("upper_ps", parts.upper);
  put("band_ps", parts.band);
  put("own_ps", parts.own);
  put("inherited_ps", parts.inherited);
  put("structure_ps", parts.structure);
  put("stack_ps", parts.stack);
  put("gained_ps", parts.gained);
}

}  // namespace

Json operation_json(const Runs& runs, std::uint32_t rank, std::uint32_t operation) {
  const Parts parts = parts_of(runs, rank, operation);
  Json json;
  put_what(json, runs.observed, rank, operation);
  put_parts(json, runs, rank, operation, parts);
  json["marks"] = marks_of(runs, {rank, operation});
  json["reason"] = parts.judged ? std::string_view() : why_not_judged(runs, rank, operation);
  return json;
}

}  // namespace plumbline::viewer
