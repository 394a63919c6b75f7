#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

constexpr const char* kInterrupts = "/proc/interrupts";

// How the lines of an interface can be known.
struct Interface {
  std::string name, device;       // "eth0", "0000:3b:00.0" or "virtio2"
  std::set<std::string> numbers;  // of message-signalled interrupts
};

std::vector<Interface> interfaces_of(Source& source) {
  std::vector<Interface> interfaces;
  for (const std::string& name : source.names("/sys/class/net")) {
    const std::string device = "/sys/class/net/" + name + "/device";
    Interface interface {
      name, source.link_name(device), {}
    };
    if (interface.device.empty()) continue;
    for (std::string& number : source.names(device + "/msi_irqs")) interface.numbers.insert(std::move(number));
    interfaces.push_back(std::move(interface));
  }
  return interfaces;
}

// "eth0", "eth0-TxRx-3", "virtio2-input.0", "mlx5_comp3@pci:0000:3b:00.0"
bool names_it(std::string_view action, const Interface& interface) {
  const auto begins = [&](const std::string& name) {
    return action == name || (action.starts_with(name) && action[name.size()] == '-');
  };
  return begins(interface.name) || begins(interface.device) || action.ends_with("@pci:" + interface.device);
}

bool is_of(const Interface& interface, std::string_view number, const std::vector<std::string_view>& actions) {
  return interface.numbers.contains(std::string(number)) ||
         std::ranges::any_of(actions, [&](std::string_view action) { return names_it(action, interface); });
}

// The processors of the columns, by the line of headings "CPU0 CPU1 ..".
std::vector<std::string> columns_of(std::string_view line) {
  std::vector<std::string> columns;
  for (const std::string_view word : words_of(line)) {
    if (!word.starts_with("CPU") || !number_of(word.substr(3))) return {};
    columns.push_back("cpu" + std::string(word.substr(3)));
  }
  return columns;
}

}  // namespace

// "38: 0 377 PCI-MSIX-0000:00:03.0 1-edge virtio2-input.0": number, a count for each processor, the rest.
void read_interrupt_counters(Source& source) {
  const std::vector<Interface> interfaces = interfaces_of(source);
  const auto text = interfaces.empty() ? std::nullopt : source.text(kInterrupts);
  if (!text) return;
  std::string_view rest = *text;
  const std::vector<std::string> columns = columns_of(take_line(rest));
  std::map<std::string, std::uint64_t> counts;
  while (!rest.empty()) {
    const auto words = words_of(take_line(rest));
    if (words.size() <= columns.size() || !words[0].ends_with(':')) continue;
    const std::string_view number = words[0].substr(0, words[0].size() - 1);
    const std::vector<std::string_view> actions(words.begin() + 1 + static_cast<std::ptrdiff_t>(columns.size()),
                                                words.end());
    for (const Interface& interface : interfaces) {
      if (!number_of(number) || !is_of(interface, number, actions)) continue;
      for (std::size_t i = 0; i < columns.size(); ++i)
        counts[fmt::format("interrupts.{}.{}", interface.name, columns[i])] += number_of(words[i + 1]).value_or(0);
    }
  }
  for (const auto& [name, count] : counts) source.put(name, std::to_string(count), kInterrupts);
}

}  // namespace plumbline::node
