#pragma once
// The location of what happens inside of the calls of one thread (docs/reference/trace-format-inside.md): calls made
// by other calls, and the library's own messages, as one stream in the order of time. Its memory is that of the
// messages that are under way.

#include <functional>
#include <vector>

#include "tracer/record/definitions/process.hpp"
#include "tracer/record/events/collective_owners.hpp"
#include "tracer/record/events/inner_peers.hpp"
#include "tracer/record/events/location_output.hpp"

namespace plumbline::record {

class InsideEvents {
 public:
  // `write` takes the events, with times that do not decrease.
  InsideEvents(Process& process, const InnerPeers& peers, std::function<void(const archive::Event&)> write)
      : process_(process),
        ids_(process.world().attributes),
        peers_(peers),
        out_(std::move(write)),
        owners_([&process](std::uint64_t request) { return process.requests.contains(request); }) {}

  // An outermost call of the program; there are events of it only if something happens inside of it.
  void begin_call(std::uint32_t region, Time begin);
  // `started`: requests of the collectives that the call has started.
  void end_call(Time end, bool unfinished, const std::vector<std::uint64_t>& started = {});

  // An event of a call inside of another.
  void add(const archive::Event& event, Time time);
  // A message was posted. `started`: requests of the collectives that the call in progress starts.
  void post(const spool::Record& record, bool is_send, const std::vector<std::uint64_t>& started);
  // Nothing follows.
  void finish();

  Time last() const { return out_.last(); }  // of the last event

 private:
  struct Call {
    std::uint32_t region = archive::kUndefined;
    std::uint64_t index = 0;
    Time begin;
    bool entered = false;
  };
  // As PL_LAYOUT_INNER_MESSAGE tells it.
  struct Message {
    std::uint64_t number = 0;
    std::uint32_t context = 0;
    bool is_send = false;
    bool ended = false;
    std::int32_t peer = 0, tag = 0;
    std::uint64_t bytes = 0;
    std::uint32_t flags = 0;  // enum pl_inner
    Time posted, end;
  };

  Message message_of(const spool::Record& record, bool is_send);
  const InnerEndFact* late_end(std::uint32_t number, std::uint64_t posted) const;
  std::optional<std::uint32_t> peer_of(const Message& message, Time when) const;
  void write_post(const Message& message, std::optional<std::uint64_t> belongs_to);
  void post_attributes(const Message& message);
  void write_end(const Message& message);

  void reach(Time time);
  void write_ends_until(Time time);
  void enter();

  Process& process_;
  const AttributeIds& ids_;
  const InnerPeers& peers_;
  LocationOutput out_;
  CollectiveOwners owners_;
  std::optional<Call> call_;   // in progress
  std::uint64_t calls_ = 0;    // begun
  std::vector<Message> ends_;  // a heap: messages whose end has not been reached, the earliest end first
};

}  // namespace plumbline::record
