#include <string>

#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {

// "8.0 GT/s PCIe", "Unknown"; width "8", and 255 where it is not known. A NUMA node of -1: there is only one.
void read_pcie(Source& source, const std::string& name, const std::string& device) {
  const auto speed = [](std::string_view text) {
    const std::string_view number = take_word(text);
    return number.find_first_not_of("0123456789.") == std::string_view::npos ? std::string(number) : "";
  };
  const auto width = [](std::string_view text) {
    return number_of(text) && text != "255" && text != "0" ? std::string(text) : "";
  };
  source.put_line(name + ".pcie_speed_gts", device + "/current_link_speed", speed);
  source.put_line(name + ".pcie_speed_max_gts", device + "/max_link_speed", speed);
  source.put_line(name + ".pcie_width", device + "/current_link_width", width);
  source.put_line(name + ".pcie_width_max", device + "/max_link_width", width);
  source.put_number(name + ".numa_node", device + "/numa_node");
}

}  // namespace plumbline::node
