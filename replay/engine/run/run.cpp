#include "replay/engine/run/run.hpp"

#include <utility>

namespace plumbline::replay::engine {
namespace {

MessageKinds message_kinds(const Program& program, const InnerStreams* streams) {
  MessageKinds kinds;
  kinds.synchronous_sends = streams != nullptr && streams->has_synchronous();
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (const Operation& op : program.rank(rank).operations) {
      const bool sends = op.kind == OpKind::kSend || op.kind == OpKind::kIsend;
      kinds.synchronous_sends |= sends && (op.flags & kSynchronous);
      kinds.blocking_receives |= op.kind == OpKind::kRecv || op.kind == OpKind::kSendrecv;
      kinds.open_wildcards |= is_open_wildcard(op);
    }
  return kinds;
}

// An anchored replay has no noise: it would only shift what is compared at random.
mpi::Noise noise_of(const hw::Platform& platform, std::span<const std::uint32_t> nodes, const ReplayOptions& options,
                    Time origin) {
  return options.mode == Mode::kFree ? mpi::Noise(platform, nodes, options.seed, origin) : mpi::Noise();
}

hw::SamplingOptions sampling_of(const ReplayOptions& options) {
  constexpr double kMedian = 0.5;
  if (options.share || options.mode == Mode::kFree) return {options.share, options.seed};
  return {kMedian, options.seed};
}

std::unique_ptr<DistributedFiles> distributed_files(const Program& program, const hw::Platform& platform,
                                                    const ReplayOptions& options, const ModelCoverage& coverage,
                                                    std::span<const std::uint32_t> nodes, mpi::Engine& engine,
                                                    sim::EventQueue& queue) {
  if (!DistributedFiles::any(program, coverage)) return nullptr;
  return std::make_unique<DistributedFiles>(program, platform, coverage, nodes, engine.packet_network(),
                                            engine.components(), options.cache, options.choices.hints, queue);
}

// File servers hold their nodes.
hw::NetworkOptions network_options(const Program& program, const ReplayOptions& options,
                                   const ModelCoverage& coverage) {
  return {.express = options.express, .holds = DistributedFiles::any(program, coverage), .watched = options.record_use};
}

}  // namespace

Run::Run(const Program& of_program, const hw::Platform& on_platform, const ReplayOptions& as_asked,
         const InnerStreams* streams)
    : program(of_program),
      options(as_asked),
      coverage(program, on_platform, options.choices.library),
      open_receives(program),
      platform(on_platform),
      first_begin(begin_of(program)),
      nodes(place_ranks(program, platform)),
      noise(noise_of(platform, nodes, options, first_begin)),
      comms(program),
      kinds(message_kinds(program, streams)),
      engine(program, platform, nodes, kinds.synchronous_sends, noise, queue,
             network_options(program, options, coverage), sampling_of(options)),
      distributed(distributed_files(program, platform, options, coverage, nodes, engine, queue)),
      first_rank(engine.components() + (distributed ? distributed->components() : 0)),
      choice(program, platform, nodes, options),
      cursors(program.ranks()),
      unfinished(program.ranks()),
      computing{.cores = Cores(platform, nodes, first_rank + program.ranks(), queue),
                .scale = hw::PerNode<double>(platform.nodes,
                                             [&](const hw::Node& node) { return options.compute / node.speed; }),
                .shared_work = {},
                .computed = {}},
      files(program, platform, options, coverage),
      inner{.streams = streams, .ranks = {}} {
  if (computing.cores.any_shared()) computing.shared_work.resize(program.ranks());
  if (options.keep_times) result.times.reserve(program.ranks());
  if (!program.windows().empty()) {
    windows = std::make_unique<mpi::rma::Windows>(program, platform, comms, engine);
    engine.windows = windows.get();
  }
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankProgram& own = program.rank(rank);
    inner.has_posix = inner.has_posix || !own.inner_accesses.empty();
    if (options.keep_times) result.times.emplace_back(options.scratch).reserve(own.operations.size());
    if (options.keep_file_operations) result.file_operations.emplace_back();
    if (streams == nullptr) continue;
    inner.ranks.emplace_back().requests.assign(own.inner_slots, kNone);
    result.by_inner.emplace_back();
  }
}

void wake(Run& run, std::uint32_t rank, Time at) {
  Cursor& cursor = run.cursors[rank];
  PLUMBLINE_CHECK(!cursor.timed, "a rank waits for one point in time");
  cursor.timed = true;
  run.queue.push({at, run.first_rank + rank, kGoesOn, rank, cursor.next, 0, 0});
}

}  // namespace plumbline::replay::engine
