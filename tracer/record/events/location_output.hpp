#pragma once
// The events of one location on their way to the archive: attributes of the next event, and times that do not decrease.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "tracer/archive/model.hpp"

namespace plumbline::record {

class LocationOutput {
 public:
  explicit LocationOutput(std::function<void(const archive::Event&)> write) : write_(std::move(write)) {}

  // Attributes of the event that is emitted next.
  void attach(std::uint32_t attribute, std::uint64_t value) { added(attribute).u64 = value; }
  void attach_signed(std::uint32_t attribute, std::int64_t value) { added(attribute).i64 = value; }
  void attach_string(std::uint32_t attribute, archive::StringId text) { added(attribute).string = text; }
  void drop_attached() { attached_.clear(); }
  // Hands what is attached to an event that goes to another location.
  void give_attached(archive::Event& event) {
    event.attributes = attached_;
    attached_.clear();
  }

  // Writes the event with what has been attached, at `time`, or at the last event's where that is later. The event gets
  // its time and attributes and is not copied: a copy of what has just been filled in waits until it is in the cache.
  void emit(archive::Event& event, Time time) {
    give_attached(event);
    emit_complete(event, time);
  }
  // The same with the attributes that the event has; what is attached waits for the next one.
  void emit_complete(archive::Event& event, Time time) {
    last_ = std::max(last_, time);
    event.time = last_;
    write_(event);
  }

  Time last() const { return last_; }  // of the last event

 private:
  archive::AttributeValue& added(std::uint32_t attribute) {
    archive::AttributeValue& result = attached_.emplace_back();
    result.attribute = attribute;
    return result;
  }

  std::function<void(const archive::Event&)> write_;
  std::vector<archive::AttributeValue> attached_;
  Time last_;
};

}  // namespace plumbline::record
