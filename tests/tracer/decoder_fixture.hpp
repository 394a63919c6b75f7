#pragma once
// What the tests of decoders share: the state of one thread with little in it, and the events that a record becomes.

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "tests/tracer/assemble_fixture.hpp"
#include "tests/tracer/spool_builder.hpp"
#include "tracer/record/decoders/record_decoders.hpp"

namespace plumbline::record::test {

// Rank 0 of 4. Ticks are nanoseconds, from 1000 on, which is time 0.
class Decoders : public testing::Test {
 protected:
  // As if the first pass had found it; before anything is decoded.
  ProcessFacts facts;

  // The events of a call from 2000 to 3000 between its Enter and its Leave, as brief() has them, and then, as "on
  // enter" and "on leave", what it has attached to those.
  std::vector<std::string> decode(const std::string& name, pl_layout layout, const Payload& payload, bool done = true) {
    FunctionFact& function = functions_[name];
    function = {name, layout};
    spool::Record record;
    record.function = 1;
    record.done = done;
    record.begin = 2'000;
    record.end = done ? 3'000 : 0;
    record.payload = payload;
    DecodingState& t = state();
    OpenCall& call = t.calls.emplace_back(record);
    call.function = &function;
    call.begin = t.process.time(record.begin);
    const RecordDecoder& decoder = decoder_of(layout);
    lines_.clear();
    if (decoder.attributes != nullptr) decoder.attributes(t, call);
    if (decoder.unfinished != nullptr && !done) decoder.unfinished(t, call);
    mark(t, EventKind::kEnter);
    if (decoder.begin != nullptr) decoder.begin(t, call);
    if (decoder.end != nullptr && done) decoder.end(t, call, t.process.time(record.end));
    mark(t, EventKind::kLeave);
    t.calls.pop_back();
    return lines_;
  }

  DecodingState& state() {
    if (!world_) make();
    return *state_;
  }

 private:
  using EventKind = archive::EventKind;

  void make() {
    world_ = std::make_unique<DefinitionRegistry>();
    world_->define_ranks(4);
    const std::vector<pl_clock_reading> readings{{1'000, 1'000, 0}, {9'000, 9'000, 0}};
    clocks_.add(clock_, readings);
    clocks_.fit();
    const std::vector<std::pair<ClockId, std::uint64_t>> zero{{clock_, 1'000}};
    clocks_.set_zero(zero);
    process_ = std::make_unique<Process>(0, std::move(facts), clock_, clocks_, *world_, symbols_);
    inside_ = std::make_unique<InsideEvents>(*process_, peers_, [](const archive::Event&) {});
    state_ = std::make_unique<DecodingState>(*process_, *inside_, [this](const archive::Event& event) { note(event); });
  }

  void note(const archive::Event& event) {
    archive::test::OwnedEvent owned{event, {event.attributes.begin(), event.attributes.end()}};
    owned.event.attributes = {};
    if (event.kind != EventKind::kEnter && event.kind != EventKind::kLeave)
      return lines_.push_back(brief(owned, world_->definitions));
    if (owned.attributes.empty()) return;
    owned.event.kind = EventKind::kThreadBegin;  // any that brief() has no words for
    const std::string text = brief(owned, world_->definitions);
    lines_.push_back((event.kind == EventKind::kEnter ? "on enter" : "on leave") + text.substr(text.find(' ', 5)));
  }

  static void mark(DecodingState& t, EventKind kind) {
    archive::Event event;
    event.kind = kind;
    t.out.emit(event, t.out.last());
  }

  ClockId clock_{"boot-1", PL_CLOCK_MONOTONIC_NS};
  Clocks clocks_;
  Symbols symbols_;
  InnerPeers peers_;
  std::map<std::string, FunctionFact> functions_;
  std::vector<std::string> lines_;
  std::unique_ptr<DefinitionRegistry> world_;
  std::unique_ptr<Process> process_;
  std::unique_ptr<InsideEvents> inside_;
  std::unique_ptr<DecodingState> state_;
};

}  // namespace plumbline::record::test
