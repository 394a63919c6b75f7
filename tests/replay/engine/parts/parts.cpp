#include "tests/replay/engine/parts/parts.hpp"

#include "replay/mpi/engine_messages.hpp"
#include "tests/replay/engine/support.hpp"

namespace plumbline::replay::test {
namespace {

// Of no component: behind what else is due in the first round of its time.
constexpr std::uint32_t kAlarm = 0xffff'fff0;

std::vector<std::uint32_t> nodes_of(const Program& program) {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) nodes.push_back(program.rank(rank).node);
  return nodes;
}

}  // namespace

LoneEngine::LoneEngine(const std::string& text, const hw::Platform& on)
    : program(program_of(text)),
      platform(on),
      nodes(nodes_of(program)),
      engine(program, platform, nodes, false, noise, queue) {}

LoneWindows::LoneWindows(const std::string& text, const hw::Platform& on)
    : LoneEngine(text, on), comms(program), windows(program, platform, comms, engine) {
  engine.windows = &windows;
}

void handle_before(LoneEngine& lone, Time at) {
  lone.queue.push({.at = at, .component = kAlarm});
  while (true) {
    sim::Event event = lone.queue.pop();
    if (event.component == kAlarm) return;
    mpi::handle(lone.engine, event);
  }
}

void handle_all(LoneEngine& lone) {
  while (!lone.queue.empty()) {
    sim::Event event = lone.queue.pop();
    mpi::handle(lone.engine, event);
  }
}

}  // namespace plumbline::replay::test
