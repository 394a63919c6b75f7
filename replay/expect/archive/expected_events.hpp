#pragma once
// The events of an expected archive, made from those of the observed one.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/memory/scratch.hpp"
#include "base/team/shared_work.hpp"
#include "replay/expect/columns/columns.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::replay {

// The attributes that expected archives have beside the recorded ones, as indices into the definitions.
struct ExpectedAttributes {
  // Adds them.
  explicit ExpectedAttributes(archive::Definitions& definitions);

  std::uint32_t lower, upper, band, as_run, as_run_upper, as_configured, as_configured_upper, ideal_io, not_judged;
};

// What the events are made from. All of it must live longer than what makes them.
struct EventsSource {
  archive::Reader& observed;
  const archive::Definitions& definitions;  // of the observed archive, with `attributes`, and perhaps more
  ExpectedAttributes attributes;
  std::span<const ExpectedRank> ranks;
  std::span<const archive::StringId> reasons;  // what not_judged has indices of
  Scratch scratch;
};

// What it takes to make the events of each location of the observed archive, in no unit.
std::vector<std::uint64_t> costs_of_events(const EventsSource& source);

class ExpectedEvents {
 public:
  explicit ExpectedEvents(const EventsSource& source);
  ~ExpectedEvents();
  ExpectedEvents(const ExpectedEvents&) = delete;
  ExpectedEvents& operator=(const ExpectedEvents&) = delete;

  // Of these locations of the observed archive. Throws Error where a rank has other operations than are expected.
  void write(Block locations, archive::Writer& to);
  // Until the last event that was written.
  Duration length() const;

 private:
  class Copier;
  std::unique_ptr<Copier> copier_;
};

}  // namespace plumbline::replay
