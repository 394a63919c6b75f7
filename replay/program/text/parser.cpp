#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "replay/program/request_slots.hpp"
#include "replay/program/text/line.hpp"
#include "replay/program/text/text.hpp"
#include "replay/program/text/window_words.hpp"
#include "replay/program/text/words.hpp"

namespace plumbline::replay {
namespace {

struct Placement {
  std::string node = "node", processor;  // empty: as the node
  std::uint32_t cores = 0;
};

// What stands in the text before the first rank.
struct Preamble {
  std::vector<Placement> placements;                // by rank
  std::vector<std::vector<std::uint32_t>> comms;    // members
  std::vector<std::vector<std::uint32_t>> remotes;  // likewise: of intercommunicators
  std::vector<Window> windows;
};

// What may stand at the end of any operation.
struct Modifiers {
  std::optional<Duration> duration, off_cpu;
  std::optional<std::string> call, site, not_judged;
};

class RankParser {
 public:
  RankParser(ProgramBuilder& builder, const Preamble& preamble, std::uint32_t rank)
      : builder_(builder), preamble_(preamble), own_rank_(rank) {}

  void statement(TextLine& line) {
    Time begin = end_;
    const bool timed = line.peek().starts_with('@');
    if (timed) begin = Time{line.duration(line.take("time").substr(1)).ps};
    if (line.take_if("compute")) {
      end_ += line.duration(line.take("time"));
      return line.expect_end();
    }
    if (line.take_if("inner")) return inner(line, timed ? begin : inner_end_);
    if (begin < end_) line.fail("begins before the operation before it has ended");
    op_ = Operation{};
    modifiers_ = {};
    const std::string verb = line.take("operation");
    operation(line, verb);
    trailing(line);
    finish(verb, begin);
  }

  std::uint32_t slots() const { return slots_.count(); }
  std::uint32_t inner_slots() const { return inner_slots_.count(); }

 private:
  void operation(TextLine& line, const std::string& verb) {
    if (verb == "send") return message(line, OpKind::kSend);
    if (verb == "recv") return message(line, OpKind::kRecv);
    if (verb == "probe") return message(line, OpKind::kProbe);
    if (verb == "isend") return message(line, OpKind::kIsend), op_.extra = started(line), void();
    if (verb == "irecv") return message(line, OpKind::kIrecv), op_.extra = started(line), void();
    if (verb == "sendrecv") return sendrecv(line);
    if (verb == "wait") return wait(line);
    if (verb == "local") return named(line, OpKind::kLocal);
    if (verb == "unmodelled") return modifiers_.not_judged = "not modelled", named(line, OpKind::kUnmodelled);
    if (verb == "comm_create") return named(line, OpKind::kCommCreate), op_.comm = comm(line), void();
    if (collective(line, verb) || neighbourhood(line, verb)) return;
    if (const std::optional<WindowVerb> window = window_verb(verb)) return one_sided(line, *window);
    if (const std::optional<IoVerb> io_kind = io_verb(verb)) return io(line, *io_kind);
    line.fail(fmt::format("no operation is called '{}'", verb), "docs/internals/program-text.md lists them");
  }

  void named(TextLine& line, OpKind kind) {
    op_.kind = kind;
    modifiers_.call = line.take("name of the call");
  }

  // "comm 2"; absent: 0.
  std::uint32_t comm(TextLine& line) {
    if (!line.take_if("comm")) return 0;
    const std::uint32_t index = line.index("communicator");
    if (index >= preamble_.comms.size())
      line.fail(fmt::format("no communicator {}", index), "declare it before the first rank");
    return index;
  }

  void flags(TextLine& line) {
    while (true) {
      if (line.take_if("any-source"))
        op_.flags |= kAnySource;
      else if (line.take_if("any-tag"))
        op_.flags |= kAnyTag;
      else if (line.take_if("synchronous"))
        op_.flags |= kSynchronous;
      else if (line.take_if("buffered"))
        op_.flags |= kBuffered;
      else if (op_.kind == OpKind::kIrecv && line.take_if("never-completed"))
        op_.flags |= kNotCompleted;
      else if ((op_.flags & kNotCompleted) && line.take_if("any-comm"))
        op_.flags |= kAnyComm;
      else
        return;
    }
  }

  std::int32_t tag(TextLine& line) {
    line.expect("tag");
    return static_cast<std::int32_t>(line.integer("tag"));
  }

  void message(TextLine& line, OpKind kind) {
    op_.kind = kind;
    op_.peer = line.rank_or_none();
    op_.tag = tag(line);
    op_.bytes = line.bytes();
    flags(line);
    op_.comm = comm(line);
    check_peer(line, op_.peer);
  }

  std::size_t peers() const {
    return peers_of({preamble_.comms[op_.comm], preamble_.remotes[op_.comm]}, own_rank_).size();
  }

  void check_peer(const TextLine& line, std::int32_t peer) const {
    if (peer >= 0 && static_cast<std::size_t>(peer) >= peers())
      line.fail(fmt::format("communicator {} has no rank {}", op_.comm, peer));
  }

  void sendrecv(TextLine& line) {
    op_.kind = OpKind::kSendrecv;
    SendrecvTail tail;
    line.expect("to");
    op_.peer = line.rank_or_none();
    op_.tag = tag(line);
    op_.bytes = line.bytes();
    line.expect("from");
    tail.source = line.rank_or_none();
    tail.tag = tag(line);
    tail.bytes = line.bytes();
    flags(line);
    op_.comm = comm(line);
    check_peer(line, op_.peer);
    check_peer(line, tail.source);
    op_.extra = builder_.add(tail);
  }

  // "-> a": the slot of a request that begins.
  std::uint32_t started(TextLine& line) {
    line.expect("->");
    const std::string name = line.take("name of the request");
    const auto [entry, is_new] = requests_.try_emplace(name, 0);
    if (!is_new) line.fail(fmt::format("request '{}' is still in use", name), "wait for it first");
    entry->second = slots_.take();
    return entry->second;
  }

  void wait(TextLine& line) {
    op_.kind = OpKind::kWait;
    std::vector<std::uint32_t> slots;
    while (!line.peek().empty() && !is_trailing(line.peek())) {
      const auto found = requests_.find(line.take("request"));
      if (found == requests_.end()) line.fail("waits for a request that was not started");
      slots.push_back(found->second);
      requests_.erase(found);
    }
    for (const std::uint32_t slot : slots) slots_.give_back(slot);
    if (slots.size() == 1) op_.flags |= kNoRequestList;
    if (slots.size() == 1) op_.extra = slots.front();
    if (slots.size() > 1) op_.extra = builder_.add_requests(slots);
  }

  bool collective(TextLine& line, std::string_view verb) {
    auto found = std::ranges::find(kCollectiveWords, verb);
    const bool starts = found == kCollectiveWords.end() && verb.starts_with('i');
    if (starts) found = std::ranges::find(kCollectiveWords, verb.substr(1));
    if (found == kCollectiveWords.end()) return false;
    const auto kind = static_cast<Collective>(found - kCollectiveWords.begin());
    op_.kind = starts ? OpKind::kNonBlockingCollective : OpKind::kCollective;
    op_.tag = static_cast<std::int32_t>(kind);
    if (line.take_if("root")) op_.peer = line.rank_or_none();
    if (kind != Collective::kBarrier || line.peek().ends_with('B')) op_.bytes = line.bytes();
    CollectiveTail tail;
    std::optional<std::uint64_t> received;
    if (line.take_if("received")) received = line.bytes();
    std::vector<std::uint64_t> sent_counts, received_counts;
    if (line.take_if("sent-counts")) sent_counts = line.numbers("bytes per rank");
    if (line.take_if("received-counts")) received_counts = line.numbers("bytes per rank");
    op_.comm = comm(line);
    const std::vector<std::uint32_t>& members = preamble_.comms[op_.comm];
    const auto root = static_cast<std::size_t>(op_.peer);
    const bool is_root = op_.peer >= 0 && root < members.size() && members[root] == own_rank_;
    tail.received = received.value_or(default_received(kind, op_.bytes, members.size(), is_root));
    check_peer(line, op_.peer);
    for (const std::vector<std::uint64_t>& counts : {sent_counts, received_counts})
      if (!counts.empty() && counts.size() != peers())
        line.fail(fmt::format("{} numbers of bytes for {} ranks", counts.size(), peers()));
    if (!sent_counts.empty()) tail.sent_counts = builder_.add_counts(sent_counts);
    if (!received_counts.empty()) tail.received_counts = builder_.add_counts(received_counts);
    if (starts) tail.request = started(line);
    op_.extra = builder_.add(tail);
    return true;
  }

  // "1:8,3:16" or "none".
  std::vector<Neighbour> neighbours(TextLine& line, std::string_view word) {
    line.expect(word);
    std::vector<Neighbour> list;
    if (line.take_if("none")) return list;
    const std::string text = line.take("neighbours");
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string one = text.substr(begin, end - begin);
      const std::size_t colon = one.find(':');
      if (colon == std::string::npos) line.fail(fmt::format("'{}' is no neighbour", one), "write 1:8,3:16 or none");
      TextLine parts(line.where(), {{one.substr(0, colon), false}, {one.substr(colon + 1), false}});
      Neighbour neighbour;
      neighbour.rank = parts.index("rank");
      neighbour.bytes = parts.number("bytes");
      list.push_back(neighbour);
      begin = end + 1;
    }
    return list;
  }

  bool neighbourhood(TextLine& line, std::string_view verb) {
    const bool starts = verb.starts_with('i');
    const auto found = std::ranges::find(kNeighbourhoodWords, verb.substr(starts ? 1 : 0));
    if (found == kNeighbourhoodWords.end()) return false;
    op_.kind = starts ? OpKind::kNonBlockingNeighbourhood : OpKind::kNeighbourhood;
    op_.tag = static_cast<std::int32_t>(found - kNeighbourhoodWords.begin());
    const std::vector<Neighbour> to = neighbours(line, "to"), from = neighbours(line, "from");
    op_.comm = comm(line);
    for (const std::vector<Neighbour>* list : {&to, &from})
      for (const Neighbour& neighbour : *list)
        if (neighbour.rank >= preamble_.comms[op_.comm].size())
          line.fail(fmt::format("communicator {} has no rank {}", op_.comm, neighbour.rank));
    for (const Neighbour& neighbour : to) op_.bytes += neighbour.bytes;
    op_.extra = builder_.add_neighbours(to, from, starts ? started(line) : kNone);
    return true;
  }

  void one_sided(TextLine& line, const WindowVerb& verb) {
    op_.kind = verb.kind;
    op_.flags |= verb.flags;
    op_.comm = line.index("window");
    if (op_.comm >= preamble_.windows.size())
      line.fail(fmt::format("no window {}", op_.comm), "declare it before the first rank");
    const std::vector<std::uint32_t>& members = preamble_.comms[preamble_.windows[op_.comm].comm];
    if (std::ranges::find(members, own_rank_) == members.end())
      line.fail(fmt::format("rank {} does not belong to window {}", own_rank_, op_.comm));
    if (is_rma_transfer(verb.kind)) return transfer(line, verb, members.size());
    const bool names_rank =
        verb.kind == OpKind::kWinLock || verb.kind == OpKind::kWinUnlock || verb.kind == OpKind::kWinFlush;
    if (names_rank && !(verb.flags & kWinAll)) op_.peer = rank_of_window(line, members.size());
    if (line.take_if("group")) group(line, members.size());
    if (verb.kind == OpKind::kWinLock && line.take_if("exclusive")) op_.flags |= kWinExclusive;
    if (line.take_if("nocheck")) op_.flags |= kWinNoCheck;
  }

  std::int32_t rank_of_window(TextLine& line, std::size_t size) const {
    const std::uint32_t rank = line.index("rank of the window");
    if (rank >= size) line.fail(fmt::format("window {} has no rank {}", op_.comm, rank));
    return static_cast<std::int32_t>(rank);
  }

  void group(TextLine& line, std::size_t size) {
    if (op_.kind != OpKind::kWinPost && op_.kind != OpKind::kWinStart) line.fail("'group' is of win_post, win_start");
    const std::vector<std::uint32_t> ranks = line.ranks();
    for (const std::uint32_t rank : ranks)
      if (rank >= size) line.fail(fmt::format("window {} has no rank {}", op_.comm, rank));
    op_.extra = builder_.add_group(ranks);
  }

  void transfer(TextLine& line, const WindowVerb& verb, std::size_t size) {
    RmaTail tail;
    op_.peer = rank_of_window(line, size);
    (verb.kind == OpKind::kRmaGet ? tail.received : op_.bytes) = line.bytes();
    if (verb.kind == OpKind::kRmaFetch) {
      line.expect("received");
      tail.received = line.bytes();
    }
    if (verb.has_request) tail.request = started(line);
    op_.extra = builder_.add(tail);
  }

  // "0..4096" or "4096B".
  static std::pair<std::uint64_t, std::uint64_t> range(TextLine& line) {
    const std::size_t dots = line.peek().find("..");
    if (dots == std::string_view::npos) return {kUnknownOffset, line.bytes()};
    const std::string word = line.take("range");
    TextLine parts(line.where(), {{word.substr(0, dots), false}, {word.substr(dots + 2), false}});
    const std::uint64_t first = parts.number("first byte"), last = parts.number("end");
    if (last < first) line.fail(fmt::format("'{}' ends before it begins", word));
    return {first, last - first};
  }

  static bool is_range(std::string_view word) { return !word.empty() && word.front() >= '0' && word.front() <= '9'; }

  std::uint32_t file(TextLine& line) {
    if (line.take_if("none")) return kNone;
    return builder_.file(line.take("path"));
  }

  void io(TextLine& line, IoVerb verb) {
    op_.kind = verb.kind;
    op_.flags |= verb.flags;
    const bool moves = verb.kind == OpKind::kIoRead || verb.kind == OpKind::kIoWrite;
    if (verb.kind == OpKind::kIoOpen) current_file_ = builder_.file(line.take("path"));
    if (!moves && line.take_if("collective")) op_.flags |= kIoIsCollective;
    const bool unknown = line.take_if("unknown");
    IoAccess access{.offset = kUnknownOffset};
    if (line.take_if("layout")) access.layout = builder_.layout(line.take("layout"));
    if (line.take_if("position")) access.view_position = line.number("bytes before the access");
    const bool has_range = is_range(line.peek());
    if (moves || has_range) std::tie(access.offset, op_.bytes) = range(line);
    const bool of_mpi = (verb.flags & kIoIsMpi) != 0;
    if (of_mpi) access.comm = 0;
    if (line.peek() == "comm") access.comm = no_comm(line) ? kNone : comm(line);
    op_.comm = line.take_if("file") ? file(line) : current_file_;
    if (op_.comm == kNone) line.fail("no file is open", "open one first, or name it: file /data/x");
    if (of_mpi) settings(line, access);
    if (op_.flags & kNonBlocking) access.request = started(line);
    const bool is_told = has_range || access.layout != kNone || access.view_position != 0;
    if (!unknown && (of_mpi || moves || is_told)) op_.extra = builder_.add(access);
  }

  // Of the file, from here on.
  void settings(TextLine& line, IoAccess& access) {
    IoAccess& now = settings_[op_.comm];
    if (line.take_if("hints")) now.hints = builder_.hints(line.take("hints"));
    if (line.take_if("no-hints")) now.hints = kNoHints;
    if (line.take_if("atomic")) now.file_flags = kAtomicMode;
    if (line.take_if("non-atomic")) now.file_flags = 0;
    access.hints = now.hints;
    access.file_flags = now.file_flags;
  }

  // "comm none"
  static bool no_comm(TextLine& line) {
    TextLine ahead = line;
    ahead.expect("comm");
    if (!ahead.take_if("none")) return false;
    line = ahead;
    return true;
  }

  void inner(TextLine& line, Time begin) {
    if (builder_.operations() == 0) line.fail("stands in no operation", "write it below the operation that made it");
    InnerItem item;
    item.operation = builder_.operations() - 1;
    std::string word = line.take("kind of inner operation");
    if (word == "pread" || word == "pwrite") word.erase(0, 1);
    const auto found = std::ranges::find(kInnerWords, word);
    if (found == kInnerWords.end()) line.fail(fmt::format("no inner operation is called '{}'", word));
    item.kind = static_cast<InnerKind>(found - kInnerWords.begin());
    if (is_posix(item.kind))
      item.index = inner_access(line);
    else if (item.kind == InnerKind::kDone)
      item.index = inner_done(line);
    else
      item.index = inner_message(line, item.operation);
    if (line.peek().starts_with('@')) begin = Time{line.duration(line.take("time").substr(1)).ps};
    Duration length;
    if (line.peek().starts_with('+')) length = line.duration(line.take("time").substr(1));
    line.expect_end();
    item.times = {begin, begin + length};
    inner_end_ = item.times.end;
    builder_.add(item);
  }

  std::uint32_t inner_access(TextLine& line) {
    InnerAccess access;
    access.file = current_file_;
    if (is_range(line.peek())) std::tie(access.offset, access.bytes) = range(line);
    if (line.take_if("file")) access.file = file(line);
    return builder_.add(access);
  }

  std::uint32_t inner_message(TextLine& line, std::uint32_t operation) {
    InnerMessage message{.operation = operation};
    const std::int32_t peer = line.rank_or_none();
    if (peer != kNoPeer) message.peer = static_cast<std::uint32_t>(peer);
    message.tag = tag(line);
    message.bytes = line.bytes();
    if (line.take_if("synchronous")) message.flags |= kInnerSynchronous;
    if (line.take_if("failed")) message.flags |= kInnerFailed;
    if (line.take_if("unknown-bytes")) message.flags |= kInnerUnknownBytes;
    if (line.take_if("context")) message.context = line.index("context");
    if (line.take_if("of")) message.operation = line.index("operation");
    if (message.operation > operation) line.fail("belongs to an operation that comes later");
    message.slot = inner_slots_.take();
    const std::uint32_t index = builder_.add(message);
    line.expect("->");
    const std::string name = line.take("name of the message");
    if (!inner_messages_.try_emplace(name, index, message.slot).second)
      line.fail(fmt::format("inner message '{}' is still under way", name), "write first that it is done");
    return index;
  }

  std::uint32_t inner_done(TextLine& line) {
    const auto found = inner_messages_.find(line.take("name of the message"));
    if (found == inner_messages_.end()) line.fail("no such inner message is under way");
    const auto [index, slot] = found->second;
    inner_messages_.erase(found);
    inner_slots_.give_back(slot);
    return index;
  }

  static bool is_trailing(std::string_view word) {
    return word.starts_with('+') || word == "call" || word == "site" || word == "off-cpu" || word == "not-judged";
  }

  void trailing(TextLine& line) {
    while (is_trailing(line.peek())) {
      const std::string word = line.take("word");
      if (word.starts_with('+'))
        modifiers_.duration = line.duration(std::string_view(word).substr(1));
      else if (word == "call")
        modifiers_.call = line.take("name of the call");
      else if (word == "site")
        modifiers_.site = line.take("call site");
      else if (word == "off-cpu")
        modifiers_.off_cpu = line.duration(line.take("time"));
      else
        modifiers_.not_judged = line.take("reason");
    }
    line.expect_end();
  }

  void finish(const std::string& verb, Time begin) {
    op_.call = builder_.call(modifiers_.call.value_or(default_call(op_, verb)));
    if (modifiers_.site) op_.site = builder_.site(*modifiers_.site);
    end_ = begin + modifiers_.duration.value_or(Duration{});
    builder_.add(op_, {begin, end_});
    inner_end_ = begin;
    const std::uint32_t index = builder_.operations() - 1;
    if (modifiers_.off_cpu) builder_.add(OffCpu{.operation = index, .delay = *modifiers_.off_cpu});
    if (modifiers_.not_judged) builder_.not_judged(index, *modifiers_.not_judged);
  }

  ProgramBuilder& builder_;
  const Preamble& preamble_;
  std::uint32_t own_rank_;
  Time end_;
  Time inner_end_;  // of what was last inside the operation in hand, or its begin
  std::uint32_t current_file_ = kNone;
  std::map<std::uint32_t, IoAccess> settings_;  // by file: hints and flags that hold
  RequestSlots slots_;
  std::map<std::string, std::uint32_t> requests_;
  RequestSlots inner_slots_;
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> inner_messages_;  // under way: index, slot
  Operation op_;
  Modifiers modifiers_;
};

class Parser {
 public:
  Parser(const std::string& text, const std::string& name, const std::filesystem::path& file)
      : name_(name), lines_(text_lines(text, name)), builder_(file) {}

  Program run() {
    std::size_t next = read_preamble();
    for (std::uint32_t rank = 0; rank < preamble_.placements.size(); ++rank) {
      const Placement& placement = preamble_.placements[rank];
      const std::uint32_t node = builder_.node(placement.node);
      const std::uint32_t processor = placement.processor.empty() ? kNone : builder_.node(placement.processor);
      builder_.begin_rank(node, placement.cores, 0, processor);
      RankParser parser(builder_, preamble_, rank);
      if (next < lines_.size() && expects_rank(lines_[next], rank))
        for (++next; next < lines_.size() && lines_[next].peek() != "rank"; ++next) parser.statement(lines_[next]);
      builder_.end_rank(parser.slots(), parser.inner_slots());
    }
    if (next < lines_.size()) lines_[next].fail("ranks are out of order, or there are not so many");
    return builder_.finish();
  }

 private:
  // Ranks that do nothing may be left out.
  static bool expects_rank(TextLine line, std::uint32_t rank) {
    line.expect("rank");
    const std::uint32_t given = line.index("rank");
    line.expect_end();
    return given == rank;
  }

  std::size_t read_preamble() {
    if (lines_.empty() || !lines_.front().take_if("ranks"))
      throw Error(lines_.empty() ? name_ : lines_.front().where(), "does not begin with the number of ranks",
                  "write: ranks 2");
    const std::uint32_t ranks = lines_.front().index("number of ranks");
    if (ranks == 0 || ranks > (1U << 20)) lines_.front().fail("there must be 1 to 1048576 ranks");
    lines_.front().expect_end();
    preamble_.placements.resize(ranks);
    std::size_t next = 1;
    for (; next < lines_.size() && lines_[next].peek() != "rank"; ++next) preamble_line(lines_[next]);
    if (preamble_.comms.empty()) add_world();
    return next;
  }

  void preamble_line(TextLine& line) {
    const std::string word = line.take("word");
    if (word == "node")
      node(line);
    else if (word == "comm")
      comm(line);
    else if (word == "window")
      window(line);
    else if (word == "property")
      property(line);
    else
      line.fail(fmt::format("'{}' before the first rank", word), "expected: node, comm, window, property or rank");
  }

  void check_ranks(const TextLine& line, const std::vector<std::uint32_t>& ranks) const {
    for (const std::uint32_t rank : ranks)
      if (rank >= preamble_.placements.size()) line.fail(fmt::format("there is no rank {}", rank));
  }

  void node(TextLine& line) {
    Placement placement;
    placement.node = line.take("name of the node");
    line.expect("ranks");
    const std::vector<std::uint32_t> ranks = line.ranks();
    check_ranks(line, ranks);
    if (line.take_if("cores")) placement.cores = line.index("cores");
    if (line.take_if("processor")) placement.processor = line.take("name of the processor");
    line.expect_end();
    for (const std::uint32_t rank : ranks) preamble_.placements[rank] = placement;
  }

  void add_world() {
    std::vector<std::uint32_t> world(preamble_.placements.size());
    for (std::uint32_t rank = 0; rank < world.size(); ++rank) world[rank] = rank;
    builder_.comm(world);
    preamble_.remotes.emplace_back();
    preamble_.comms.push_back(std::move(world));
  }

  void comm(TextLine& line) {
    const std::uint32_t index = line.index("communicator");
    if (index > 0 && preamble_.comms.empty()) add_world();
    if (index != preamble_.comms.size())
      line.fail(fmt::format("communicator {} comes before communicator {}", index, preamble_.comms.size()),
                "number them from 1 on; 0 is all ranks");
    line.expect("=");
    const std::vector<std::uint32_t> members = line.ranks();
    std::vector<std::uint32_t> remote;
    if (line.take_if("|")) remote = line.ranks();
    line.expect_end();
    check_ranks(line, members);
    check_ranks(line, remote);
    builder_.comm(members, remote);
    preamble_.remotes.push_back(remote);
    preamble_.comms.push_back(members);
  }

  // "window 0 = comm 0 allocate"
  void window(TextLine& line) {
    if (preamble_.comms.empty()) add_world();
    const std::uint32_t index = line.index("window");
    if (index != preamble_.windows.size())
      line.fail(fmt::format("window {} comes before window {}", index, preamble_.windows.size()),
                "number them from 0 on");
    line.expect("=");
    line.expect("comm");
    Window window{.comm = line.index("communicator")};
    if (window.comm >= preamble_.comms.size())
      line.fail(fmt::format("no communicator {}", window.comm), "declare it before the window");
    if (!preamble_.remotes[window.comm].empty()) line.fail("an intercommunicator has no windows");
    for (std::size_t kind = 0; kind < kWindowKindWords.size(); ++kind)
      if (line.take_if(kWindowKindWords[kind])) window.kind = static_cast<WindowKind>(kind);
    line.expect_end();
    builder_.window(window);
    preamble_.windows.push_back(window);
  }

  void property(TextLine& line) {
    const std::string key = line.take("key");
    line.expect("=");
    builder_.property(key, line.take("value"));
    line.expect_end();
  }

  std::string name_;
  std::vector<TextLine> lines_;
  ProgramBuilder builder_;
  Preamble preamble_;
};

}  // namespace

Program parse_program(const std::string& text, const std::string& name_for_messages,
                      const std::filesystem::path& file) {
  return Parser(text, name_for_messages, file).run();
}

}  // namespace plumbline::replay
