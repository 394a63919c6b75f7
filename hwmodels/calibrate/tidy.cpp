#include "hwmodels/calibrate/tidy.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace plumbline::hw::calibration {
namespace {

template <class T>
void tidy_one(Parameter<T>& parameter) {
  parameter.spread = parameter.value == T{} ? 0 : std::ceil(parameter.spread * 1000) / 1000;
}

void tidy_transport(Transport& transport) {
  tidy_one(transport.send_buffer);
  for (MessageRange& range : transport.ranges) {
    for (Parameter<Duration>* const each : {&range.send, &range.receive, &range.latency, &range.gap}) tidy_one(*each);
    for (std::optional<Parameter<BytesPerSecond>>* const each :
         {&range.send_rate, &range.receive_rate, &range.gap_rate})
      if (*each) tidy_one(**each);
  }
}

}  // namespace

void tidy(Platform& platform) {
  for (Node& node : platform.nodes) {
    tidy_one(node.memory_rate);
    tidy_one(node.interface_rate);
    if (!node.sockets) continue;
    for (Parameter<BytesPerSecond>* const each :
         {&node.sockets->rate, &node.sockets->local_rate, &node.sockets->link_rate, &node.sockets->interconnect_rate})
      tidy_one(*each);
    tidy_one(node.sockets->latency);
  }
  for (Switch& each : platform.switches) tidy_one(each.rate);
  for (Edge& edge : platform.edges) {
    tidy_one(edge.latency);
    tidy_one(edge.rate);
  }
  tidy_one(platform.packets.send_queue);
  tidy_transport(platform.inside);
  tidy_transport(platform.between);
  for (PairTransport& each : platform.pairs) tidy_transport(each.transport);
  for (FileSystem& fs : platform.file_systems) {
    for (AccessCost* const cost : {&fs.cached_write, &fs.cached_read, &fs.device_write, &fs.device_read}) {
      tidy_one(cost->call);
      tidy_one(cost->rate);
    }
    if (fs.exclusive_write) tidy_one(*fs.exclusive_write);
    for (Parameter<Duration>* const each : {&fs.open, &fs.close, &fs.sync}) tidy_one(*each);
  }
}

std::string short_library_name(std::string text) {
  text = text.substr(0, text.find(','));
  if (const std::size_t at = text.find(" Version:"); at != std::string::npos) text.erase(at, 9);
  std::replace(text.begin(), text.end(), '\t', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace plumbline::hw::calibration
