// How busy links, switches, servers and disks are, sampled while a run goes on.

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "hwmodels/storage/record_use.hpp"
#include "replay/engine/run.hpp"

namespace plumbline::replay {

// The steps are short at first: a run may be much shorter than the one that was observed.
void Run::record_use() {
  constexpr std::int64_t kStepsOfObserved = 1 << 20;
  const std::span<const hw::Component> components = engine_.port().busy_components();
  if (components.empty()) return;
  Time end = first_begin_;
  for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
    if (!program_.rank(rank).times.empty()) end = std::max(end, program_.rank(rank).times.back().end);
  const Duration step{std::max((end - first_begin_).ps / kStepsOfObserved, std::int64_t{1})};
  for (const hw::Component& component : components) {
    result_.use.names.push_back(component.name);
    result_.use.kinds.emplace_back(component.kind);
  }
  result_.use.history.emplace(components.size(), first_begin_, step);
  if (distributed_) record_servers(step);
  engine_.packet_network()->watch(result_.use.history->next(), [this](Time now) {
    sample_use(now);
    return result_.use.history->next();
  });
}

void Run::record_servers(Duration step) {
  std::vector<std::string> files;
  for (std::uint32_t file = 0; file < program_.files(); ++file) files.emplace_back(program_.file(file));
  hw::storage::begin_record(platform_.servers, files, first_begin_, step, result_.use.storage);
  if (options_.device_operations > 0) distributed_->log_accesses(options_.device_operations);
}

// All that is due up to `now`, before anything that happens then.
void Run::sample_use(Time now) {
  if (distributed_) hw::storage::sample_use(distributed_->servers(), now, result_.use.storage);
  hw::UseHistory& history = *result_.use.history;
  while (history.next() <= now) sample_network();
}

void Run::sample_network() {
  hw::UseHistory& history = *result_.use.history;
  history.sample_changed(engine_.packet_network()->network.uses(history.next()));
}

// The last step, in which no rank does anything any more: what is still under way goes on.
void Run::end_use() {
  const Time end = result_.use.history->next();
  std::vector<hw::Notification> unheard;
  while (!queue_.empty()) {
    const sim::Event event = queue_.pop();
    if (event.at >= end) break;
    if (event.kind == sim::Event::kSignals) engine_.packet_network()->network.handle(event, queue_, unheard);
  }
  sample_network();
}

}  // namespace plumbline::replay
