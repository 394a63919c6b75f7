#include "cli/verbs/info/inner_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "tracer/archive/inside.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::cli {
namespace {

using archive::Event;
using archive::EventKind;
using archive::kUndefined;

std::optional<std::uint64_t> attribute_of(const Event& event, std::optional<std::uint32_t> wanted) {
  if (!wanted) return std::nullopt;
  for (const archive::AttributeValue& value : event.attributes)
    if (value.attribute == *wanted) return value.u64;
  return std::nullopt;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The location of the rank's calls, and the one with what happened inside of them.
std::uint32_t inside_location(const archive::Definitions& definitions, std::uint32_t rank) {
  const auto of_rank = std::ranges::find_if(
      definitions.locations, [rank](const archive::Location& location) { return location.rank == rank; });
  if (of_rank == definitions.locations.end())
    throw Error(fmt::format("rank {}", rank),
                fmt::format("is not in this archive of {} ranks", definitions.world_size()),
                "ranks are counted from 0");
  const auto inside = std::ranges::find_if(definitions.locations, [&](const archive::Location& location) {
    return archive::inside_of(location) == of_rank->otf2_id;
  });
  if (inside == definitions.locations.end())
    throw Error(fmt::format("rank {}", rank), "has nothing recorded inside of its calls",
                "record with --internals=on to learn why, if it should have");
  return static_cast<std::uint32_t>(inside - definitions.locations.begin());
}

std::string milliseconds_text(Duration since) {
  return fmt::format("{:10.3f} ms", static_cast<double>(since.ps) / 1e9);
}

// Prints one call, or one line for each.
class Listing {
 public:
  Listing(const archive::Definitions& definitions, std::optional<std::uint64_t> wanted)
      : definitions_(definitions),
        wanted_(wanted),
        call_(definitions.find_attribute(archive::names::kCall)),
        comm_(definitions.find_attribute(archive::names::kCommId)),
        offset_(definitions.find_attribute(archive::names::kAbsoluteOffset)),
        belongs_(definitions.find_attribute(archive::names::kBelongsTo)) {}

  void take(const Event& event) {
    if (event.kind == EventKind::kEnter) return enter(event);
    if (event.kind == EventKind::kLeave) return leave(event);
    if (event.kind == EventKind::kMpiIsendComplete || event.kind == EventKind::kMpiIrecv) complete(event);
    if (depth_ == 0) return;
    if (event.kind == EventKind::kMpiIsend || event.kind == EventKind::kMpiIrecvRequest) post(event);
    if (event.kind == EventKind::kIoOperationBegin) access(event);
  }

  std::string text() const {
    std::string result = head_;
    for (const Line& line : lines_) {
      result += milliseconds_text(line.since) + "  " + std::string(2 * line.depth, ' ') + line.what;
      if (line.lasts) result += ", " + format(*line.lasts);
      result += '\n';
    }
    return result;
  }
  bool found() const { return found_; }

 private:
  struct Line {
    Duration since;
    std::size_t depth = 0;
    std::string what;
    std::optional<Duration> lasts;
  };

  const std::string& name_of(std::uint32_t region) const {
    return definitions_.strings[definitions_.regions[region].name];
  }
  bool is_listed() const { return wanted_ && in_wanted_; }
  void add(const Event& event, std::string what) {
    lines_.push_back({event.time - begin_, depth_ > 1 ? depth_ - 1 : 0, std::move(what), std::nullopt});
  }

  void enter(const Event& event) {
    if (++depth_ == 1) {
      index_ = attribute_of(event, call_);
      begin_ = event.time;
      messages_ = bytes_ = accesses_ = 0;
      in_wanted_ = wanted_ && index_ == wanted_;
      if (in_wanted_) listed_begin_ = begin_;
      found_ = found_ || in_wanted_;
      name_ = name_of(event.region);
    } else if (is_listed()) {
      open_.push_back(lines_.size());
      add(event, name_of(event.region));
      lines_.back().depth = depth_ - 2;
    }
  }

  void leave(const Event& event) {
    if (depth_ == 0) return;
    if (--depth_ > 0) {
      if (!is_listed() || open_.empty()) return;
      Line& line = lines_[open_.back()];
      line.lasts = event.time - begin_ - line.since;
      open_.pop_back();
      return;
    }
    if (in_wanted_) head_ = fmt::format("call {}: {}, {}\n", *index_, name_, format(event.time - begin_));
    if (!wanted_ && index_)
      head_ += fmt::format("{:>8}  {:<28} {:>12} {:>8} messages posted, {:>12} {:>6} accesses to files\n", *index_,
                           name_, format(event.time - begin_), messages_, format(Bytes{bytes_}), accesses_);
    in_wanted_ = false;
  }

  void post(const Event& event) {
    const bool sends = event.kind == EventKind::kMpiIsend;
    ++messages_;
    if (sends) bytes_ += event.bytes;
    if (!is_listed()) return;
    std::string what = sends ? fmt::format("send of {} B to {}", event.bytes, event.peer) : std::string("receive");
    const std::uint64_t comm = sends ? event.comm : attribute_of(event, comm_).value_or(kUndefined);
    if (comm < definitions_.comms.size()) what += ", " + definitions_.strings[definitions_.comms[comm].name];
    if (sends) what += fmt::format(", tag {}", static_cast<std::int32_t>(event.tag));
    if (const auto belongs = attribute_of(event, belongs_)) what += fmt::format(", of call {}", *belongs);
    add(event, std::move(what));
    posted_[event.request] = lines_.size() - 1;
  }

  void complete(const Event& event) {
    const auto posted = posted_.find(event.request);
    if (posted == posted_.end()) return;
    Line& line = lines_[posted->second];
    if (event.kind == EventKind::kMpiIrecv)
      line.what = fmt::format("receive of {} B from {}{}, tag {}", event.bytes, event.peer, line.what.substr(7),
                              static_cast<std::int32_t>(event.tag));
    line.lasts = event.time - begin_of_listed() - line.since;
    posted_.erase(posted);
  }

  void access(const Event& event) {
    ++accesses_;
    if (!is_listed()) return;
    const std::uint32_t file = definitions_.io_handles[event.io_handle].file;
    std::string line = event.io_mode == archive::IoMode::kFlush ? "" : fmt::format(" of {} B", event.bytes);
    if (const auto offset = attribute_of(event, offset_)) line += fmt::format(" at {}", *offset);
    if (file != kUndefined) line += fmt::format(", {}", definitions_.strings[definitions_.io_files[file].path]);
    if (!open_.empty() && open_.back() + 1 == lines_.size())
      lines_.back().what += line;  // of the call that it is the whole of
    else
      add(event, (event.io_mode == archive::IoMode::kRead ? "read" : "write") + line);
  }

  // Completions may come in a later call: times stay those since the beginning of the listed one.
  Time begin_of_listed() const { return listed_begin_.value_or(begin_); }

  const archive::Definitions& definitions_;
  std::optional<std::uint64_t> wanted_, index_;
  std::optional<std::uint32_t> call_, comm_, offset_, belongs_;
  std::vector<Line> lines_;
  std::vector<std::size_t> open_;
  std::map<std::uint64_t, std::size_t> posted_;
  std::string head_, name_;
  std::size_t depth_ = 0;
  Time begin_;
  std::optional<Time> listed_begin_;
  std::uint64_t messages_ = 0, bytes_ = 0, accesses_ = 0;
  bool in_wanted_ = false, found_ = false;
};

}  // namespace

InsideOf inside_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto rank = number(text.substr(0, colon));
  InsideOf result;
  if (colon != std::string_view::npos) result.call = number(text.substr(colon + 1));
  if (!rank || *rank > 0xffffffff || (colon != std::string_view::npos && !result.call))
    throw Error(fmt::format("--inside {}", text), "is neither a rank nor a rank and a call",
                "write --inside 3, or --inside 3:17 for its call 17");
  result.rank = static_cast<std::uint32_t>(*rank);
  return result;
}

std::string inside_text(archive::Reader& reader, const InsideOf& what) {
  Listing listing(reader.definitions(), what.call);
  reader.read(inside_location(reader.definitions(), what.rank), [&](const Event& event) { listing.take(event); });
  if (what.call && !listing.found())
    throw Error(fmt::format("call {} of rank {}", *what.call, what.rank), "has nothing recorded inside",
                fmt::format("--inside {} lists the calls that have", what.rank));
  return listing.text();
}

}  // namespace plumbline::cli
