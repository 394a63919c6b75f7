#pragma once
// Events that wait until it is known what becomes of them, with copies of what they point to.

#include <cstdint>
#include <span>
#include <vector>

#include "tracer/archive/model.hpp"

namespace plumbline::replay {

class DeferredEvents {
 public:
  // `time` replaces its own.
  void add(const archive::Event& event, Time time) {
    events_.emplace_back(event, attributes_.size(), values_.size()).event.time = time;
    if (!event.attributes.empty())
      attributes_.insert(attributes_.end(), event.attributes.begin(), event.attributes.end());
    if (!event.values.empty()) values_.insert(values_.end(), event.values.begin(), event.values.end());
  }

  // visit(event) for each, in the order in which they came; then there are none.
  template <class Visit>
  void take(Visit visit) {
    for (Deferred& one : events_) {
      one.event.attributes = std::span(attributes_).subspan(one.attributes, one.event.attributes.size());
      one.event.values = std::span(values_).subspan(one.values, one.event.values.size());
      visit(one.event);
    }
    events_.clear();
    attributes_.clear();
    values_.clear();
  }

 private:
  struct Deferred {
    Deferred(const archive::Event& of, std::size_t first_attribute, std::size_t first_value)
        : event(of), attributes(first_attribute), values(first_value) {}

    archive::Event event;
    std::size_t attributes, values;  // where they begin
  };

  std::vector<Deferred> events_;
  std::vector<archive::AttributeValue> attributes_;
  std::vector<std::uint64_t> values_;
};

}  // namespace plumbline::replay
