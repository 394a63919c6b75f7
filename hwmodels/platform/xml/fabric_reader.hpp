#pragma once
// Reads <star>, <fat-tree>, <torus> and <dragonfly>.

#include <tinyxml2.h>

#include <functional>
#include <optional>
#include <string>

#include "hwmodels/platform/platform.hpp"
#include "hwmodels/platform/xml/xml_element.hpp"

namespace plumbline::hw {

constexpr std::initializer_list<const char*> kFabricElements = {"star", "fat-tree", "torus", "dragonfly"};
bool is_fabric(const char* element);

// A range of nodes by name; nothing, with a fault noted, when it is none.
using NodeRange = std::pair<std::uint32_t, std::uint32_t>;  // first and last
using FindNodes = std::function<std::optional<NodeRange>(const XmlElement& element, const std::string& text)>;

// The fabric without its switches and edges, or nothing when it has a fault that leaves its shape unknown.
std::optional<Fabric> read_fabric(XmlElement element, const tinyxml2::XMLElement& xml, std::uint32_t nodes,
                                  const FindNodes& find_nodes);

// What is said of single switches and links of a fabric that has been made.
void read_exceptions(const XmlElement& element, const tinyxml2::XMLElement& xml, const Fabric& fabric,
                     Platform& platform);

}  // namespace plumbline::hw
