#include "replay/program/text/text.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>

#include "base/quantity.hpp"
#include "replay/program/text/window_words.hpp"
#include "replay/program/text/words.hpp"

namespace plumbline::replay {
namespace {

// A word of its own, or in quotes where it would not be one.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

std::string word_or_quoted(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(" \t\n\r\"\\#;") == std::string_view::npos && text != "none";
  return plain ? std::string(text) : in_quotes(text);
}

std::string at(Time time) { return "@" + format_exact(Duration{time.ps}); }

class RankPrinter {
 public:
  RankPrinter(const Program& program, std::uint32_t rank, std::string& out)
      : program_(program), rank_(program.rank(rank)), own_rank_(rank), out_(out) {}

  void print() {
    put("rank {}\n", own_rank_);
    std::size_t off = 0, reason = 0;
    for (std::uint32_t i = 0; i < rank_.operations.size(); ++i) {
      const Operation& op = rank_.operations[i];
      put("  {}", at(rank_.times[i].begin));
      operation(op);
      put(" +{}", format_exact(rank_.times[i].end - rank_.times[i].begin));
      if (call_is_told_) put(" call {}", word_or_quoted(program_.call(op.call)));
      if (op.site != kNone) put(" site {}", in_quotes(program_.site(op.site)));
      if (off < rank_.off_cpu.size() && rank_.off_cpu[off].operation == i)
        put(" off-cpu {}", format_exact(rank_.off_cpu[off++].delay));
      if (op.flags & kNotJudged) {
        const bool known = reason < rank_.reasons.size() && rank_.reasons[reason].operation == i;
        put(" not-judged {}", in_quotes(known ? program_.reason(rank_.reasons[reason++].text) : ""));
      }
      out_ += '\n';
      for (const InnerItem& item : rank_.inner_of(i)) inner(item);
    }
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), form, std::forward<Args>(args)...);
  }

  void verb(const Operation& op, std::string_view word, bool named = false) {
    put(" {}", word);
    const std::string_view call = program_.call(op.call);
    if (named) put(" {}", word_or_quoted(call));
    call_is_told_ = !named && call != default_call(op, word);
  }

  static std::string rank_word(std::int32_t peer) { return peer == kNoPeer ? "none" : std::to_string(peer); }

  void message(const Operation& op, std::string_view word) {
    verb(op, word);
    put(" {} tag {} {}B", rank_word(op.peer), op.tag, op.bytes);
    if (op.flags & kAnySource) put(" any-source");
    if (op.flags & kAnyTag) put(" any-tag");
    if (op.flags & kSynchronous) put(" synchronous");
    if (op.flags & kBuffered) put(" buffered");
    if (op.flags & kNotCompleted) put(" never-completed");
    if (op.flags & kAnyComm) put(" any-comm");
    comm(op.comm);
  }

  void comm(std::uint32_t index) {
    if (index != 0) put(" comm {}", index);
  }

  void operation(const Operation& op) {
    switch (op.kind) {
      case OpKind::kSend:
        return message(op, "send");
      case OpKind::kRecv:
        return message(op, "recv");
      case OpKind::kProbe:
        return message(op, "probe");
      case OpKind::kIsend:
        return message(op, "isend"), put(" -> r{}", op.extra);
      case OpKind::kIrecv:
        return message(op, "irecv"), put(" -> r{}", op.extra);
      case OpKind::kSendrecv:
        return sendrecv(op);
      case OpKind::kWait:
        return wait(op);
      case OpKind::kLocal:
        return verb(op, "local", true);
      case OpKind::kUnmodelled:
        return verb(op, "unmodelled", true);
      case OpKind::kCommCreate:
        return verb(op, "comm_create", true), comm(op.comm);
      case OpKind::kCollective:
      case OpKind::kNonBlockingCollective:
        return collective(op);
      case OpKind::kIoOpen:
      case OpKind::kIoClose:
      case OpKind::kIoSync:
      case OpKind::kIoRead:
      case OpKind::kIoWrite:
      case OpKind::kIoSeek:
        return io(op);
      case OpKind::kNeighbourhood:
      case OpKind::kNonBlockingNeighbourhood:
        return neighbourhood(op);
      case OpKind::kWinCreate:
      case OpKind::kWinFree:
      case OpKind::kWinFence:
      case OpKind::kWinPost:
      case OpKind::kWinStart:
      case OpKind::kWinComplete:
      case OpKind::kWinWait:
      case OpKind::kWinLock:
      case OpKind::kWinUnlock:
      case OpKind::kWinFlush:
      case OpKind::kWinSync:
        return on_window(op);
      case OpKind::kRmaPut:
      case OpKind::kRmaGet:
      case OpKind::kRmaAccumulate:
      case OpKind::kRmaFetch:
        return transfer(op);
    }
  }

  void on_window(const Operation& op) {
    verb(op, window_word(op.kind, op.flags, false));
    put(" {}", op.comm);
    if (op.peer != kNoPeer) put(" {}", op.peer);
    if (op.kind == OpKind::kWinPost || op.kind == OpKind::kWinStart) {
      put(" group {}", fmt::join(rank_.group_of(op), " "));
    }
    if (op.flags & kWinExclusive) put(" exclusive");
    if (op.flags & kWinNoCheck) put(" nocheck");
  }

  void transfer(const Operation& op) {
    const RmaTail& tail = rank_.rma[op.extra];
    verb(op, window_word(op.kind, 0, tail.request != kNone));
    put(" {} {} {}B", op.comm, op.peer, op.kind == OpKind::kRmaGet ? tail.received : op.bytes);
    if (op.kind == OpKind::kRmaFetch) put(" received {}B", tail.received);
    if (tail.request != kNone) put(" -> r{}", tail.request);
  }

  void sendrecv(const Operation& op) {
    const SendrecvTail& tail = rank_.sendrecvs[op.extra];
    verb(op, "sendrecv");
    put(" to {} tag {} {}B from {} tag {} {}B", rank_word(op.peer), op.tag, op.bytes, rank_word(tail.source), tail.tag,
        tail.bytes);
    if (op.flags & kAnySource) put(" any-source");
    if (op.flags & kAnyTag) put(" any-tag");
    comm(op.comm);
  }

  void wait(const Operation& op) {
    verb(op, "wait");
    for (const std::uint32_t slot : rank_.waits_for(op)) put(" r{}", slot);
  }

  void counts(std::string_view word, std::uint32_t index, std::size_t size) {
    if (index == kNone) return;
    put(" {} {}", word, fmt::join(rank_.counts.subspan(index, size), ","));
  }

  void collective(const Operation& op) {
    const CollectiveTail& tail = rank_.collectives[op.extra];
    const auto kind = static_cast<Collective>(op.tag);
    const bool starts = op.kind == OpKind::kNonBlockingCollective;
    const CommView view = program_.comm(op.comm);
    verb(op, (starts ? "i" : "") + std::string(kCollectiveWords[static_cast<std::size_t>(op.tag)]));
    if (op.peer != kNoPeer) put(" root {}", op.peer);
    if (kind != Collective::kBarrier || op.bytes != 0) put(" {}B", op.bytes);
    const bool is_root = op.peer >= 0 && static_cast<std::size_t>(op.peer) < view.members.size() &&
                         view.members[static_cast<std::size_t>(op.peer)] == own_rank_;
    if (tail.received != default_received(kind, op.bytes, view.members.size(), is_root))
      put(" received {}B", tail.received);
    const std::size_t size = peers_of(view, own_rank_).size();
    counts("sent-counts", tail.sent_counts, size);
    counts("received-counts", tail.received_counts, size);
    comm(op.comm);
    if (starts) put(" -> r{}", tail.request);
  }

  void neighbours(std::string_view word, std::span<const Neighbour> list) {
    put(" {}", word);
    if (list.empty()) out_ += " none";
    for (std::size_t i = 0; i < list.size(); ++i) put("{}{}:{}", i == 0 ? " " : ",", list[i].rank, list[i].bytes);
  }

  void neighbourhood(const Operation& op) {
    const bool starts = op.kind == OpKind::kNonBlockingNeighbourhood;
    verb(op, (starts ? "i" : "") + std::string(kNeighbourhoodWords[static_cast<std::size_t>(op.tag)]));
    neighbours("to", rank_.sends_to(op));
    neighbours("from", rank_.receives_from(op));
    comm(op.comm);
    if (starts) put(" -> r{}", rank_.request_of(op));
  }

  void range(std::uint64_t offset, std::uint64_t bytes) {
    if (offset == kUnknownOffset)
      put(" {}B", bytes);
    else
      put(" {}..{}", offset, offset + bytes);
  }

  void file(std::uint32_t index) {
    if (index == current_file_) return;
    put(" file {}", index == kNone ? "none" : word_or_quoted(program_.file(index)));
  }

  void io(const Operation& op) {
    const IoAccess access = op.extra == kNone ? IoAccess{.offset = kUnknownOffset} : rank_.accesses[op.extra];
    const bool moves = op.kind == OpKind::kIoRead || op.kind == OpKind::kIoWrite;
    verb(op, io_word(op, access.offset != kUnknownOffset));
    if (op.kind == OpKind::kIoOpen) {
      put(" {}", word_or_quoted(program_.file(op.comm)));
      current_file_ = op.comm;
    }
    if (!moves && (op.flags & kIoIsCollective)) put(" collective");
    if (op.extra == kNone && moves) put(" unknown {}B", op.bytes);
    if (op.extra != kNone) {
      if (access.layout != kNone) put(" layout {}", in_quotes(program_.layout(access.layout)));
      if (access.view_position != 0) put(" position {}", access.view_position);
      if (moves || access.offset != kUnknownOffset || op.bytes != 0) range(access.offset, op.bytes);
      const bool of_mpi = (op.flags & kIoIsMpi) != 0;
      if (access.comm == kNone && of_mpi) put(" comm none");
      if (access.comm != kNone && (access.comm != 0 || !of_mpi)) put(" comm {}", access.comm);
    }
    file(op.comm);
    if (op.extra != kNone && (op.flags & kIoIsMpi)) settings(op.comm, access);
    if (op.flags & kNonBlocking) put(" -> r{}", access.request);
  }

  // They hold for what follows on that file, until others are told.
  void settings(std::uint32_t file, const IoAccess& access) {
    Settings& now = settings_.try_emplace(file).first->second;
    if (access.hints != now.hints && access.hints == kNoHints) put(" no-hints");
    if (access.hints != now.hints && access.hints != kNoHints)
      put(" hints {}", in_quotes(program_.hints(access.hints)));
    if (access.file_flags != now.flags) put(" {}", access.file_flags & kAtomicMode ? "atomic" : "non-atomic");
    now = {access.hints, access.file_flags};
  }

  void inner(const InnerItem& item) {
    put("    {} inner {}", at(item.times.begin), kInnerWords[static_cast<std::size_t>(item.kind)]);
    if (is_posix(item.kind)) {
      const InnerAccess& access = rank_.access_of(item);
      range(access.offset, access.bytes);
      file(access.file);
    } else {
      inner_message(item);
    }
    put(" +{}\n", format_exact(item.times.end - item.times.begin));
  }

  void inner_message(const InnerItem& item) {
    const InnerMessage& message = rank_.inner_messages[item.index];
    if (item.kind == InnerKind::kDone) return put(" m{}", message.slot);
    put(" {} tag {} {}B", message.peer == kNone ? "none" : std::to_string(message.peer), message.tag, message.bytes);
    if (message.flags & kInnerSynchronous) put(" synchronous");
    if (message.flags & kInnerFailed) put(" failed");
    if (message.flags & kInnerUnknownBytes) put(" unknown-bytes");
    if (message.context != 0) put(" context {}", message.context);
    if (message.operation != item.operation) put(" of {}", message.operation);
    put(" -> m{}", message.slot);
  }

  const Program& program_;
  const RankProgram& rank_;
  std::uint32_t own_rank_;
  std::string& out_;
  struct Settings {
    std::uint16_t hints = kNoHints, flags = 0;
  };
  std::uint32_t current_file_ = kNone;
  std::map<std::uint32_t, Settings> settings_;  // by file
  bool call_is_told_ = false;
};

void print_nodes(const Program& program, std::string& out) {
  for (std::uint32_t rank = 0; rank < program.ranks();) {
    const RankProgram& first = program.rank(rank);
    std::uint32_t last = rank;
    const auto same = [&](const RankProgram& r) {
      return r.node == first.node && r.processor == first.processor && r.cores == first.cores;
    };
    while (last + 1 < program.ranks() && same(program.rank(last + 1))) ++last;
    fmt::format_to(std::back_inserter(out), "node {} ranks {}-{} cores {}", word_or_quoted(program.node(first.node)),
                   rank, last, first.cores);
    if (first.processor != first.node) out += " processor " + word_or_quoted(program.node(first.processor));
    out += '\n';
    rank = last + 1;
  }
}

void print_comms(const Program& program, std::string& out) {
  for (std::uint32_t i = 0; i < program.comms(); ++i) {
    const CommView comm = program.comm(i);
    fmt::format_to(std::back_inserter(out), "comm {} = {}", i, fmt::join(comm.members, " "));
    if (!comm.remote_members.empty())
      fmt::format_to(std::back_inserter(out), " | {}", fmt::join(comm.remote_members, " "));
    out += '\n';
  }
}

void print_windows(const Program& program, std::string& out) {
  for (std::size_t i = 0; i < program.windows().size(); ++i) {
    const Window& window = program.windows()[i];
    fmt::format_to(std::back_inserter(out), "window {} = comm {} {}\n", i, window.comm,
                   kWindowKindWords[static_cast<std::size_t>(window.kind)]);
  }
}

}  // namespace

std::string to_text(const Program& program) {
  std::string out = fmt::format("ranks {}\n", program.ranks());
  print_nodes(program, out);
  print_comms(program, out);
  print_windows(program, out);
  for (const auto& [key, value] : program.properties())
    out += fmt::format("property {} = {}\n", word_or_quoted(key), in_quotes(value));
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) RankPrinter(program, rank, out).print();
  return out;
}

}  // namespace plumbline::replay
