#include "tracer/record/assemble/told_facts.hpp"

#include <map>
#include <span>

namespace plumbline::record {
namespace {

using Texts = std::map<std::string, std::string>;

void put(ByteWriter& out, const Texts& texts) {
  out.put(std::uint64_t{texts.size()});
  for (const auto& [key, value] : texts) {
    out.put_text(key);
    out.put_text(value);
  }
}

Texts get_map(ByteReader& in) {
  Texts texts;
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const std::string key(in.get_text());
    texts[key] = in.get_text();
  }
  return texts;
}

}  // namespace

void put_told(ByteWriter& out, const ProcessFacts& facts) {
  put(out, facts.meta);
  put(out, facts.components);
  out.put_all(std::span<const SwitchFact>(facts.switches));
  out.put_all(std::span<const pl_clock_reading>(facts.readings));
  out.put_all(std::span<const InnerPeerFact>(facts.inner_peers));
  out.put(facts.first_tick.has_value());
  for (const std::uint64_t number : {facts.first_tick.value_or(0), facts.last_tick, facts.records, facts.announced,
                                     facts.dropped_calls, facts.dropped_segments})
    out.put(number);
}

ProcessFacts get_told(ByteReader& in) {
  ProcessFacts facts;
  facts.meta = get_map(in);
  facts.components = get_map(in);
  facts.switches = in.get_all<SwitchFact>();
  facts.readings = in.get_all<pl_clock_reading>();
  facts.inner_peers = in.get_all<InnerPeerFact>();
  const bool has_first = in.get<bool>();
  const auto first = in.get<std::uint64_t>();
  if (has_first) facts.first_tick = first;
  for (std::uint64_t* number :
       {&facts.last_tick, &facts.records, &facts.announced, &facts.dropped_calls, &facts.dropped_segments})
    *number = in.get<std::uint64_t>();
  return facts;
}

}  // namespace plumbline::record
