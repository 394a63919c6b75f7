#include "replay/engine/run/use.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "hwmodels/storage/record_use.hpp"

namespace plumbline::replay::engine {
namespace {

void sample_network(Run& run) {
  hw::UseHistory& history = *run.result.use.history;
  history.sample_changed(run.engine.packet_network()->network.uses(history.next()));
}

void record_servers(Run& run, Duration step) {
  std::vector<std::string> files;
  for (std::uint32_t file = 0; file < run.program.files(); ++file) files.emplace_back(run.program.file(file));
  hw::storage::begin_record(run.platform.servers, files, run.first_begin, step, run.result.use.storage);
  if (run.options.device_operations > 0) run.distributed->log_accesses(run.options.device_operations);
}

}  // namespace

void record_use(Run& run) {
  constexpr std::int64_t kStepsOfObserved = 1 << 20;
  const std::span<const hw::Component> components = run.engine.port.busy_components();
  if (components.empty()) return;
  Time end = run.first_begin;
  for (std::uint32_t rank = 0; rank < run.program.ranks(); ++rank)
    if (!run.program.rank(rank).times.empty()) end = std::max(end, run.program.rank(rank).times.back().end);
  const Duration step{std::max((end - run.first_begin).ps / kStepsOfObserved, std::int64_t{1})};
  for (const hw::Component& component : components) {
    run.result.use.names.push_back(component.name);
    run.result.use.kinds.emplace_back(component.kind);
  }
  run.result.use.history.emplace(components.size(), run.first_begin, step);
  if (run.distributed) record_servers(run, step);
  run.engine.packet_network()->watch(run.result.use.history->next(), [&run](Time now) {
    sample_use(run, now);
    return run.result.use.history->next();
  });
}

void sample_use(Run& run, Time now) {
  if (run.distributed) hw::storage::sample_use(run.distributed->servers(), now, run.result.use.storage);
  hw::UseHistory& history = *run.result.use.history;
  while (history.next() <= now) sample_network(run);
}

void end_use(Run& run) {
  if (run.distributed) hw::storage::end_record(run.distributed->servers(), run.queue.now(), run.result.use.storage);
  if (!run.result.use.history) return;
  const Time end = run.result.use.history->next();
  std::vector<hw::Notification> unheard;
  while (!run.queue.empty()) {
    const sim::Event event = run.queue.pop();
    if (event.at >= end) break;
    if (event.kind == sim::Event::kSignals) run.engine.packet_network()->network.handle(event, run.queue, unheard);
  }
  sample_network(run);
}

}  // namespace plumbline::replay::engine
