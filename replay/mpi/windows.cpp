#include "replay/mpi/windows.hpp"

#include <algorithm>
#include <utility>

namespace plumbline::replay::mpi {

Windows::Windows(const Program& program, const hw::Platform& platform, Communicators& comms, Engine& engine)
    : program_(program), comms_(comms), engine_(engine), states_(program.windows().size()), calls_(program.ranks()) {
  const hw::Transports transports(platform);
  const std::string_view library = program.property("library");
  std::vector<bool> has_window(program.ranks(), false);
  std::vector<std::uint32_t> nodes;
  for (const Window& window : program.windows()) {
    nodes.clear();
    for (const std::uint32_t member : program.comm(window.comm).members) {
      nodes.push_back(engine.node(member));
      has_window[member] = true;
    }
    ways_.push_back(way_of(library, program.property("mca:osc"), nodes, transports));
  }
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    if (has_window[rank]) ++engine.rank(rank).reactive;
}

std::uint32_t Windows::own(std::uint32_t rank, std::uint32_t window) const {
  return comms_.membership(rank, program_.windows()[window].comm).rank;
}

bool Windows::same_node(std::uint32_t window, std::uint32_t a, std::uint32_t b) const {
  return engine_.node(world(window, a)) == engine_.node(world(window, b));
}

Windows::Side& Windows::side(std::uint32_t window, std::uint32_t rank) {
  std::vector<Side>& sides = states_[window].sides;
  if (sides.empty()) sides.resize(size(window));
  return sides[rank];
}

Windows::Peer& Windows::peer_of(Side& side, std::uint32_t rank) {
  const auto found = std::ranges::lower_bound(side.peers, rank, {}, &Peer::rank);
  if (found != side.peers.end() && found->rank == rank) return *found;
  return *side.peers.insert(found, Peer{.rank = rank});
}

const Windows::Peer* Windows::find_peer(const Side& side, std::uint32_t rank) {
  const auto found = std::ranges::lower_bound(side.peers, rank, {}, &Peer::rank);
  return found != side.peers.end() && found->rank == rank ? &*found : nullptr;
}

Windows::Steps Windows::steps_of(const Operation& op, std::uint32_t own) const {
  using enum Step;
  const bool by_memory = way(op.comm) == WindowWay::kMemory, queued = way(op.comm) == WindowWay::kQueued;
  const bool checked = !(op.flags & kWinNoCheck);
  switch (op.kind) {
    case OpKind::kWinCreate:
    case OpKind::kWinFree:
      return {kTransferred, kBarrier, kCollected};
    case OpKind::kWinFence:
      if (queued) return {kTransferred, kCounts, kCollected, kArrived, kBarrier, kCollected};
      return {kTransferred, kBarrier, kCollected};
    case OpKind::kWinPost:
      return {kTellPosted};
    case OpKind::kWinStart:
      return {kBeginAccess, queued ? kOver : kPosted};
    case OpKind::kWinComplete:
      if (queued) return {kPosted, kTellCompleted, kTransferred};
      return {kTransferred, kTellCompleted, kAnswered};
    case OpKind::kWinWait:
      return {kCompleted};
    case OpKind::kWinLock:
      if (queued) return {kNothingAsked, kAsk, op.peer == static_cast<std::int32_t>(own) ? kGranted : kOver};
      if (by_memory && checked && (op.flags & kWinExclusive)) return {kAskLeader, kAnswered, kAsk, kGranted};
      return {kAsk, kGranted};
    case OpKind::kWinUnlock:
      if (queued) return {kGranted, kRelease, kAnswered, kTransferred};
      return {kTransferred, kRelease, kAnswered};
    case OpKind::kWinFlush:
      if (queued) return {kGranted, kFlush, kAnswered, kTransferred};
      return {kTransferred};
    case OpKind::kRmaPut:
    case OpKind::kRmaGet:
    case OpKind::kRmaAccumulate:
    case OpKind::kRmaFetch:
      return {kThisTransferred};
    default:
      return {};
  }
}

void Windows::call(std::uint32_t rank, const Operation& op) {
  Call& call = calls_[rank];
  call = {};
  call.op = &op;
  ++engine_.rank(rank).pending;
  call.steps = steps_of(op, own(rank, op.comm));
  call.advancing = true;  // what is over at once settles nothing yet
  if (is_rma_transfer(op.kind)) issue(rank, op);
  call.advancing = false;
  advance(rank);
}

// Takes steps as long as nothing has to be waited for.
void Windows::advance(std::uint32_t rank) {
  Call& call = calls_[rank];
  if (call.advancing) return;
  call.advancing = true;
  while (call.step < call.steps.size() && call.steps[call.step] != Step::kOver &&
         passes(rank, call, call.steps[call.step]))
    ++call.step;
  call.advancing = false;
  if (call.step < call.steps.size() && call.steps[call.step] != Step::kOver) return;
  const Operation& op = *std::exchange(call.op, nullptr);
  if (op.kind == OpKind::kWinFree && ++states_[op.comm].freed == size(op.comm)) states_[op.comm].sides = {};
  engine_.one_less(rank);
}

// Whether a condition holds; actions are carried out.
bool Windows::passes(std::uint32_t rank, Call& call, Step step) {
  const Operation& op = *call.op;
  const std::uint32_t number = own(rank, op.comm);
  Side& own_side = side(op.comm, number);
  switch (step) {
    case Step::kTransferred: {
      if (op.peer == kNoPeer) return own_side.outstanding == 0;
      const Peer* peer = find_peer(own_side, static_cast<std::uint32_t>(op.peer));
      return peer == nullptr || peer->outstanding == 0;
    }
    case Step::kThisTransferred:
      return call.transfer == kNone;
    case Step::kPosted:
      return own_side.awaited_posts == 0;
    case Step::kCompleted:
      if (own_side.completes < own_side.posted.size()) return false;
      own_side.completes -= static_cast<std::uint32_t>(own_side.posted.size());
      for (const std::uint32_t origin : std::exchange(own_side.posted, {})) --peer_of(own_side, origin).completes;
      return true;
    case Step::kGranted:
      return is_granted(own_side, op);
    case Step::kNothingAsked:
      return own_side.asked == 0;
    case Step::kAnswered:
      return own_side.unanswered == 0;
    case Step::kCollected:
      return std::exchange(call.collected, false);
    case Step::kArrived:
      return own_side.carried_out == own_side.to_come;
    case Step::kBeginAccess:
      return begin_access(rank, op), true;
    case Step::kTellPosted:
      return tell_posted(rank, op), true;
    case Step::kTellCompleted:
      return tell_completed(op.comm, number), true;
    case Step::kAskLeader:
      ++own_side.unanswered;
      return tell({.what = What::kVisit, .window = op.comm, .from = number, .to = 0}, engine_.rank(rank).clock), true;
    case Step::kAsk:
      return ask(op.comm, number, op), true;
    case Step::kRelease:
      return release(op.comm, number, op), true;
    case Step::kFlush:
      return flush(op.comm, number, op), true;
    case Step::kCounts:
      return collective(rank, op.comm, Collective::kReduceScatter), true;
    case Step::kBarrier:
      return collective(rank, op.comm, Collective::kBarrier), true;
    case Step::kOver:
      break;
  }
  return true;
}

// Something has changed for a rank of a window: its call may go on.
void Windows::settle(std::uint32_t window, std::uint32_t own, Time at) {
  const std::uint32_t rank = world(window, own);
  const Call& call = calls_[rank];
  if (call.op == nullptr || call.op->comm != window || call.advancing) return;
  RankState& state = engine_.rank(rank);
  state.clock = std::max(state.clock, at);
  advance(rank);
}

void Windows::begin_access(std::uint32_t rank, const Operation& op) {
  Side& own_side = side(op.comm, own(rank, op.comm));
  own_side.started = program_.rank(rank).group_of(op);
  own_side.awaited_posts = 0;
  for (Peer& peer : own_side.peers) peer.awaited = false;
  if (op.flags & kWinNoCheck) return;
  for (const std::uint32_t target : own_side.started) {
    Peer& peer = peer_of(own_side, target);
    if (peer.posts > 0) {
      --peer.posts;
    } else if (!std::exchange(peer.awaited, true)) {
      ++own_side.awaited_posts;
    }
  }
}

void Windows::tell_posted(std::uint32_t rank, const Operation& op) {
  const std::uint32_t number = own(rank, op.comm);
  side(op.comm, number).posted = program_.rank(rank).group_of(op);
  if (op.flags & kWinNoCheck) return;
  for (const std::uint32_t origin : side(op.comm, number).posted)
    tell({.what = What::kPost, .window = op.comm, .from = number, .to = origin}, engine_.rank(rank).clock);
}

void Windows::tell_completed(std::uint32_t window, std::uint32_t own) {
  const std::span<const std::uint32_t> started = std::exchange(side(window, own).started, {});
  for (const std::uint32_t target : started) {
    const bool answered =
        target != own && means_of_control(way(window), same_node(window, own, target)) == Means::kInterface;
    if (answered) ++side(window, own).unanswered;
    const std::uint64_t issued = peer_of(side(window, own), target).issued;
    tell({.what = What::kComplete, .window = window, .from = own, .to = target, .count = issued},
         engine_.rank(world(window, own)).clock);
  }
}

void Windows::post_came(std::uint32_t window, std::uint32_t own, std::uint32_t from) {
  Side& own_side = side(window, own);
  Peer& peer = peer_of(own_side, from);
  if (!peer.awaited) {
    ++peer.posts;
    return;
  }
  peer.awaited = false;
  if (--own_side.awaited_posts > 0) return;
  for (const std::uint32_t target : own_side.started) release_held(peer_of(own_side, target));
}

// Among all ranks of the window, in a space of its own: windows have communicators of their own in both libraries.
void Windows::collective(std::uint32_t rank, std::uint32_t window, Collective kind) {
  const std::uint32_t number = own(rank, window);
  Shape shape;
  shape.kind = kind;
  shape.size = size(window);
  shape.rank = number;
  constexpr std::uint64_t kCount = 4;  // bytes
  if (kind == Collective::kReduceScatter) {
    shape.sent = kCount * shape.size;
    shape.received = kCount;
  }
  const std::uint32_t request =
      request_for(rank, {.what = What::kCollected, .takes_cpu = true, .window = window, .from = number, .to = number});
  engine_.start(rank, shape, program_.comm(program_.windows()[window].comm), window, kWindowSpace,
                side(window, number).collectives++, request);
}

// A control message is there. Those without a CPU at `at`, the others at the clock of their rank.
void Windows::taken(std::uint32_t id, Time at) {
  const ControlMessage control = control_messages_[id];
  control_messages_[id].next_free = free_control_messages_;
  free_control_messages_ = id;
  if (control.what == What::kNothing) return;
  if (control.takes_cpu) at = engine_.rank(world(control.window, control.to)).clock;
  act(control, at);
}

// Whether it has overtaken a transfer that it comes after.
bool Windows::is_early(const ControlMessage& control) {
  if (way(control.window) != WindowWay::kQueued) return false;
  const bool counts = control.what == What::kComplete || control.what == What::kUnlock || control.what == What::kFlush;
  return counts && peer_of(side(control.window, control.to), control.from).carried_out < control.count;
}

void Windows::act_on_early(std::uint32_t window, std::uint32_t own, Time at) {
  for (std::size_t i = 0; i < side(window, own).early.size();) {
    const ControlMessage control = side(window, own).early[i];
    if (is_early(control)) {
      ++i;
      continue;
    }
    std::vector<ControlMessage>& early = side(window, own).early;
    early.erase(early.begin() + static_cast<std::ptrdiff_t>(i));
    act(control, at);
  }
}

void Windows::act(const ControlMessage& control, Time at) {
  if (is_early(control)) return side(control.window, control.to).early.push_back(control);
  switch (control.what) {
    case What::kThere:
      carry_out(control, at);
      break;
    case What::kBack:
    case What::kCopied:
      came_back(control.transfer, at);
      break;
    case What::kPost:
      post_came(control.window, control.to, control.from);
      break;
    case What::kComplete:
      ++side(control.window, control.to).completes;
      ++peer_of(side(control.window, control.to), control.from).completes;
      if (!control.takes_cpu && control.from != control.to && !same_node(control.window, control.from, control.to))
        answer(What::kAnswer, control, at);
      break;
    case What::kLockRequest:
      lock_requested(control, at);
      break;
    case What::kGrant:
      granted(control, at);
      break;
    case What::kUnlock:
      unlocked(control, at);
      break;
    case What::kFlush:
    case What::kVisit:
      answer(What::kAnswer, control, at);
      break;
    case What::kAnswer:
      --side(control.window, control.to).unanswered;
      break;
    case What::kCollected:
      calls_[world(control.window, control.to)].collected = true;
      break;
    case What::kNothing:
      return;
  }
  settle(control.window, control.to, at);
}

}  // namespace plumbline::replay::mpi
