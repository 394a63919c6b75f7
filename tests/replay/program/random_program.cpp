#include "random_program.hpp"

#include <array>
#include <random>
#include <vector>

#include "replay/program/request_slots.hpp"

namespace plumbline::replay {
namespace {

class Maker {
 public:
  Maker(std::uint64_t seed, const std::filesystem::path& file) : random_(seed), builder_(file) {}

  Program run() {
    ranks_ = 1 + below(4);
    std::vector<std::uint32_t> world;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) world.push_back(rank);
    builder_.comm(world);
    builder_.comm(std::vector<std::uint32_t>{ranks_ - 1});
    builder_.comm(std::vector<std::uint32_t>{0}, world);
    sizes_ = {ranks_, 1, ranks_};
    builder_.property("library", "a \"library\", 4.1\nsecond line");
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) make_rank(rank);
    return builder_.finish();
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  bool chance() { return below(2) == 0; }

  void make_rank(std::uint32_t rank) {
    builder_.begin_rank(builder_.node(rank % 2 == 0 ? "n 0" : "n1"), below(3));
    slots_ = inner_slots_ = {};
    inner_active_.clear();
    active_.clear();
    time_ = Time{static_cast<std::int64_t>(below(1000))};
    const std::uint32_t operations = below(60);
    for (std::uint32_t i = 0; i < operations; ++i) make_operation();
    builder_.end_rank(slots_.count(), inner_slots_.count());
  }

  std::int32_t peer() { return chance() ? static_cast<std::int32_t>(below(sizes_[op_.comm])) : kNoPeer; }

  void make_operation() {
    op_ = {};
    op_.kind = static_cast<OpKind>(below(static_cast<std::uint32_t>(OpKind::kNonBlockingNeighbourhood) + 1));
    op_.call = builder_.call(chance() ? "MPI_Send" : "own call;");
    if (chance()) op_.site = builder_.site("exchange (jacobi.c:88)");
    op_.bytes = random_() % 100000;
    fill();
    const Time begin = time_ + Duration{below(5) * 1000};
    time_ = begin + Duration{below(100000)};
    builder_.add(op_, {begin, time_});
    decorate(begin);
  }

  void fill() {
    switch (op_.kind) {
      case OpKind::kSend:
      case OpKind::kRecv:
      case OpKind::kProbe:
        return message();
      case OpKind::kIsend:
      case OpKind::kIrecv:
        return message(), op_.extra = start(), void();
      case OpKind::kSendrecv:
        message();
        op_.extra = builder_.add(SendrecvTail{peer(), static_cast<std::int32_t>(below(10)), random_() % 1000});
        return;
      case OpKind::kWait:
        return wait();
      case OpKind::kCollective:
      case OpKind::kNonBlockingCollective:
        return collective();
      case OpKind::kCommCreate:
        return op_.bytes = 0, op_.comm = below(3), void();
      case OpKind::kIoOpen:
      case OpKind::kIoClose:
      case OpKind::kIoSync:
      case OpKind::kIoRead:
      case OpKind::kIoWrite:
      case OpKind::kIoSeek:
        return io();
      case OpKind::kLocal:
      case OpKind::kUnmodelled:
        return op_.bytes = 0, void();
      case OpKind::kNeighbourhood:
      case OpKind::kNonBlockingNeighbourhood:
        return neighbourhood();
    }
  }

  void message() {
    op_.comm = below(3);
    op_.peer = peer();
    op_.tag = static_cast<std::int32_t>(below(100));
    if (chance()) op_.flags |= kAnySource;
    if (chance()) op_.flags |= kAnyTag;
  }

  std::uint32_t start() {
    active_.push_back(slots_.take());
    return active_.back();
  }

  void wait() {
    op_.bytes = 0;
    std::vector<std::uint32_t> done;
    while (!active_.empty() && chance()) {
      done.push_back(active_.back());
      active_.pop_back();
    }
    for (const std::uint32_t slot : done) slots_.give_back(slot);
    if (done.size() == 1) op_.flags |= kNoRequestList;
    if (done.size() == 1) op_.extra = done.front();
    if (done.size() > 1 || (done.empty() && chance())) op_.extra = builder_.add_requests(done);
  }

  void collective() {
    op_.tag = static_cast<std::int32_t>(below(11));
    op_.comm = below(3);
    op_.peer = peer();
    CollectiveTail tail;
    tail.received = chance() ? op_.bytes : random_() % 1000;
    const std::vector<std::uint64_t> counts(sizes_[op_.comm], random_() % 100);
    if (chance()) tail.sent_counts = builder_.add_counts(counts);
    if (chance()) tail.received_counts = builder_.add_counts(counts);
    if (op_.kind == OpKind::kNonBlockingCollective) tail.request = start();
    op_.extra = builder_.add(tail);
  }

  std::vector<Neighbour> neighbours() {
    std::vector<Neighbour> list(below(4));
    for (Neighbour& neighbour : list) {
      neighbour.rank = below(sizes_[op_.comm]);
      neighbour.bytes = random_() % 1000;
    }
    return list;
  }

  void neighbourhood() {
    op_.tag = static_cast<std::int32_t>(below(5));
    op_.comm = below(2);
    const std::vector<Neighbour> to = neighbours(), from = chance() ? to : neighbours();
    op_.bytes = 0;
    for (const Neighbour& neighbour : to) op_.bytes += neighbour.bytes;
    op_.extra = builder_.add_neighbours(to, from, op_.kind == OpKind::kNonBlockingNeighbourhood ? start() : kNone);
  }

  void io() {
    const bool moves = op_.kind == OpKind::kIoRead || op_.kind == OpKind::kIoWrite;
    op_.comm = builder_.file(chance() ? "/data/x" : "a file # of mine");
    if (chance()) op_.flags |= kIoIsMpi;
    if (!moves) op_.bytes = 0;
    if (!(op_.flags & kIoIsMpi) && chance()) return;
    IoAccess access;
    access.offset = moves && chance() ? random_() % 100000 : kUnknownOffset;
    if (chance()) access.view_position = random_() % 1000;
    if (chance()) access.layout = builder_.layout("vector(4,2,8)");
    if (op_.flags & kIoIsMpi) access.comm = below(3);
    if ((op_.flags & kIoIsMpi) && chance())
      access.hints = builder_.hints(chance() ? "cb_nodes=2\nromio_cb_read=enable" : "");
    if ((op_.flags & kIoIsMpi) && chance()) access.file_flags = kAtomicMode;
    if ((op_.flags & kIoIsMpi) && op_.kind != OpKind::kIoSeek && chance()) op_.flags |= kIoIsCollective;
    if (moves && (op_.flags & kIoIsMpi) && chance()) {
      op_.flags |= kNonBlocking;
      access.request = start();
    }
    op_.extra = builder_.add(access);
  }

  void decorate(Time begin) {
    const std::uint32_t index = builder_.operations() - 1;
    if (op_.kind == OpKind::kUnmodelled || chance()) builder_.not_judged(index, "because \"so\"");
    if (chance()) builder_.add(OffCpu{index, 0, Duration{below(1000)}});
    for (std::uint32_t i = below(3); i > 0; --i) inner(index, begin);
  }

  void inner(std::uint32_t index, Time begin) {
    InnerItem item;
    item.operation = index;
    item.kind = static_cast<InnerKind>(below(9));
    item.times = {begin, begin + Duration{below(100)}};
    if (is_posix(item.kind)) {
      item.index = builder_.add(InnerAccess{chance() ? kUnknownOffset : random_() % 1000, random_() % 1000,
                                            chance() ? kNone : builder_.file("/data/x"), 0});
    } else if (item.kind == InnerKind::kDone) {
      if (inner_active_.empty()) return;
      item.index = inner_active_.back();
      inner_active_.pop_back();
      inner_slots_.give_back(builder_.inner_message(item.index).slot);
    } else {
      item.index = builder_.add(InnerMessage{.operation = index - below(index + 1),
                                             .peer = chance() ? below(ranks_) : kNone,
                                             .context = below(3),
                                             .tag = static_cast<std::int32_t>(random_()),
                                             .bytes = random_() % 1000,
                                             .slot = inner_slots_.take(),
                                             .flags = below(8)});
      inner_active_.push_back(item.index);
    }
    builder_.add(item);
  }

  std::mt19937_64 random_;
  ProgramBuilder builder_;
  std::uint32_t ranks_ = 0;
  std::array<std::uint32_t, 3> sizes_{};
  RequestSlots slots_;
  std::vector<std::uint32_t> active_;
  RequestSlots inner_slots_;
  std::vector<std::uint32_t> inner_active_;  // messages
  Time time_;
  Operation op_;
};

}  // namespace

Program random_program(std::uint64_t seed, const std::filesystem::path& file) { return Maker(seed, file).run(); }

}  // namespace plumbline::replay
