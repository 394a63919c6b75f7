#pragma once
// Reads <server> and <distribution>, and judges the storage of a platform as a whole.

#include <tinyxml2.h>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "hwmodels/platform/platform.hpp"
#include "hwmodels/platform/xml/xml_element.hpp"

namespace plumbline::hw {

class StorageReader {
 public:
  // What it reads goes into `platform`, what is wrong into `diagnostics`.
  StorageReader(const std::string& file, Platform& platform, Diagnostics& diagnostics)
      : file_(file), platform_(platform), diagnostics_(diagnostics) {}

  // The number of the node of that name; notes a fault when there is none.
  using FindNode = std::function<std::uint32_t(const XmlElement&, const std::string& name)>;

  // Those of the elements that are servers; before the file systems, which name them.
  void read_servers(std::span<const tinyxml2::XMLElement* const> elements, const FindNode& find_node);

  // Of a file system with these parts; false when it has no distribution.
  bool read_distribution(const XmlElement& file_system, std::span<const tinyxml2::XMLElement* const> parts,
                         Distribution& distribution);

  // What can only be seen when all has been read: names used twice, memory below what must fit into it, a network that
  // file servers cannot use.
  void check() const;

 private:
  using Element = tinyxml2::XMLElement;

  XmlElement wrap(const Element& element, std::string subject = {}) const {
    return XmlElement(element, file_, diagnostics_, std::move(subject));
  }
  void fault(int line, std::string what, std::string hint) const;
  Server read_server(const Element& xml, const FindNode& find_node);
  void read_device(const Element& xml, const XmlElement& server, Device& device);
  void read_cache(const Element& xml, const XmlElement& server, ServerCache& cache);
  void read_costs(XmlElement& element, Distribution& distribution) const;
  void check_distribution(const XmlElement& element, const Distribution& distribution, bool counted) const;
  std::vector<std::uint32_t> servers_named(const XmlElement& element, const std::string& text) const;
  std::optional<std::uint32_t> server_named(const XmlElement& element, const std::string& name) const;

  const std::string& file_;
  Platform& platform_;
  Diagnostics& diagnostics_;
  std::vector<int> lines_;                        // of the servers
  std::vector<bool> placed_;                      // per server, whether its node is there
  std::map<std::string, std::uint32_t> numbers_;  // of names used twice the first one counts
};

}  // namespace plumbline::hw
