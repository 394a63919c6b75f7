#include "replay/engine/run/collective_access.hpp"

#include <vector>

#include "replay/engine/run/file_accesses.hpp"
#include "replay/mpi/engine_calls.hpp"
#include "replay/mpi/engine_messages.hpp"
#include "replay/mpi/engine_requests.hpp"

namespace plumbline::replay::engine {

bool take_part(Run& run, std::uint32_t rank, const Operation& op) {
  const std::uint32_t comm = comm_of(run, rank, op);
  const mpi::Membership& member = run.comms.membership(rank, comm);
  std::uint32_t& number = run.files.calls[rank].collective;
  number = run.files.collective.number_of(comm, member.rank, run.cursors[rank].next);
  return number < run.files.collective.calls(comm);
}

std::vector<std::uint32_t> missing_ranks(const Run& run, std::uint32_t rank) {
  const std::uint32_t comm = comm_of(run, rank, run.program.rank(rank).operations[run.cursors[rank].next]);
  const auto members = run.program.comm(comm).members;
  std::vector<std::uint32_t> missing;
  for (std::uint32_t member = 0; member < members.size(); ++member)
    if (!run.files.collective.operation(comm, member, run.files.calls[rank].collective))
      missing.push_back(members[member]);
  return missing;
}

SharedAccess& shared_by(Run& run, std::uint32_t rank, const Operation& op) {
  return run.files.shared.of(comm_of(run, rank, op), run.files.calls[rank].collective);
}

void leave_shared(Run& run, std::uint32_t rank, const Operation& op) {
  const std::uint32_t comm = comm_of(run, rank, op);
  run.files.shared.leave(comm, run.files.calls[rank].collective, run.comms.size(comm));
}

void make_plan(Run& run, SharedAccess& shared, std::uint32_t rank, const Operation& op) {
  const std::uint32_t comm = comm_of(run, rank, op);
  const std::uint32_t number = run.files.calls[rank].collective;
  std::vector<io::Member> members;
  for (const std::uint32_t other : run.program.comm(comm).members)
    members.push_back({run.engine.node(other), other,
                       *run.files.collective.operation(comm, static_cast<std::uint32_t>(members.size()), number)});
  shared.plan = io::plan_collective(run.platform.file_systems[*run.coverage.file_system(op.comm)], access_of(op),
                                    io::parts_of(run.program, run.files.views, members));
}

void post_message(Run& run, std::uint32_t rank, std::uint32_t comm, std::uint32_t sequence, std::uint32_t peer,
                  std::uint64_t bytes, bool sends) {
  const std::uint32_t other = run.comms.world(comm, peer), space = mpi::kFileSpace | comm;
  const auto tag = static_cast<std::int32_t>(sequence);
  const std::uint32_t request = mpi::pooled_request(run.engine, rank);
  if (sends)
    mpi::send(run.engine, request, {other, rank, space, tag}, bytes, false);
  else
    mpi::receive(run.engine, request, {rank, other, space, tag}, bytes);
  run.posted.push_back(request);
}

void wait_for_posted(Run& run, std::uint32_t rank) {
  mpi::progress(run.engine, rank);
  mpi::wait(run.engine, run.posted);
  run.posted.clear();
}

void exchange_data(Run& run, std::uint32_t rank, const Operation& op) {
  const std::uint32_t comm = comm_of(run, rank, op);
  mpi::Membership& member = run.comms.membership(rank, comm);
  const io::CollectivePlan& plan = shared_by(run, rank, op).plan;
  const bool write = op.kind == OpKind::kIoWrite;
  const std::uint32_t sequence = member.file_collectives++;
  for (const io::Transfer& transfer : plan.of_aggregator(member.rank))
    post_message(run, rank, comm, sequence, transfer.rank, transfer.bytes, !write);
  for (const std::uint32_t index : plan.of_rank(member.rank))
    post_message(run, rank, comm, sequence, plan.transfers[index].aggregator, plan.transfers[index].bytes, write);
  leave_shared(run, rank, op);
  wait_for_posted(run, rank);
}

}  // namespace plumbline::replay::engine
