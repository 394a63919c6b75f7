#include <algorithm>
#include <string_view>

#include "replay/expect/archive/use_locations.hpp"
#include "tracer/archive/metric_names.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

// OTF2_MetricMode: what is no value since the start, nor since the last one, is one of the moment.
bool is_level(std::uint8_t mode) {
  constexpr std::uint8_t kValueMask = 0xf0, kAbsolute = 0x10;
  return (mode & kValueMask) == kAbsolute;
}

// One member of a metric at one location. A value holds until the next one.
class Quantity {
 public:
  Quantity(std::uint32_t member, Time begin) : member_(member), since_(begin) {}

  std::uint32_t member() const { return member_; }
  std::uint64_t value() const { return value_; }
  std::uint64_t most() const { return most_; }

  void set(Time at, std::uint64_t value) {
    hold_until(at);
    value_ = value;
    most_ = std::max(most_, value);
  }

  void hold_until(Time at) {
    if (at <= since_) return;
    area_ += static_cast<double>(value_) * static_cast<double>((at - since_).ps);
    since_ = at;
  }

  double mean_over(Duration length) const { return length.ps > 0 ? area_ / static_cast<double>(length.ps) : 0; }

 private:
  std::uint32_t member_;
  Time since_;
  std::uint64_t value_ = 0, most_ = 0;
  double area_ = 0;  // value × ps
};

class ComponentReader {
 public:
  ComponentReader(archive::Reader& reader, Time begin, Time end)
      : reader_(reader), definitions_(reader.definitions()), begin_(begin), end_(end) {}

  ComponentTotals read(std::uint32_t location) {
    quantities_.clear();
    reader_.read(location, [&](const archive::Event& event) {
      if (event.kind != archive::EventKind::kMetric) return;
      const std::vector<std::uint32_t>& members = definitions_.members_of(event.tag);
      for (std::size_t i = 0; i < members.size(); ++i)
        of_member(members[i]).set(std::min(event.time, end_), event.values[i]);
    });
    const archive::Location& definition = definitions_.locations[location];
    ComponentTotals component;
    component.name = definitions_.strings[definition.name];
    if (const auto kind = definition.properties.find(archive::names::kPropertyComponentKind);
        kind != definition.properties.end())
      component.kind = kind->second;
    for (Quantity& quantity : quantities_) add(quantity, component);
    return component;
  }

 private:
  Quantity& of_member(std::uint32_t member) {
    const auto found = std::ranges::find(quantities_, member, &Quantity::member);
    return found != quantities_.end() ? *found : quantities_.emplace_back(member, begin_);
  }

  void add(Quantity& quantity, ComponentTotals& component) {
    const archive::MetricMember& member = definitions_.metric_members[quantity.member()];
    const std::string &name = definitions_.strings[member.name], &unit = definitions_.strings[member.unit];
    if (is_level(member.mode)) {
      quantity.hold_until(end_);
      component.levels.push_back({name, unit, quantity.mean_over(end_ - begin_), quantity.most()});
    } else if (name == archive::names::kUseBusy) {
      component.busy = Duration{static_cast<std::int64_t>(quantity.value())};
    } else {
      component.totals.push_back({name, unit, quantity.value()});
    }
  }

  archive::Reader& reader_;
  const archive::Definitions& definitions_;
  Time begin_, end_;
  std::vector<Quantity> quantities_;  // of the location in hand; a few
};

}  // namespace

std::vector<ComponentTotals> read_use(archive::Reader& reader, Time begin, Time end) {
  std::vector<ComponentTotals> components;
  ComponentReader component(reader, begin, end);
  const std::vector<archive::Location>& locations = reader.definitions().locations;
  for (std::uint32_t i = 0; i < locations.size(); ++i)
    if (locations[i].type == archive::LocationType::kMetric && locations[i].otf2_id >= kFirstUseLocation)
      components.push_back(component.read(i));
  std::ranges::stable_sort(components, std::ranges::greater{}, &ComponentTotals::busy);
  return components;
}

}  // namespace plumbline::replay
